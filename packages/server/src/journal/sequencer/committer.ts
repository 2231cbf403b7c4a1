/** Gives a formed batch its place: in this node's journal at once, or in the order that several nodes share. */
import type { Command } from "@pricetime/engine";
import type { FormedBatch } from "./form-batch.ts";
import type { SettleNow } from "./port.ts";

export type CommitEnd = (failure: Error | undefined) => void;

export interface PromptBatch {
  readonly bytes: Uint8Array;
  readonly commands: readonly Command[];
  readonly settle: SettleNow;
}

export interface Committer {
  /** From here on, batches of other nodes may be applied. */
  start(): void;
  /**
   * `end` is called once: without an error when the batch is durable and applied and its requests are answered, in the
   * turn in which they were; with the error when they are not (the batch is certainly not written when that is
   * `JournalRefused`). Rejects for a mistake of ours.
   */
  commit(batch: FormedBatch, timeMs: number, end: CommitEnd): Promise<void>;
  /**
   * Does the same before it returns, and returns the error, if any; undefined where the journal cannot. The requests of
   * a batch that was refused are not answered. Throws for a mistake of ours.
   */
  readonly commitNow?: ((batch: PromptBatch, timeMs: number) => Error | undefined) | undefined;
  /** Follows a failed commit. Resolves when another can be tried; rejects when the journal's content is unknown. */
  recover(cause: Error): Promise<void>;
  /** No more batches come. What is under way ends within bounded time, whether its outcome is known or not. */
  stopping(): void;
  /** Resolves when nothing is written or applied any more. */
  close(): Promise<void>;
}
