/** Reports that a signal to end has reached the bot. Its sender lets the clock go on only then, so that runs repeat. */
import { writeSync } from "node:fs";

const SIGNAL = "SIGTERM";

/** A bot that listens for no signal is ended by it, as without us. */
export function tellSignals(file: number): void {
  const tell = (): void => {
    try {
      writeSync(file, `${SIGNAL}\n`);
    } catch {
      // The receiver is gone.
    }
  };
  const isThere = (): boolean => process.listeners(SIGNAL).includes(tell);
  process.on("newListener", (event, listener) => {
    if (event === SIGNAL && listener !== tell && !isThere()) process.on(SIGNAL, tell);
  });
  process.on("removeListener", (event) => {
    if (event === SIGNAL && process.listenerCount(SIGNAL) === 1 && isThere()) process.off(SIGNAL, tell);
  });
}
