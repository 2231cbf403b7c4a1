/** Gives a formed batch its place: in this node's journal at once, or in the order that several nodes share. */
import type { FormedBatch } from "./form-batch.ts";

export interface Committer {
  /** From here on, batches of other nodes may be applied. */
  start(): void;
  /**
   * Resolves to undefined when the batch is durable and applied and its requests are answered; otherwise to the error,
   * and they are not answered (with `JournalRefused` it is certainly not written). Rejects for a bug of ours.
   */
  commit(batch: FormedBatch, timeMs: number): Promise<Error | undefined>;
  /** Recovers from a failed commit. Resolves when another can be tried; rejects when the journal is unknown. */
  recover(cause: Error): Promise<void>;
  /** Resolves when nothing is written or applied any more. */
  close(): Promise<void>;
}
