/**
 * Places batches on a node among others: the shared log decides which batch is next, ours or another's. Our batch is
 * submitted without a place, and its requests are answered when it comes back in its turn.
 */
import assert from "node:assert/strict";
import { decodeCommands, type Engine } from "@pricetime/engine";
import type { Following, LooseBatch, SharedLog } from "../journal/port.ts";
import type { Timers } from "../world/port.ts";
import type { CommitEnd, Committer } from "./committer.ts";
import type { FormedBatch } from "./form-batch.ts";
import type { SequencerLimits } from "./limits.ts";
import type { PlacedBatch, Placement } from "./placement.ts";

export interface SharedPlacementOptions {
  readonly log: SharedLog;
  /** Returns an id that no node has given to a batch before. */
  readonly newBatchId: () => string;
  /** The placement of this node's own journal. */
  readonly placement: Placement;
  readonly engine: Engine;
  /** The name of this node. */
  readonly node: string;
  /** Called when the node's own journal refuses what the log says, so nothing can be answered; null: it works again. */
  readonly onStall: (error: Error | null) => void;
  /** Called when the log cannot be followed any more. */
  readonly onFatal: (error: Error) => void;
  readonly world: Timers;
  readonly limits: Pick<SequencerLimits, "retryPauseMs">;
}

/** A batch of ours on its way. */
interface Offer {
  readonly id: string;
  readonly batch: FormedBatch;
  readonly end: CommitEnd;
}

export class SharedPlacement implements Committer {
  readonly #options: SharedPlacementOptions;
  #following: Following | undefined;
  #followed: Promise<void> = Promise.resolve();
  #offer: Offer | undefined;
  #isClosed = false;

  constructor(options: SharedPlacementOptions) {
    this.#options = options;
  }

  start(): void {
    const { log, engine } = this.#options;
    this.#following = log.follow(engine.seq);
    this.#followed = this.#follow(this.#following);
  }

  async commit(batch: FormedBatch, timeMs: number, end: CommitEnd): Promise<void> {
    assert(this.#offer === undefined, "one batch of ours is on its way at a time");
    const { log, node, newBatchId } = this.#options;
    const id = newBatchId();
    this.#offer = { id, batch, end };
    try {
      await log.submit({ id, count: batch.commands.length, timeMs, node, bytes: batch.bytes });
    } catch (error) {
      if (this.#offer?.id === id) this.#endOffer(error as Error);
    }
  }

  /** Nothing needs recovery after a failed batch, because the engine follows the log alone. */
  async recover(): Promise<void> {}

  close(): Promise<void> {
    this.#isClosed = true;
    this.#following?.close();
    return this.#followed;
  }

  async #follow(following: Following): Promise<void> {
    try {
      for (;;) {
        const batch = await following.next();
        if (batch === undefined) return;
        await this.#place(batch);
      }
    } catch (error) {
      following.close();
      this.#endOffer(error as Error);
      this.#options.onFatal(error as Error);
    }
  }

  async #place(batch: LooseBatch): Promise<void> {
    const { placement, engine } = this.#options;
    const offer = this.#offer?.id === batch.id ? this.#offer : undefined;
    const commands = offer?.batch.commands ?? decodeCommands(batch.bytes, batch.count);
    // The time is derived from what all nodes know alike.
    const timeMs = Math.max(engine.timeMs, batch.timeMs);
    const placed = await this.#write({ ...batch, timeMs });
    if (placed === undefined || this.#isClosed) return;
    // Its callers may have been told meanwhile that its outcome is unknown.
    const isAwaited = offer !== undefined && this.#offer === offer;
    // From here on each of them is told while the batch is applied, even if that fails midway.
    if (isAwaited) this.#offer = undefined;
    placement.apply(placed, commands, isAwaited ? offer.batch.settles : []);
    if (isAwaited) offer.end(undefined);
  }

  /** Retries until the journal has the batch: it is in the log and cannot be refused. Undefined: applied, or closed. */
  async #write(batch: Omit<LooseBatch, "id">): Promise<PlacedBatch | undefined> {
    const { placement, engine, world, limits, onStall } = this.#options;
    const { count, timeMs, node, bytes } = batch;
    const priorSeq = engine.seq;
    for (let isStalled = false; ; ) {
      try {
        const placed = await placement.write({ count, timeMs, node, bytes });
        if (isStalled) onStall(null);
        return placed;
      } catch (error) {
        // Whatever the journal says of the batch, the log has it.
        const stall = new Error((error as Error).message, { cause: error });
        onStall(stall);
        isStalled = true;
        this.#endOffer(stall);
        await placement.recover(stall);
      }
      if (engine.seq > priorSeq) {
        onStall(null);
        return undefined;
      }
      await world.pause(limits.retryPauseMs);
      if (this.#isClosed) return undefined;
    }
  }

  #endOffer(failure: Error): void {
    const offer = this.#offer;
    this.#offer = undefined;
    offer?.end(failure);
  }
}
