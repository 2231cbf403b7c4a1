/** How many files are written at once: each takes its part of every turn of the event loop. */
import { AdminRefusal } from "./answer.ts";

export class FilePlaces {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns what gives the place back, once. Throws `AdminRefusal` 503 where none is left. */
  take(): () => void {
    if (this.#taken >= this.#most) throw new AdminRefusal(503, "BUSY", "Other files are being written: ask again.");
    this.#taken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.#taken--;
      isTaken = false;
    };
  }
}

/** The lines, with an end that is told at least once: at the last, at an error, and when a reader goes, also before the first. */
export function endTold(lines: AsyncGenerator<Buffer>, onEnd: () => void): AsyncIterable<Buffer> {
  const iterator: AsyncIterator<Buffer> = {
    next: async () => {
      try {
        const line = await lines.next();
        if (line.done === true) onEnd();
        return line;
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    return: async () => {
      onEnd();
      return lines.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
