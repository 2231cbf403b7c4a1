/** The node's side of the projector: it says how far the journal is applied, and learns how far the history is. */
import type { Worker } from "node:worker_threads";
import { Progress } from "../../history/reading/progress.ts";
import type { Trouble } from "./trouble.ts";

/** A message from the projector's thread; null: the history has moved on. */
export type ProjectorMessage = Trouble | null;

export interface ProjectorOptions {
  /** The last entry that history holds. */
  readonly historySeq: number;
  /** Starts the thread that projects. `memory` is that of the shared `Progress`. */
  readonly startThread: (memory: SharedArrayBuffer) => Worker;
  /** Called when the thread has died: the history stands still. */
  readonly onFatal: (error: Error) => void;
  /** Called when something cannot be written, or can be again. It is retried automatically. */
  readonly onTrouble?: ((trouble: Trouble) => void) | undefined;
}

export class Projector {
  readonly progress = new Progress();
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #listeners: (() => void)[] = [];
  /** Resolves when the thread has tried to open the history, or has died (see `onFatal`). */
  readonly started: Promise<void>;
  #stopping = false;

  constructor({ historySeq, startThread, onFatal, onTrouble }: ProjectorOptions) {
    this.progress.project(historySeq);
    this.#worker = startThread(this.progress.memory);
    this.#worker.on("message", (message: ProjectorMessage) => {
      if (message !== null) onTrouble?.(message);
      else for (const listener of this.#listeners) listener();
    });
    this.started = new Promise((resolve) => {
      this.#worker.once("message", () => {
        if (!this.#stopping) this.#worker.unref();
        resolve();
      });
      this.#worker.once("exit", () => resolve());
    });
    this.#ended = new Promise((resolve, reject) => {
      const end = (error: Error): void => {
        reject(error);
        if (!this.#stopping) onFatal(error);
        this.#stopping = true;
      };
      this.#worker.on("error", (error) => end(error as Error));
      this.#worker.on("exit", () => (this.#stopping ? resolve() : end(new Error("the projector's thread has ended"))));
    });
    // The caller of `stop` handles the error.
    this.#ended.catch(() => {});
  }

  /** The last entry that history holds. */
  get seq(): number {
    return this.progress.projectedSeq;
  }

  /** Publishes that entries up to `seq` are durable and applied: the history may contain them. */
  publish(seq: number): void {
    this.progress.publish(seq);
  }

  /** Registers what is called when the history has moved on while a query waits for it. */
  onMoved(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Lets the history catch up with the published entries, takes a snapshot, and ends. Disk trouble is only
   * reported; rejects when the thread died for any other reason.
   */
  stop(): Promise<void> {
    this.#stopping = true;
    this.#worker.ref();
    this.progress.stop();
    return this.#ended;
  }
}
