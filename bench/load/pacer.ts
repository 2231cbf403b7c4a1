/** Calls back every `EVERY_MS`, from a thread that does nothing but sleep: finer than timers, cheaper than spinning. */
import { Worker } from "node:worker_threads";

/** Delays of open-loop load are that much longer than they are, at most. */
const EVERY_MS = 0.2;

export class Pacer {
  readonly #flags = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;

  constructor(tick: () => void) {
    const workerData = { flags: this.#flags, everyMs: EVERY_MS };
    this.#worker = new Worker(new URL("./pacer-thread.ts", import.meta.url), { name: "pacer", workerData });
    this.#worker.on("message", () => {
      Atomics.store(this.#flags, 1, 0);
      tick();
    });
  }

  async stop(): Promise<void> {
    Atomics.store(this.#flags, 0, 1);
    Atomics.notify(this.#flags, 0);
    await this.#worker.terminate();
  }
}
