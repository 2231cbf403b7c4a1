/**
 * Group commit: while one batch is being made durable the next one collects. No timer delays a lone
 * order: a batch starts as soon as nothing is in flight, with whatever has arrived by then.
 */
import assert from "node:assert/strict";
import { type Command, type CommandType, type Engine, type Event, type Entry, decodeCommands } from "@pricetime/engine";
import { type Journal, type JournalHead, JournalRefused } from "../journal/port.ts";
import type { Cancel, Clock, Timers } from "../world/port.ts";
import { formBatch, type FormedBatch, type Request, type Settle } from "./form-batch.ts";
import { SEQUENCER_LIMITS, type SequencerLimits } from "./limits.ts";
import { NotAccepted, type Outcome, OutcomeUnknown, type Sequencer } from "./port.ts";

export interface AppliedBatch {
  readonly firstSeq: number;
  readonly count: number;
  readonly timeMs: number;
  /** How long the journal took to make it durable. */
  readonly appendMs: number;
}

export interface GroupCommitOptions {
  readonly journal: Journal;
  /** The serving replica, at the journal's head. */
  readonly engine: Engine;
  /** The node's name, for the journal. */
  readonly node: string;
  /** Nothing can be sequenced any more; the node must stop. Called once. */
  readonly onFatal: (error: Error) => void;
  /** After each entry, while the engine stands at it; its request is settled next, so that streams are not behind answers. */
  readonly onApplied?: (entry: Entry, events: readonly Event[]) => void;
  /** After all entries of a batch. */
  readonly onBatch?: (batch: AppliedBatch) => void;
  /** An append failed, or (null) the first one since then did not. */
  readonly onJournalTrouble?: (error: Error | null) => void;
  /** The last entry that history holds. Default: history keeps up. */
  readonly historySeq?: () => number;
  readonly world: Clock & Timers;
  readonly limits?: Partial<SequencerLimits>;
}

/** What makes history longer; everything else, cancels among it, is taken however far history is behind. */
const PLACES_ORDERS: ReadonlySet<CommandType> = new Set(["placeOrder", "placeOco", "cancelReplace"]);

type State = "serving" | "recovering" | "stopping" | "dead";

export class GroupCommitSequencer implements Sequencer {
  private readonly options: GroupCommitOptions;
  private readonly limits: SequencerLimits;
  private readonly engine: Engine;
  private readonly world: Clock & Timers;
  private state: State = "serving";
  private queue: Request[] = [];
  private inFlight = false;
  private scheduled = false;
  /** The last append failed. */
  private isFailing = false;
  private historyIsBehind = false;
  private lastTimeMs: number;
  private stopTickTimer: Cancel = () => {};
  /** When the timer goes off; Infinity without one. */
  private tickDueMs = Number.POSITIVE_INFINITY;
  private onDrained: (() => void) | undefined;

  constructor(options: GroupCommitOptions) {
    this.options = options;
    this.engine = options.engine;
    this.limits = { ...SEQUENCER_LIMITS, ...options.limits };
    this.world = options.world;
    this.lastTimeMs = options.engine.timeMs;
    this.watchTime();
  }

  /** Commands that wait for their batch. */
  get queued(): number {
    return this.queue.length;
  }

  /** False from a failed append until one succeeds, and for good once it stopped. */
  get canAppend(): boolean {
    return this.state === "serving" && !this.isFailing;
  }

  nowMs(): number {
    return Math.max(this.lastTimeMs, this.world.nowMs());
  }

  /** No entry that is yet to be applied is earlier. */
  settledMs(): number {
    if (!this.inFlight) this.lastTimeMs = this.nowMs();
    return this.lastTimeMs;
  }

  submit(command: Command, settle: Settle): void {
    const refusal = this.refusal(command);
    if (refusal !== undefined) {
      settle(new NotAccepted(refusal));
      return;
    }
    this.queue.push({ command, settle });
    this.schedule();
  }

  run(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.submit(command, (outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  /** Takes nothing more, finishes what was taken, and then resolves. */
  stop(): Promise<void> {
    if (this.state !== "dead") this.state = "stopping";
    this.stopTickTimer();
    return new Promise((resolve) => {
      this.onDrained = resolve;
      this.finishStop();
    });
  }

  private refusal(command: Command): string | undefined {
    if (this.state !== "serving") return `the sequencer is ${this.state}`;
    if (this.queue.length >= this.limits.maxQueuedCommands) return "too many commands wait";
    if (this.historyIsBehind && PLACES_ORDERS.has(command.type)) {
      this.historyIsBehind = this.measureLag();
      if (this.historyIsBehind) return "history is too far behind";
    }
    return undefined;
  }

  private measureLag(): boolean {
    const { historySeq } = this.options;
    return historySeq !== undefined && this.engine.seq - historySeq() > this.limits.maxHistoryLagEntries;
  }

  /** At the end of this turn of the event loop, so that all that has arrived in it goes together. */
  private schedule(): void {
    if (this.scheduled || this.inFlight) return;
    this.scheduled = true;
    this.world.soon(() => {
      this.scheduled = false;
      this.appendNext();
    });
  }

  private appendNext(): void {
    if (this.inFlight || this.queue.length === 0) {
      this.finishStop();
      return;
    }
    const requests = this.queue.splice(0, this.limits.maxBatchCommands);
    const batch = formBatch(requests, this.limits.maxBatchBytes);
    if (batch.leftOver.length > 0) this.queue = [...batch.leftOver, ...this.queue];
    if (batch.commands.length === 0) {
      this.schedule();
      return;
    }
    this.inFlight = true;
    this.append(batch).catch((error: unknown) => this.die(error as Error));
  }

  private async append(batch: FormedBatch): Promise<void> {
    const { engine } = this;
    const firstSeq = engine.seq + 1;
    const timeMs = this.nowMs();
    this.lastTimeMs = timeMs;
    const startMs = this.world.steadyMs();
    try {
      await this.options.journal.append({
        firstSeq,
        count: batch.commands.length,
        timeMs,
        node: this.options.node,
        bytes: batch.bytes,
        priorEventDigest: engine.eventDigest(),
      });
    } catch (error) {
      this.fail(batch.settles, error as Error);
      return;
    }
    const appendMs = this.world.steadyMs() - startMs;
    if (this.isFailing) this.options.onJournalTrouble?.(null);
    this.isFailing = false;
    this.apply(firstSeq, timeMs, batch.commands, batch.settles);
    this.inFlight = false;
    this.afterBatch({ firstSeq, count: batch.commands.length, timeMs, appendMs });
  }

  /** All entries of a durable batch in one turn; each is answered right after it was applied. */
  private apply(firstSeq: number, timeMs: number, commands: readonly Command[], settles: readonly Settle[]): void {
    const { engine } = this;
    const { onApplied } = this.options;
    let answered = 0;
    try {
      for (const command of commands) {
        const entry = { seq: firstSeq + answered, timeMs, command };
        const events = engine.apply(entry);
        onApplied?.(entry, events);
        settles[answered++]?.({ seq: entry.seq, timeMs, events });
      }
    } catch (error) {
      for (const settle of settles.slice(answered)) settle(new OutcomeUnknown((error as Error).message));
      throw error;
    }
  }

  private afterBatch(batch: AppliedBatch): void {
    this.options.onBatch?.(batch);
    this.historyIsBehind = this.measureLag();
    this.watchTime();
    // At once: the journal writes while the answers to this batch go out.
    this.appendNext();
  }

  private fail(settles: readonly Settle[], error: Error): void {
    const answer = error instanceof JournalRefused ? new NotAccepted(error.message) : new OutcomeUnknown(error.message);
    for (const settle of settles) settle(answer);
    this.isFailing = true;
    this.options.onJournalTrouble?.(error);
    if (this.state === "serving") this.state = "recovering";
    this.refuseQueue("the journal failed");
    this.recover(error).then(
      () => this.afterRecovery(),
      (fatal: unknown) => this.die(fatal as Error),
    );
  }

  /** Brings the engine to the journal's head, whatever that is after a failed append. Rejects when it cannot be known. */
  private async recover(cause: Error): Promise<void> {
    const head = await this.headAgain(cause);
    assert(head.lastSeq >= this.engine.seq, "the journal has lost entries");
    if (head.lastSeq > this.engine.seq) await this.catchUp();
    this.lastTimeMs = Math.max(this.lastTimeMs, head.lastTimeMs);
  }

  private async headAgain(cause: Error): Promise<JournalHead> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.options.journal.head();
      } catch (error) {
        if (attempt === this.limits.recoveryAttempts) {
          throw new Error(`the journal failed (${cause.message}) and cannot be read`, { cause: error });
        }
      }
      await this.world.pause(this.limits.recoveryPauseMs);
    }
  }

  private async catchUp(): Promise<void> {
    for await (const batch of this.options.journal.read(this.engine.seq + 1)) {
      assert.equal(batch.firstSeq, this.engine.seq + 1, "the journal holds what this node did not write");
      assert.equal(batch.priorEventDigest, this.engine.eventDigest(), "the journal was written from another state");
      this.apply(batch.firstSeq, batch.timeMs, decodeCommands(batch.bytes, batch.count), []);
      this.options.onBatch?.({ firstSeq: batch.firstSeq, count: batch.count, timeMs: batch.timeMs, appendMs: 0 });
    }
  }

  private afterRecovery(): void {
    this.inFlight = false;
    if (this.state === "recovering") this.state = "serving";
    this.watchTime();
    this.world.after(this.limits.retryPauseMs, () => this.retry());
    this.finishStop();
  }

  private retry(): void {
    if (this.isFailing && this.state === "serving") this.submit({ type: "tick" }, () => {});
  }

  /** Our own bug, or a journal that is gone: nothing may be applied or answered any more. */
  private die(error: Error): void {
    if (this.state === "dead") return;
    this.state = "dead";
    this.stopTickTimer();
    this.refuseQueue("the node is stopping");
    this.options.onFatal(error);
    this.finishStop();
  }

  private refuseQueue(why: string): void {
    for (const { settle } of this.queue.splice(0)) settle(new NotAccepted(why));
  }

  private finishStop(): void {
    const isIdle = !this.inFlight && this.queue.length === 0;
    if (this.state === "dead" || (this.state === "stopping" && isIdle)) this.onDrained?.();
  }

  /** Sees to it that a tick is appended when something falls due by time alone. */
  private watchTime(): void {
    const dueMs = this.engine.nextDueMs();
    if (dueMs === this.tickDueMs || this.state !== "serving") return;
    this.stopTickTimer();
    this.tickDueMs = dueMs;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const { tickSpacingMs, clockCheckMs } = this.limits;
    const waitMs = Math.min(Math.max(dueMs - this.world.nowMs(), tickSpacingMs), clockCheckMs);
    this.stopTickTimer = this.world.after(waitMs, () => this.tick());
  }

  private tick(): void {
    this.tickDueMs = Number.POSITIVE_INFINITY;
    if (this.engine.nextDueMs() > this.nowMs()) this.watchTime();
    else this.submit({ type: "tick" }, () => {});
  }
}
