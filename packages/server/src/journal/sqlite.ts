/** The journal in an SQLite file. A separate thread writes it; readers read it in their own threads. */
import { Worker } from "node:worker_threads";
import { JournalFile } from "./journal-file.ts";
import { type Batch, type Journal, type JournalHead, JournalRefused, type LogPlace, type NewBatch } from "./port.ts";

/** `ask` appends the batch, with its position if it has one. If the batch is null, it returns the head. */
export type JournalRequest =
  | { readonly type: "ask"; readonly batch: NewBatch | null; readonly place?: LogPlace }
  | { readonly type: "close" };
export type JournalResponse = { readonly head: JournalHead } | { readonly refused: boolean; readonly message: string };

interface Waiting {
  readonly resolve: (head: JournalHead) => void;
  readonly reject: (error: Error) => void;
}

export class SqliteJournal implements Journal {
  readonly #path: string;
  readonly #worker: Worker;
  /** Pending requests. Responses arrive in the same order. */
  readonly #waiting: Waiting[] = [];
  readonly #onFatal: (error: Error) => void;
  #ended: Error | undefined;
  #closing = false;

  /** `onFatal` is called if the thread has died, so that nothing can be appended any more. */
  constructor(path: string, onFatal: (error: Error) => void) {
    JournalFile.open(path).close();
    this.#path = path;
    this.#onFatal = onFatal;
    this.#worker = new Worker(new URL("./sqlite-worker.ts", import.meta.url), {
      name: "journal",
      workerData: { path },
    });
    this.#worker.on("message", (answer: JournalResponse) => this.#receive(answer));
    this.#worker.on("error", (error) => this.#end(error as Error));
    this.#worker.on("exit", () => this.#end(new Error("the journal's thread has ended")));
    this.#worker.unref();
  }

  head(): Promise<JournalHead> {
    return this.#ask(null);
  }

  append(batch: NewBatch, place?: LogPlace): Promise<JournalHead> {
    return this.#ask(batch, place);
  }

  async *read(fromSeq: number): AsyncIterable<Batch> {
    const file = JournalFile.openReadOnly(this.#path);
    try {
      yield* file.read(fromSeq);
    } finally {
      file.close();
    }
  }

  close(): Promise<void> {
    this.#closing = true;
    if (this.#ended !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#worker.ref();
      this.#worker.once("exit", () => resolve());
      this.#worker.postMessage({ type: "close" } satisfies JournalRequest);
    });
  }

  #ask(batch: NewBatch | null, place?: LogPlace): Promise<JournalHead> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined || this.#closing) {
        reject(this.#ended ?? new JournalRefused("the journal is closed"));
        return;
      }
      // The process must not exit while a response is pending.
      this.#worker.ref();
      const question: JournalRequest = place === undefined ? { type: "ask", batch } : { type: "ask", batch, place };
      this.#worker.postMessage(question);
      // Registered after sending, because a request that could not be sent would shift all later responses.
      this.#waiting.push({ resolve, reject });
    });
  }

  #receive(answer: JournalResponse): void {
    const waiting = this.#waiting.shift();
    // If `close` was called, its caller waits for the thread to exit.
    if (this.#waiting.length === 0 && !this.#closing) this.#worker.unref();
    if ("head" in answer) waiting?.resolve(answer.head);
    else waiting?.reject(answer.refused ? new JournalRefused(answer.message) : new Error(answer.message));
  }

  #end(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    if (!this.#closing) this.#onFatal(error);
  }
}
