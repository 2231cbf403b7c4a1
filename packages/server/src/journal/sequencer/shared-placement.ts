/**
 * Places batches on a node of a cluster. The shared log determines the next batch, from any node. This node's batches
 * are submitted without a position, and their requests are answered when the node receives them back from the log.
 */
import type { Engine, NodeBatch } from "@pricetime/engine";
import { type Following, JournalRefused, type LogPlace, type LogRow, type SharedLog } from "../port.ts";
import type { Cancel, Clock, Timers } from "../../platform/world/port.ts";
import {
  batchIdOf,
  commandsOf,
  type CommitEnd,
  type Committer,
  type FormedBatch,
  headerOf,
  type Process,
  type SequencerLimits,
  UnreadableRow,
  withHeader,
} from "./batch.ts";
import type { PlacedBatch, Placement } from "./placement.ts";
import assert from "node:assert/strict";
import { NodeUnfit, type RowObserver } from "./port.ts";

// Writes the rows of a shared log to the node's own journal. The journal cannot reject a row, because the row is
// already in the log.

export interface OwnJournalOptions {
  readonly placement: Placement;
  readonly engine: Engine;
  /**
   * Called with the error if the journal fails to write a row, so that nothing can be applied; called with null when it
   * works again.
   */
  readonly onStall: (error: Error | null) => void;
  readonly world: Timers;
  readonly limits: Pick<SequencerLimits, "retryPauseMs">;
}

class OwnJournal {
  readonly #options: OwnJournalOptions;
  #isClosed = false;

  constructor(options: OwnJournalOptions) {
    this.#options = options;
  }

  /**
   * Retries until the row is in the journal. Resolves to undefined if the row was already applied, or after `close`.
   */
  async write({ count, node, bytes, place }: LogRow, timeMs: number): Promise<PlacedBatch | undefined> {
    const { placement, engine, world, limits, onStall } = this.#options;
    const priorSeq = engine.seq;
    for (let isStalled = false; ; ) {
      try {
        const placed = await placement.write({ count, timeMs, node, bytes }, place);
        if (isStalled) onStall(null);
        return placed;
      } catch (error) {
        const stall = new Error((error as Error).message, { cause: error });
        isStalled = true;
        onStall(stall);
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

  /** Stops retrying. */
  close(): void {
    this.#isClosed = true;
  }
}

/** The shared log and this node's position in it. */
export interface SharedOrder {
  readonly log: SharedLog;
  /** The position of the node's own journal in the log; null for the start of the epoch. */
  readonly place: LogPlace | null;
  /** 16 random hex digits per process. */
  readonly incarnation: string;
  readonly release: string;
  /** Default: no observer. */
  readonly observer?: RowObserver;
  /**
   * Called if this release cannot read a row. The node then stops following the log and rejects commands. Default: the
   * node stops.
   */
  readonly onUnreadable?: (error: UnreadableRow) => void;
}

export interface SharedPlacementOptions extends SharedOrder {
  /** Writes to this node's own journal and applies batches. */
  readonly placement: Placement;
  readonly engine: Engine;
  /** The name of this node. */
  readonly node: string;
  /**
   * Called with the error if the node's own journal fails to write a row, so that nothing can be answered; called with
   * null when it works again.
   */
  readonly onStall: (error: Error | null) => void;
  /** Called if the log can no longer be followed. */
  readonly onFatal: (error: Error) => void;
  readonly world: Clock & Timers;
  readonly limits: Pick<SequencerLimits, "retryPauseMs" | "submitTimeoutMs">;
}

/** A batch of this node whose requests are waiting for an answer. */
interface Offer {
  readonly batch: FormedBatch;
  readonly timeMs: number;
  readonly end: CommitEnd;
  readonly startMs: number;
  readonly stopPatience: Cancel;
}

/** A submitted batch of this node, which the node may still receive from the log. */
interface Submission {
  readonly id: string;
  readonly offer: Offer;
  readonly header: NodeBatch;
  /** The bytes of the batch start with the header. */
  readonly batch: Omit<FormedBatch, "leftOver">;
  /** Resolves when the outcome is known, or when the node stops waiting for it. */
  readonly over: PromiseWithResolvers<void>;
}

export class SharedPlacement implements Committer {
  readonly #options: SharedPlacementOptions;
  readonly #process: Process;
  readonly #journal: OwnJournal;
  #following: Following | undefined;
  #followed: Promise<void> = Promise.resolve();
  /** Number of batches that this process has submitted so far. */
  #number = 0;
  #offer: Offer | undefined;
  /** The last submission, which may already be over. */
  #submission: Submission | undefined;
  /** Whether a batch of this process is in the log. From then on, the node's name belongs to this process. */
  #isKnown = false;
  #isStopping = false;
  #isClosed = false;

  constructor(options: SharedPlacementOptions) {
    this.#options = options;
    const { node, incarnation, release } = options;
    this.#process = { node, incarnation, release };
    const onStall = (error: Error | null): void => this.#stall(error);
    this.#journal = new OwnJournal({ ...options, onStall });
  }

  start(): void {
    const { log, place } = this.#options;
    this.#following = log.follow(place);
    this.#followed = this.#follow(this.#following);
  }

  async commit(batch: FormedBatch, timeMs: number, end: CommitEnd): Promise<void> {
    assert(this.#offer === undefined, "one batch of ours is on its way at a time");
    const { world, limits, observer } = this.#options;
    const refusal = observer?.refusal(timeMs);
    if (refusal !== undefined) {
      end(new JournalRefused(refusal));
      return;
    }
    const late = (): void => this.#endOffer(new Error(`no answer within ${limits.submitTimeoutMs} ms`));
    const stopPatience = world.after(limits.submitTimeoutMs, late);
    this.#offer = { batch, timeMs, end, startMs: world.steadyMs(), stopPatience };
    await this.#submit(this.#offer);
  }

  /**
   * The engine only follows the log, so there is nothing to repair. But the next batch must not overtake one that is
   * still being submitted, because that one would then be skipped.
   */
  async recover(): Promise<void> {
    await this.#submission?.over.promise;
  }

  stopping(): void {
    this.#isStopping = true;
    if (this.#offer === undefined) this.#submission?.over.resolve();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#journal.close();
    this.#following?.close();
    return this.#followed;
  }

  async #submit(offer: Offer): Promise<void> {
    const { log, node, engine } = this.#options;
    const header = headerOf(this.#process, ++this.#number, engine);
    const id = batchIdOf(header);
    const batch = withHeader(header, offer.batch);
    const over = Promise.withResolvers<void>();
    const submission = { id, offer, header, batch, over };
    this.#submission = submission;
    const { bytes, commands } = batch;
    try {
      await log.submit({ id, count: commands.length, timeMs: offer.timeMs, node, bytes });
    } catch (error) {
      // The batch may have been received from the log meanwhile, or have been submitted again.
      if (this.#submission === submission && this.#offer === offer) this.#endOffer(error as Error);
    }
    over.resolve();
  }

  async #follow(following: Following): Promise<void> {
    try {
      for (;;) {
        const row = await following.next();
        if (row === undefined) return;
        await this.#place(row);
      }
    } catch (error) {
      following.close();
      this.#endOffer(error as Error);
      this.#submission?.over.resolve();
      const { onUnreadable, onFatal } = this.#options;
      if (error instanceof UnreadableRow && onUnreadable !== undefined) onUnreadable(error);
      else onFatal(error as Error);
    }
  }

  async #place(row: LogRow): Promise<void> {
    const { engine, observer } = this.#options;
    const submission = this.#submission?.id === row.id ? this.#submission : undefined;
    const [header, ...rest] = submission === undefined ? commandsOf(row) : this.#ownCommands(submission, row);
    observer?.rowComes(header);
    const refusal = engine.nodes.refusal(header);
    if (refusal === null) await this.#apply(row, [header, ...rest], submission);
    else this.#skip(header, refusal, submission);
    if (!this.#isClosed) observer?.rowIsDone(row.place, refusal === null);
  }

  #ownCommands({ header, batch }: Submission, { bytes, place }: LogRow): [NodeBatch, ...FormedBatch["commands"]] {
    const isSame = Buffer.compare(bytes, batch.bytes) === 0;
    assert(isSame, `row ${place.number} of the shared log is not what this node wrote under its name`);
    return [header, ...batch.commands.slice(1)];
  }

  async #apply(row: LogRow, commands: FormedBatch["commands"], submission: Submission | undefined): Promise<void> {
    const { placement, engine } = this.#options;
    // All nodes must get the same time, so it is derived only from data that is equal on all nodes.
    const placed = await this.#journal.write(row, Math.max(engine.timeMs, row.timeMs));
    if (this.#isClosed) return;
    // The callers may already have received an unknown outcome.
    const awaited = submission !== undefined && this.#isAwaited(submission) ? submission : undefined;
    // From here on, each caller is answered while the batch is applied, even if applying fails.
    if (awaited !== undefined) this.#takeOffer();
    if (placed !== undefined) placement.apply(placed, commands, awaited?.batch.settles ?? []);
    this.#checkName(commands[0] as NodeBatch);
    submission?.over.resolve();
    if (awaited === undefined) return;
    this.#options.observer?.returned(this.#options.world.steadyMs() - awaited.offer.startMs);
    awaited.offer.end(undefined);
  }

  /** Skips a batch. All nodes skip the same batches. */
  #skip(header: NodeBatch, refusal: string, submission: Submission | undefined): void {
    const { node, incarnation, engine } = this.#options;
    if (header.node !== node || header.incarnation !== incarnation) return;
    assert(refusal === "STALE_BATCH", `this node's batches are refused: ${refusal}`);
    submission?.over.resolve();
    if (engine.nodes.node(node)?.incarnation === incarnation) {
      // A later batch of this process came first, so no caller is waiting for this one any more.
      assert(submission === undefined || !this.#isAwaited(submission), "a batch of ours has overtaken another");
      return;
    }
    assert(!this.#isKnown, "a process that takes the name is detected by its own batch");
    // A batch of an earlier process with this name came in between, so the header names the wrong predecessor. Submit
    // the batch again.
    if (submission === undefined || !this.#isAwaited(submission)) return;
    this.#submit(submission.offer).catch((error: unknown) => this.#options.onFatal(error as Error));
  }

  /** Throws if another process uses this node's name: the two would mistake each other's batches for their own. */
  #checkName(header: NodeBatch): void {
    const { node, incarnation } = this.#options;
    if (header.node !== node) return;
    if (header.incarnation === incarnation) this.#isKnown = true;
    else if (this.#isKnown) throw nameTaken(node);
  }

  #stall(error: Error | null): void {
    this.#options.onStall(error);
    if (error !== null) this.#endOffer(error);
  }

  #isAwaited({ offer }: Submission): boolean {
    return this.#offer === offer;
  }

  #takeOffer(): Offer | undefined {
    const offer = this.#offer;
    this.#offer = undefined;
    offer?.stopPatience();
    return offer;
  }

  #endOffer(failure: Error): void {
    const offer = this.#takeOffer();
    if (this.#isStopping) this.#submission?.over.resolve();
    offer?.end(failure);
  }
}

function nameTaken(node: string): Error {
  return new NodeUnfit(`another process is running as node ${node}. Give each node a unique name`);
}
