/**
 * Group commit: while one batch is being made durable, commands are collected for the next one. No timer delays a
 * single order: a batch starts as soon as no other is in flight, with the commands that have arrived by then.
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
  WaitedTooLong,
} from "./port.ts";
import { SharedPlacement, type SharedOrder } from "./shared-placement.ts";

export interface GroupCommitOptions {
  readonly journal: Journal;
  /** The replica that serves requests. Its state is that at the journal's head. */
  readonly engine: Engine;
  /** The node's name, which is written to the journal. */
  readonly node: string;
  /** The log that several nodes share. If absent, the node is a single node. */
  readonly shared?: SharedOrder;
  /** Called once when nothing can be sequenced any more. The node must stop. */
  readonly onFatal: (error: Error) => void;
  /**
   * Called after each entry, with the engine in the state after it. The entry's request is settled next, so stream
   * messages are published before responses.
   */
  readonly onApplied?: (entry: Entry, events: readonly Event[]) => void;
  /** Called after all entries of a batch were applied. The batch may be from any node. */
  readonly onBatch?: (batch: PlacedBatch) => void;
  /** Called with the error if an append failed, and with null after the next one that succeeded. */
  readonly onJournalTrouble?: (error: Error | null) => void;
  /** Returns the last entry in history. If absent, history is assumed to keep up. */
  readonly historySeq?: () => number;
  readonly world: Clock & Timers & Saves;
  readonly limits?: Partial<SequencerLimits>;
}

/** The scheduled time of the next check for due events; null if nothing is scheduled. */
const SAVED = z.strictObject({ tickMs: savedCount.nullable() });

/**
 * Commands that add to history. All other commands, such as cancellations, are accepted no matter how far history is
 * behind.
 */
const PLACES_ORDERS: ReadonlySet<CommandType> = new Set(["placeOrder", "placeOco", "placeOto", "cancelReplace"]);

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
  /** Reasons why commands are currently rejected, each with its explanation. */
  readonly #holds = new Map<string, string>();
  #historyIsBehind = false;
  /** The time before which no future batch can be. */
  #earliestMs = 0;
  #stopTickTimer: Cancel = () => {};
  /** The due time of the event that the timer waits for; Infinity if there is no timer. */
  #tickDueMs = Number.POSITIVE_INFINITY;
  /** The clock time at which the timer fires; valid only if there is a timer. */
  #tickMs = 0;
  /** The time at which the first timer fires, if it continues the timer of a checkpoint. */
  #firstTickMs: number | null;
  /** Cancels the pending tick that tests whether the journal can be written again; undefined if none is pending. */
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
   * Must be called once, when everything that the hooks use exists. From then on, entries that were not submitted here
   * may be applied: batches of other nodes, and ticks.
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

  /** Number of commands that wait for their batch. */
  get queued(): number {
    return this.#queue.length;
  }

  get maxHistoryLagEntries(): number {
    return this.#limits.maxHistoryLagEntries;
  }

  /**
   * Whether the journal accepts batches. False from a failed append until one succeeds, while commands are held, and
   * permanently after a stop.
   */
  get canAppend(): boolean {
    return this.#state === "serving" && !this.#isFailing && this.#holds.size === 0;
  }

  /** Why commands are currently rejected, by reason; see `hold`. */
  get heldBy(): ReadonlyMap<string, string> {
    return this.#holds;
  }

  nowMs(): number {
    return Math.max(this.#earliestMs, this.#engine.timeMs, this.#world.nowMs());
  }

  /**
   * The time before which no future entry can be. In a cluster, this is the time of the last entry, because no clock
   * guarantees a later one.
   */
  settledMs(): number {
    if (this.#options.shared !== undefined) return this.#engine.timeMs;
    if (!this.#inFlight) this.#earliestMs = this.nowMs();
    return Math.max(this.#earliestMs, this.#engine.timeMs);
  }

  /**
   * Rejects new and waiting commands until `hold` is called with the same reason and null. `why` is reported to
   * callers. Batches of other nodes are still applied.
   */
  hold(reason: string, why: string | null): void {
    if (why !== null) {
      this.#holds.set(reason, why);
      this.#refuseQueue(why);
    } else if (this.#holds.delete(reason) && this.#holds.size === 0) {
      this.#retry();
      // If a tick was due meanwhile, it was rejected, so schedule a new one.
      this.#watchTime();
    }
  }

  submit(command: Command, settle: Settle, untilMs?: number): void {
    const refusal = this.#refusal(command);
    if (refusal !== undefined) {
      settle(new NotAccepted(refusal));
      return;
    }
    this.#queue.push({ command, settle, untilMs });
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

  /** Stops accepting commands. Resolves when the accepted ones are finished. */
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

  /**
   * Schedules a batch at the end of this turn of the event loop, so that it includes all commands that arrive in the
   * turn.
   */
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
    const requests = this.#withoutLate(this.#queue.splice(0, this.#limits.maxBatchCommands));
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
    // In a cluster, a batch may be rejected because of its time. The time must then have no effect.
    if (shared === undefined) this.#earliestMs = timeMs;
    const end = (failure: Error | undefined): void => {
      if (failure === undefined) this.#committed();
      else this.#fail(batch.settles, failure);
    };
    this.#committer.commit(batch, timeMs, end).catch((error: unknown) => this.#die(error as Error));
  }

  /** Rejects the requests that waited too long. */
  #withoutLate(requests: Request[]): Request[] {
    const nowMs = this.nowMs();
    const isLate = ({ untilMs }: Request): boolean => untilMs !== undefined && untilMs < nowMs;
    if (!requests.some(isLate)) return requests;
    for (const { settle } of requests.filter(isLate)) settle(new WaitedTooLong("the request waited too long"));
    return requests.filter((request) => !isLate(request));
  }

  /** Called in the turn in which the requests of the batch were answered. */
  #committed(): void {
    if (this.#isFailing) this.#options.onJournalTrouble?.(null);
    this.#isFailing = false;
    this.#inFlight = false;
    // Start the next batch now, so that the journal writes it while the responses of this batch are sent.
    this.#appendNext();
  }

  /** Called after each batch, from this node or another. */
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

  /**
   * Stops everything on an internal error (a bug), or if the journal is lost. Afterwards, nothing may be applied or
   * answered.
   */
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
    // A checkpoint must not delay the timer beyond the next check of the clock.
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

/** Encodes the commands. Returns undefined if one of them cannot be encoded; `submit` then determines which. */
function bytesOf(commands: readonly Command[]): Uint8Array | undefined {
  try {
    return encodeCommands(commands);
  } catch {
    return undefined;
  }
}
