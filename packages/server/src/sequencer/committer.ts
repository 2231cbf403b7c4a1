/** Gives a formed batch its place: in this node's journal at once, or in the order that several nodes share. */
import type { FormedBatch } from "./form-batch.ts";

export type CommitEnd = (failure: Error | undefined) => void;

export interface Committer {
  /** From here on, batches of other nodes may be applied. */
  start(): void;
  /**
   * `end` is called once: without an error when the batch is durable and applied and its requests are answered, in the
   * turn in which they were; with the error when they are not (the batch is certainly not written when that is
   * `JournalRefused`). Rejects for a mistake of ours.
   */
  commit(batch: FormedBatch, timeMs: number, end: CommitEnd): Promise<void>;
  /** Follows a failed commit. Resolves when another can be tried; rejects when the journal's content is unknown. */
  recover(cause: Error): Promise<void>;
  /** No more batches come. What is under way ends within bounded time, whether its outcome is known or not. */
  stopping(): void;
  /** Resolves when nothing is written or applied any more. */
  close(): Promise<void>;
}
