/** The projector as the node sees it: told how far the journal is applied, tells how far history is. */
import type { Worker } from "node:worker_threads";
import { Progress } from "../history/reading/progress.ts";
import type { Trouble } from "./trouble.ts";

/** From its thread; null: history has moved on. */
export type ProjectorMessage = Trouble | null;

export interface ProjectorOptions {
  /** The last entry that history holds. */
  readonly historySeq: number;
  /** Starts the thread that projects. `memory`: of the `Progress` that both look at. */
  readonly startThread: (memory: SharedArrayBuffer) => Worker;
  /** The thread has died; history stands still. */
  readonly onFatal: (error: Error) => void;
  /** Something cannot be written, or can be again. It is tried by itself. */
  readonly onTrouble?: ((trouble: Trouble) => void) | undefined;
}

export class Projector {
  readonly progress = new Progress();
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #listeners: (() => void)[] = [];
  /** Resolves when its thread has tried to open history, or has died (see `onFatal`). */
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
    // Whoever stops it will know.
    this.#ended.catch(() => {});
  }

  /** The last entry that history holds. */
  get seq(): number {
    return this.progress.projectedSeq;
  }

  /** Entries up to `seq` are durable and applied: history may have them. */
  publish(seq: number): void {
    this.progress.publish(seq);
  }

  /** Called when history has moved on while a query waits for it. */
  onMoved(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Lets history catch up with what was published, takes a snapshot, and ends. A disk that will not have
   * them is told of only; rejects when the thread died of anything else.
   */
  stop(): Promise<void> {
    this.#stopping = true;
    this.#worker.ref();
    this.progress.stop();
    return this.#ended;
  }
}
