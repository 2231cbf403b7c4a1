/** Calls back every `EVERY_MS`, from a thread that only sleeps: finer than timers, cheaper than busy waiting. */
import { Worker } from "node:worker_threads";

/** Measured delays of open-loop load are too long by at most this. */
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
