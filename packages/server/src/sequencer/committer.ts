/** Where a formed batch gets its place: in this node's journal at once, or in the order that several nodes share. */
import type { FormedBatch } from "./form-batch.ts";

export interface Committer {
  /** From here on batches of others may be applied. */
  start(): void;
  /**
   * Resolves to undefined when the batch is durable and applied, and its requests are answered; to the error when it is
   * not, and they are not (it is certainly not written when that is `JournalRefused`). Rejects for a mistake of ours.
   */
  commit(batch: FormedBatch, timeMs: number): Promise<Error | undefined>;
  /** After a commit that failed. Resolves when another can be tried; rejects when what the journal holds cannot be known. */
  recover(cause: Error): Promise<void>;
  /** Resolves when nothing is written or applied any more. */
  close(): Promise<void>;
}
