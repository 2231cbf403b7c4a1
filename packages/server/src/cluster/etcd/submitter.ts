/**
 * Writes each batch into the log once: a transaction creates the batch's key if it is absent, and increments the
 * counter. The outcome of an attempt is often unknown; the same transaction is repeated until it is certain.
 */
import { status } from "@grpc/grpc-js";
import { JournalRefused, type LooseBatch } from "../../journal/port.ts";
import { encodeBatch } from "./rows.ts";
import { CallFailed, isFinal } from "./endpoint.ts";
import type { EpochKeys, StoreParts } from "./epoch.ts";
import type { TxnRequest } from "./protocol.ts";

/** A one-time event that code can await together with other promises. */
export class Occurrence {
  readonly #waiting = new Set<() => void>();
  #hasHappened = false;

  get hasHappened(): boolean {
    return this.#hasHappened;
  }

  happen(): void {
    this.#hasHappened = true;
    for (const tell of this.#waiting) tell();
  }

  /**
   * Settles like `other`, or resolves once the event occurs. Nothing is retained afterwards; with `Promise.race`, a
   * long-lived promise would retain every race and its result.
   */
  async or(other: Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const over = (): void => resolve();
    other.then(over, reject);
    this.#waiting.add(over);
    if (this.#hasHappened) over();
    try {
      await promise;
    } finally {
      this.#waiting.delete(over);
    }
  }
}

/** Maximum number of times that the timeout of an attempt is doubled. */
const MOST_DOUBLINGS = 3;

export type SubmitterOptions = Omit<StoreParts, "epoch"> & { readonly keys: EpochKeys };

export class Submitter {
  readonly #options: SubmitterOptions;
  /** Batches with an uncertain outcome, each with the event that it was received from the log. */
  readonly #open = new Map<string, Occurrence>();
  #isClosed = false;

  constructor(options: SubmitterOptions) {
    this.#options = options;
  }

  /** Like `SharedLog.submit`. Rejects after `close`; the outcome is then unknown. */
  async submit(batch: LooseBatch): Promise<void> {
    const { limits, world, counters } = this.#options;
    const value = encodeBatch(batch);
    if (value.length > limits.maxBatchBytes) throw new JournalRefused(`a batch of ${value.length} bytes is too large`);
    const startMs = world.steadyMs();
    const back = new Occurrence();
    this.#open.set(batch.id, back);
    try {
      await this.#untilCertain(this.#transaction(batch.id, value), startMs, back);
    } finally {
      if (this.#open.get(batch.id) === back) this.#open.delete(batch.id);
    }
    counters.submitted++;
    counters.submittedMs += world.steadyMs() - startMs;
  }

  /**
   * Called when the batch was received from the log. It must not be submitted again: once all nodes have it, its key is
   * removed, and another attempt would create it again.
   */
  onSeen(id: string): void {
    this.#open.get(id)?.happen();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #untilCertain(transaction: TxnRequest, startMs: number, back: Occurrence): Promise<void> {
    const { members, limits, world, counters } = this.#options;
    let isUnwritten = true;
    let timeouts = 0;
    for (let failures = 1; ; failures++) {
      try {
        // Timeouts grow, so that repeated attempts do not slow down members that are already slow. Attempts sent during
        // a change of leader are lost, so the second attempt has the same timeout as the first.
        const withinMs = limits.callMs * 2 ** Math.min(Math.max(timeouts - 1, 0), MOST_DOUBLINGS);
        await back.or(members.attempt("KV/Txn", transaction, withinMs));
        return;
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        isUnwritten &&= error.isCertain;
        if (error.code === status.DEADLINE_EXCEEDED) timeouts++;
        if (isUnwritten && (isFinal(error) || world.steadyMs() - startMs >= limits.refuseAfterMs))
          throw new JournalRefused(error.message, { cause: error });
        if (this.#isClosed) throw error;
      }
      await back.or(world.pause(members.pauseMs(failures)));
      if (back.hasHappened) return;
      counters.repeats++;
    }
  }

  #transaction(id: string, value: Buffer): TxnRequest {
    const { keys } = this.#options;
    const key = keys.batch(id);
    return {
      compare: [{ result: "EQUAL", target: "CREATE", key, createRevision: 0 }],
      success: [{ put: { key, value } }, { put: { key: keys.counter, value: Buffer.from(id) } }],
    };
  }
}
