/**
 * Group commit: while one batch is being made durable, the next one collects commands. No timer delays a single order:
 * a batch starts as soon as nothing is in flight, with the commands that have arrived by then.
 */
import assert from "node:assert/strict";
import {
  type Command,
  type CommandType,
  encodeCommands,
  type Engine,
  type Event,
  type Entry,
  innerCommand,
} from "@pricetime/engine";
import { z } from "zod";
import { type Journal, JournalRefused } from "../port.ts";
import type { Cancel, Clock, Saves, Timers } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import {
  type Committer,
  formBatch,
  type Request,
  SEQUENCER_LIMITS,
  type SequencerLimits,
  type Settle,
  type UnreadableRow,
} from "./batch.ts";
import { Placement, type PlacedBatch } from "./placement.ts";
import {
  NotAccepted,
  type Outcome,
  OutcomeUnknown,
  type PromptSequencer,
  runBySubmit,
  type SettleNow,
} from "./port.ts";
import { SharedPlacement, type SharedOrder } from "./shared-placement.ts";

export interface GroupCommitOptions {
  readonly journal: Journal;
  /** The serving replica, at the journal's head. */
  readonly engine: Engine;
  /** The node's name, for the journal. */
  readonly node: string;
  /** The log shared by several nodes. Default: a single node. */
  readonly shared?: SharedOrder;
  /** Called once when nothing can be sequenced any more; the node must stop. */
  readonly onFatal: (error: Error) => void;
  /**
   * Called after each entry, in the state after it. Its request is settled next, so streams are published before
   * responses.
   */
  readonly onApplied?: (entry: Entry, events: readonly Event[]) => void;
  /** Called after all entries of a batch, from any node. */
  readonly onBatch?: (batch: PlacedBatch) => void;
  /** Called if an append failed, and with null after the next one that succeeded. */
  readonly onJournalTrouble?: (error: Error | null) => void;
  /** The last entry in history. Default: history keeps up. */
  readonly historySeq?: () => number;
  readonly world: Clock & Timers & Saves;
  readonly limits?: Partial<SequencerLimits>;
}

/** When the next check of due events is scheduled; null: nothing falls due. */
const SAVED = z.strictObject({ tickMs: savedCount.nullable() });

/** Commands that add to history. All others, such as cancels, are accepted however far history is behind. */
const PLACES_ORDERS: ReadonlySet<CommandType> = new Set(["placeOrder", "placeOco", "cancelReplace"]);

type State = "serving" | "recovering" | "stopping" | "dead";

export class GroupCommitSequencer implements PromptSequencer {
  readonly #options: GroupCommitOptions;
  readonly #limits: SequencerLimits;
  readonly #engine: Engine;
  readonly #world: Clock & Timers;
  readonly #committer: Committer;
  #state: State = "serving";
  #queue: Request[] = [];
  #inFlight = false;
  #scheduled = false;
  /** Whether the last append failed. */
  #isFailing = false;
  /** Reasons why commands are rejected for now, each with its explanation. */
  readonly #holds = new Map<string, string>();
  #historyIsBehind = false;
  /** No future batch has an earlier time. */
  #earliestMs = 0;
  #stopTickTimer: Cancel = () => {};
  /** The time when the timer fires; Infinity without one. */
  #tickDueMs = Number.POSITIVE_INFINITY;
  /** The clock time at which the timer fires; meaningless without one. */
  #tickMs = 0;
  /** When the first timer fires, if it continues that of a checkpoint. */
  #firstTickMs: number | null;
  /** While a tick is pending that tests whether the journal can be written again. */
  #stopRetryTimer: Cancel | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#limits = { ...SEQUENCER_LIMITS, ...options.limits };
    this.#world = options.world;
    this.#committer = this.#makeCommitter();
    const restored = options.world.saved.restore("sequencer", SAVED, () => {
      assert(this.#isIdle && this.canAppend, "commands are on their way, or cannot be journaled");
      return { tickMs: this.#tickDueMs === Number.POSITIVE_INFINITY ? null : this.#tickMs };
    });
    this.#firstTickMs = restored?.tickMs ?? null;
  }

  /**
   * To be called once, when everything that the hooks use exists: from now on, entries that were not submitted here may
   * be applied, namely batches of other nodes and ticks.
   */
  start(): void {
    this.#committer.start();
    this.#watchTime();
  }

  #makeCommitter(): Committer {
    const options = this.#options;
    const engine = this.#engine;
    const world = this.#world;
    const limits = this.#limits;
    const { journal, node, onApplied, shared } = options;
    const onBatch = (batch: PlacedBatch): void => this.#afterBatch(batch);
    const placement = new Placement({ journal, engine, node, onApplied, onBatch, world, limits });
    if (shared === undefined) return placement;
    const onStall = (error: Error | null): void => {
      options.onJournalTrouble?.(error);
      this.hold("journal", error === null ? null : "cannot write the journal");
    };
    const onFatal = (error: Error): void => this.#die(error);
    const tellUnreadable = shared.onUnreadable;
    const onUnreadable = tellUnreadable && {
      onUnreadable: (error: UnreadableRow): void => {
        this.hold("release", error.message);
        tellUnreadable(error);
      },
    };
    return new SharedPlacement({
      ...shared,
      ...onUnreadable,
      placement,
      engine,
      node,
      onStall,
      onFatal,
      world,
      limits,
    });
  }

  /** Commands that wait for their batch. */
  get queued(): number {
    return this.#queue.length;
  }

  get maxHistoryLagEntries(): number {
    return this.#limits.maxHistoryLagEntries;
  }

  /** False from a failed append until one succeeds, and permanently after a stop. */
  get canAppend(): boolean {
    return this.#state === "serving" && !this.#isFailing && this.#holds.size === 0;
  }

  /** Why commands are rejected for now, by reason; see `hold`. */
  get heldBy(): ReadonlyMap<string, string> {
    return this.#holds;
  }

  nowMs(): number {
    return Math.max(this.#earliestMs, this.#engine.timeMs, this.#world.nowMs());
  }

  /** A time that no future entry precedes. In a cluster, no clock guarantees that. */
  settledMs(): number {
    if (this.#options.shared !== undefined) return this.#engine.timeMs;
    if (!this.#inFlight) this.#earliestMs = this.nowMs();
    return Math.max(this.#earliestMs, this.#engine.timeMs);
  }

  /**
   * Rejects new and waiting commands until the same reason is withdrawn (null). `why` is reported to callers. Batches
   * of other nodes are still applied.
   */
  hold(reason: string, why: string | null): void {
    if (why !== null) {
      this.#holds.set(reason, why);
      this.#refuseQueue(why);
    } else if (this.#holds.delete(reason) && this.#holds.size === 0) {
      this.#retry();
      // A tick that was due meanwhile was rejected.
      this.#watchTime();
    }
  }

  submit(command: Command, settle: Settle): void {
    const refusal = this.#refusal(command);
    if (refusal !== undefined) {
      settle(new NotAccepted(refusal));
      return;
    }
    this.#queue.push({ command, settle });
    this.#schedule();
  }

  run(command: Command): Promise<Outcome> {
    return runBySubmit(this, command);
  }

  get #isIdle(): boolean {
    return !this.#inFlight && !this.#scheduled && this.#queue.length === 0;
  }

  get canSubmitNow(): boolean {
    return this.#committer.commitNow !== undefined && this.#isIdle && this.canAppend && !this.#historyIsBehind;
  }

  submitNow(commands: readonly Command[], settle: SettleNow): boolean {
    const { commitNow } = this.#committer;
    if (commitNow === undefined || !this.canSubmitNow) return false;
    if (commands.length > this.#limits.maxBatchCommands) return false;
    const bytes = bytesOf(commands);
    if (bytes === undefined || bytes.length > this.#limits.maxBatchBytes) return false;
    this.#inFlight = true;
    this.#earliestMs = this.nowMs();
    try {
      const failure = commitNow({ bytes, commands, settle }, this.#earliestMs);
      if (failure === undefined) this.#committed();
      else
        this.#fail(
          commands.map((_, index) => (outcome) => settle(outcome, index)),
          failure,
        );
    } catch (error) {
      this.#die(error as Error);
      throw error;
    }
    return true;
  }

  /** Accepts no more commands; resolves when the accepted ones are finished. */
  async stop(): Promise<void> {
    if (this.#state !== "dead") this.#state = "stopping";
    this.#stopTickTimer();
    this.#stopRetryTimer?.();
    this.#committer.stopping();
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
      this.#finishStop();
    });
    await this.#committer.close();
  }

  #refusal(command: Command): string | undefined {
    if (this.#state !== "serving") return `the sequencer is ${this.#state}`;
    if (this.#holds.size > 0) return this.#holds.values().next().value;
    if (this.#queue.length >= this.#limits.maxQueuedCommands) return "too many commands wait";
    if (this.#historyIsBehind && PLACES_ORDERS.has(innerCommand(command).type)) {
      this.#historyIsBehind = this.#measureLag();
      if (this.#historyIsBehind) return "history is too far behind";
    }
    return undefined;
  }

  #measureLag(): boolean {
    const { historySeq } = this.#options;
    return historySeq !== undefined && this.#engine.seq - historySeq() > this.#limits.maxHistoryLagEntries;
  }

  /** Schedules at the end of this turn of the event loop, so that all commands that arrived in it form one batch. */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight) return;
    this.#scheduled = true;
    this.#world.soon(() => {
      this.#scheduled = false;
      this.#appendNext();
    });
  }

  #appendNext(): void {
    if (this.#inFlight || this.#queue.length === 0) {
      this.#finishStop();
      return;
    }
    const requests = this.#queue.splice(0, this.#limits.maxBatchCommands);
    const { shared } = this.#options;
    const { maxBatchBytes, maxSharedBatchBytes } = this.#limits;
    const batch = formBatch(requests, shared === undefined ? maxBatchBytes : maxSharedBatchBytes);
    if (batch.leftOver.length > 0) this.#queue = [...batch.leftOver, ...this.#queue];
    if (batch.commands.length === 0) {
      this.#schedule();
      return;
    }
    this.#inFlight = true;
    const timeMs = this.nowMs();
    // In a cluster, a batch may be rejected for its time, which then has no effect.
    if (shared === undefined) this.#earliestMs = timeMs;
    const end = (failure: Error | undefined): void => {
      if (failure === undefined) this.#committed();
      else this.#fail(batch.settles, failure);
    };
    this.#committer.commit(batch, timeMs, end).catch((error: unknown) => this.#die(error as Error));
  }

  /** The batch's requests were answered in this turn. */
  #committed(): void {
    if (this.#isFailing) this.#options.onJournalTrouble?.(null);
    this.#isFailing = false;
    this.#inFlight = false;
    // Starts now, so that the journal writes while the responses of this batch are sent.
    this.#appendNext();
  }

  /** Handles a batch of this node or another. */
  #afterBatch(batch: PlacedBatch): void {
    this.#options.onBatch?.(batch);
    this.#historyIsBehind = this.#measureLag();
    this.#watchTime();
  }

  #fail(settles: readonly Settle[], error: Error): void {
    const answer = error instanceof JournalRefused ? new NotAccepted(error.message) : new OutcomeUnknown(error.message);
    for (const settle of settles) settle(answer);
    this.#isFailing = true;
    this.#options.onJournalTrouble?.(error);
    if (this.#state === "serving") this.#state = "recovering";
    this.#refuseQueue("the journal failed");
    this.#committer.recover(error).then(
      () => this.#afterRecovery(),
      (fatal: unknown) => this.#die(fatal as Error),
    );
  }

  #afterRecovery(): void {
    this.#inFlight = false;
    if (this.#state === "recovering") this.#state = "serving";
    this.#watchTime();
    this.#stopRetryTimer ??= this.#world.after(this.#limits.retryPauseMs, () => this.#retry(), "sequencer: retry");
    this.#finishStop();
  }

  #retry(): void {
    this.#stopRetryTimer?.();
    this.#stopRetryTimer = undefined;
    if (this.#isFailing && this.#state === "serving") this.submit({ type: "tick" }, () => {});
  }

  /** Stops everything on a bug of ours, or if the journal is lost: nothing may be applied or answered any more. */
  #die(error: Error): void {
    if (this.#state === "dead") return;
    this.#state = "dead";
    this.#stopTickTimer();
    this.#refuseQueue("the node is stopping");
    void this.#committer.close();
    this.#options.onFatal(error);
    this.#finishStop();
  }

  #refuseQueue(why: string): void {
    for (const { settle } of this.#queue.splice(0)) settle(new NotAccepted(why));
  }

  #finishStop(): void {
    const isIdle = !this.#inFlight && this.#queue.length === 0;
    if (this.#state === "dead" || (this.#state === "stopping" && isIdle)) this.#onDrained?.();
  }

  /** Schedules a tick for the next time-based event. */
  #watchTime(): void {
    const dueMs = this.#engine.nextDueMs();
    if (dueMs === this.#tickDueMs || this.#state !== "serving") return;
    this.#stopTickTimer();
    this.#tickDueMs = dueMs;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const { tickSpacingMs, clockCheckMs } = this.#limits;
    const nowMs = this.#world.nowMs();
    const ownMs = nowMs + Math.min(Math.max(dueMs - nowMs, tickSpacingMs), clockCheckMs);
    // Never later than the next check of the clock, whatever a checkpoint contains.
    this.#tickMs = Math.min(this.#firstTickMs ?? ownMs, nowMs + clockCheckMs);
    this.#firstTickMs = null;
    const waitMs = Math.max(0, this.#tickMs - nowMs);
    this.#stopTickTimer = this.#world.after(waitMs, () => this.#tick(), "sequencer: tick");
  }

  #tick(): void {
    this.#tickDueMs = Number.POSITIVE_INFINITY;
    if (this.#engine.nextDueMs() > this.nowMs()) this.#watchTime();
    else this.submit({ type: "tick" }, () => {});
  }
}

/** Undefined if a command cannot be encoded; `submit` then finds out which. */
function bytesOf(commands: readonly Command[]): Uint8Array | undefined {
  try {
    return encodeCommands(commands);
  } catch {
    return undefined;
  }
}
