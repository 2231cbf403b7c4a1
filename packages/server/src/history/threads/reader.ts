/** A node's history port: waits until history includes the requested entry, then sends the query to a reader thread. */
import type { Timers } from "../../platform/world/port.ts";
import { type Answer, type Arguments, type History, HistoryBehind, type QueryName } from "../port.ts";
import type { Progress } from "./progress.ts";
import { Worker } from "node:worker_threads";

// Limits on waiting queries.

export interface HistoryLimits {
  /** How long a query waits for history to reach its entry. */
  readonly waitMs: number;
  /** Maximum number of queries that wait or run at a time; further queries are rejected. */
  readonly maxQueries: number;
}

const HISTORY_LIMITS: HistoryLimits = { waitMs: 5_000, maxQueries: 1_000 };

interface Waiter {
  readonly seq: number;
  readonly go: () => void;
}

class WaitingForHistory {
  readonly #progress: Progress;
  readonly #waitMs: number;
  readonly #timers: Timers;
  readonly #waiters = new Set<Waiter>();

  constructor(progress: Progress, waitMs: number, timers: Timers) {
    this.#progress = progress;
    this.#waitMs = waitMs;
    this.#timers = timers;
  }

  /**
   * Resolves when history includes entry `seq`; returns undefined if it already does. Rejects with `HistoryBehind` if
   * that takes too long.
   */
  reach(seq: number): Promise<void> | undefined {
    if (this.#progress.projectedSeq >= seq) return undefined;
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(this.#waitMs, () => {
        this.#remove(waiter);
        reject(new HistoryBehind(`history stands at entry ${this.#progress.projectedSeq}, ${seq} was asked for`));
      });
      const go = (): void => {
        cancel();
        this.#remove(waiter);
        resolve();
      };
      const waiter: Waiter = { seq, go };
      this.#waiters.add(waiter);
      this.#progress.setAwaited(true);
      // History may have reached the entry before the flag was set.
      this.wake();
    });
  }

  /** Called when history has advanced. */
  wake(): void {
    const { projectedSeq } = this.#progress;
    for (const waiter of this.#waiters) if (waiter.seq <= projectedSeq) waiter.go();
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#progress.setAwaited(false);
  }
}

export interface ReaderQuestion {
  readonly id: number;
  readonly name: QueryName;
  readonly args: unknown;
}
export type ReaderAnswer =
  | { readonly id: number; readonly rows: unknown }
  /** `isPassing`: the disk failed, but a retry may succeed. */
  | { readonly id: number; readonly message: string; readonly isPassing: boolean };

export interface HistoryReaderOptions {
  /** The path of the history file, whose tables must exist. */
  readonly path: string;
  readonly progress: Progress;
  readonly world: Timers;
  /** Called when a reader thread has ended unexpectedly. History can then no longer be queried. */
  readonly onFatal: (error: Error) => void;
  /** Default: `READER_THREADS`. */
  readonly threads?: number;
  readonly limits?: Partial<HistoryLimits>;
}

/**
 * With several threads, a slow query delays only one of them. On two cores, eight clients that constantly request pages
 * of a long history get 1.4 times as many as with one thread, and other requests wait no longer.
 */
const READER_THREADS = 2;

interface Asked {
  readonly thread: Thread;
  readonly resolve: (rows: never) => void;
  readonly reject: (error: Error) => void;
}
interface Thread {
  readonly worker: Worker;
  /** Resolves when the thread has ended for any reason. */
  readonly ended: Promise<void>;
  asked: number;
}

export class HistoryReader implements History {
  readonly #progress: Progress;
  readonly #limits: HistoryLimits;
  readonly #waiting: WaitingForHistory;
  readonly #threads: readonly Thread[];
  readonly #asked = new Map<number, Asked>();
  readonly #onFatal: (error: Error) => void;
  #lastId = 0;
  #queries = 0;
  /** Set while queries are rejected, because the reader is closing or a thread has ended. */
  #closing = false;
  /** Whether `close` is waiting for the threads to end. */
  #isAwaited = false;
  /** One promise per thread that has not opened the file yet. */
  readonly #starting: Promise<void>[] = [];

  constructor(options: HistoryReaderOptions) {
    this.#progress = options.progress;
    this.#onFatal = options.onFatal;
    this.#limits = { ...HISTORY_LIMITS, ...options.limits };
    this.#waiting = new WaitingForHistory(options.progress, this.#limits.waitMs, options.world);
    this.#threads = Array.from({ length: options.threads ?? READER_THREADS }, () => this.#startThread(options.path));
  }

  get seq(): number {
    return this.#progress.projectedSeq;
  }

  /** Resolves when every thread has started or has ended (see `onFatal`). */
  async started(): Promise<void> {
    await Promise.all(this.#starting);
  }

  /** Called when the projector reports that history has advanced. */
  wake(): void {
    this.#waiting.wake();
  }

  async query<Name extends QueryName>(seq: number, name: Name, args: Arguments<Name>): Promise<Answer<Name>> {
    if (this.#queries >= this.#limits.maxQueries) throw new HistoryBehind("too many queries of history wait");
    this.#queries++;
    try {
      await this.#waiting.reach(seq);
      return await this.#send(name, args);
    } finally {
      this.#queries--;
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#isAwaited = true;
    await Promise.all(
      this.#threads.map(({ worker, ended }) => {
        worker.ref();
        worker.postMessage(null);
        return ended;
      }),
    );
  }

  #send<Name extends QueryName>(name: Name, args: Arguments<Name>): Promise<Answer<Name>> {
    if (this.#closing) return Promise.reject(new Error("history is closed"));
    return new Promise((resolve, reject) => {
      const thread = this.#threads.reduce((best, other) => (other.asked < best.asked ? other : best));
      const id = ++this.#lastId;
      thread.asked++;
      thread.worker.ref();
      this.#asked.set(id, { thread, resolve, reject });
      thread.worker.postMessage({ id, name, args } satisfies ReaderQuestion);
    });
  }

  #startThread(path: string): Thread {
    const worker = new Worker(new URL("./reader-worker.ts", import.meta.url), { name: "reader", workerData: { path } });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const thread = { worker, ended, asked: 0 };
    this.#starting.push(
      new Promise((resolve) => {
        worker.once("message", () => {
          this.#letGo(thread);
          resolve();
        });
        worker.once("exit", () => resolve());
      }),
    );
    worker.on("message", (answer: ReaderAnswer | null) => answer !== null && this.#receive(answer));
    worker.on("error", (error) => this.#end(error as Error));
    worker.on("exit", () => this.#end(new Error("history's reading thread has ended")));
    return thread;
  }

  /** Lets the process exit while the thread has no pending queries. */
  #letGo({ worker, asked }: Thread): void {
    if (asked === 0 && !this.#isAwaited) worker.unref();
  }

  #receive(answer: ReaderAnswer): void {
    const asked = this.#asked.get(answer.id);
    if (asked === undefined) return;
    this.#asked.delete(answer.id);
    asked.thread.asked--;
    this.#letGo(asked.thread);
    if ("rows" in answer) asked.resolve(answer.rows as never);
    else if (answer.isPassing) asked.reject(new HistoryBehind(`history cannot be read: ${answer.message}`));
    else asked.reject(new Error(answer.message));
  }

  #end(error: Error): void {
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
    if (this.#closing) return;
    this.#closing = true;
    this.#onFatal(error);
  }
}
