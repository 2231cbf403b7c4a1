/**
 * The clock of a lab: whoever holds it sets the pace. docs/decisions/0046.
 *
 * `real`: the machine's pace, from wherever it stands. `scaled`: a multiple of it; where the machine is too slow for
 * that, time slips rather than hurries. `manual`: it stands until it is advanced. Scaled and manual time goes from one
 * deadline to the next, and passes none before everything that falls due there has happened.
 */
import { z } from "zod";
import { CLOCK_MODES, type ClockMode, MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { type Cancel, type Clock, NOTHING_FOLLOWS, type Timers, type World } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { Deadlines } from "./deadlines.ts";
import { UnderWay } from "./under-way.ts";

/** How a clock goes. */
export interface ClockState {
  readonly mode: ClockMode;
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Lab time in a unit of the machine's: 1 unless the mode is `scaled`. */
  readonly speed: number;
}

export interface ClockSetting {
  readonly mode: ClockMode;
  readonly speed?: number | undefined;
  /** Leaps there: what falls due on the way happens after it, once. Never back. */
  readonly nowMs?: number | undefined;
}

const SAVED = z.strictObject({
  mode: z.enum(CLOCK_MODES),
  nowMs: savedCount.max(MAX_TIME_MS),
  speed: z.number().positive(),
});

/** After so many tasks without consequences, sockets get their turn. */
const MOST_QUIET = 200;

/** A scaled clock that is further behind than this, in the machine's time, slips. */
const MOST_BEHIND_MS = 200;

/** Time does not go back but by a checkpoint. */
export class TimeGoesBack extends Error {
  override readonly name = "TimeGoesBack";
}
/** Only a manual clock is advanced. */
export class NotManual extends Error {
  override readonly name = "NotManual";
}

/** Called after each moment that the advance has passed. */
export type Reached = () => boolean;
/** Why an advance ended: what it waited for has come, its time is over, or somebody wanted it to. */
export type AdvanceEnd = "reached" | "over" | "interrupted";

const NEVER: Reached = () => false;

export interface LabClockOptions {
  /** The machine's environment, whose `nowMs` is that of a node without a lab, and where the lab saves state. */
  readonly machine: Pick<World, "nowMs" | "steadyMs" | "soon" | "after" | "saved">;
  readonly start: ClockState;
  /** Called when a task throws: a bug of ours. */
  readonly onBug: (error: unknown) => void;
}

export class LabClock implements Clock, Timers {
  readonly #machine: LabClockOptions["machine"];
  readonly #onBug: (error: unknown) => void;
  #deadlines = new Deadlines();
  readonly #underWay: UnderWay;
  /** Runs between two moments of an advance: what has waited outside comes in. */
  #betweenMoments: () => boolean = () => false;
  #mode: ClockMode;
  #speed: number;
  /** The latest time that was told. */
  #toldMs: number;
  /** Lab time minus the machine's, while the mode is `real`. */
  #offsetMs = 0;
  /** When a scaled clock was set: lab time, and the machine's steady time. */
  #from = { labMs: 0, machineMs: 0 };
  /** The advances that wait for one another. */
  #turn: Promise<unknown> = Promise.resolve();
  #isMoving = false;
  /** Counts the interruptions: an advance of before one ends. */
  #interruptions = 0;
  /** Somebody has the lab for himself, and whether he has set the time back. */
  #isAlone = false;
  #isBack = false;
  #stopTimer: Cancel = () => {};
  /** When the machine's timer fires, in lab time. */
  #timerDueMs = Number.POSITIVE_INFINITY;

  constructor({ machine, start, onBug }: LabClockOptions) {
    this.#machine = machine;
    this.#onBug = onBug;
    this.#underWay = new UnderWay(machine);
    const takeBack = (state: ClockState): void => this.#goBackTo(state);
    const { mode, nowMs, speed } = machine.saved.restore("clock", SAVED, () => ({ ...this.state }), takeBack) ?? start;
    this.#mode = mode;
    this.#speed = speed;
    this.#toldMs = nowMs;
    this.#goOnFrom(nowMs);
  }

  readonly nowMs = (): number => {
    const nowMs = this.#nowMs();
    if (nowMs > this.#toldMs) this.#toldMs = nowMs;
    return this.#toldMs;
  };

  readonly steadyMs = (): number => this.nowMs();

  readonly soon = (task: () => void): void => this.#underWay.soon(task);

  /** The moment is not over before this work is. */
  readonly during = <T>(work: Promise<T>): Promise<T> => this.#underWay.during(work);

  readonly after = (waitMs: number, task: () => void, name?: string): Cancel => {
    const cancel = this.#deadlines.set(this.nowMs() + Math.max(0, Math.ceil(waitMs)), task, name);
    this.#watch();
    return cancel;
  };

  /** At multiples of the period, so that the phase does not depend on when it was asked for. */
  readonly every = (periodMs: number, task: () => unknown, name?: string): Cancel => {
    let cancel: Cancel = () => {};
    const next = (): void => {
      const dueMs = (Math.floor(this.nowMs() / periodMs) + 1) * periodMs;
      const run = (): unknown => {
        next();
        return task();
      };
      cancel = this.#deadlines.set(dueMs, run, name);
      this.#watch();
    };
    next();
    return () => cancel();
  };

  readonly pause = (waitMs: number): Promise<void> => new Promise((resolve) => void this.after(waitMs, resolve));

  get state(): ClockState {
    return { mode: this.#mode, nowMs: this.nowMs(), speed: this.#speed };
  }

  /** When the first deadline falls due; Infinity without one. */
  get nextDueMs(): number {
    return this.#deadlines.firstDueMs;
  }

  get isManual(): boolean {
    return this.#mode === "manual";
  }

  /** A manual clock is on its way from one time to another, or somebody has the lab for himself: nobody comes in. */
  get isMoving(): boolean {
    return this.#isAlone || (this.#isMoving && this.#mode === "manual");
  }

  /**
   * Its work may set deadlines and take time to settle; it belongs to the moment that is passing. It returns whether it
   * has done anything.
   */
  onBetweenMoments(task: () => boolean): void {
    this.#betweenMoments = task;
  }

  /** Whether no work and no task of a later turn is known to be under way. */
  readonly isQuiet = (): boolean => this.#underWay.isQuiet;

  /** Resolves when nothing is under way. */
  settled(): Promise<void> {
    return this.#underWay.settled();
  }

  /** Advances under way end after the moment that is passing. Resolves when they have. */
  interrupt(): Promise<void> {
    this.#interruptions++;
    return this.#inTurn(async () => {});
  }

  /** Interrupts advances under way. Resolves to the new state when they have ended. Rejects with `TimeGoesBack`. */
  set({ mode, speed = mode === "scaled" ? this.#speed : 1, nowMs }: ClockSetting): Promise<ClockState> {
    this.#interruptions++;
    return this.#inTurn(async () => {
      const beforeMs = this.nowMs();
      if (nowMs !== undefined && nowMs < beforeMs) throw new TimeGoesBack(`it is ${new Date(beforeMs).toISOString()}`);
      this.#stopTimer();
      this.#timerDueMs = Number.POSITIVE_INFINITY;
      this.#mode = mode;
      this.#speed = speed;
      this.#toldMs = nowMs ?? beforeMs;
      this.#goOnFrom(this.#toldMs);
      if (mode === "manual") await this.#liveUntil(this.#toldMs, NEVER);
      this.#watch();
      return this.state;
    });
  }

  /**
   * Resolves when all that falls due until then has happened, moment by moment, or when `isReached` says so after a
   * moment, or when it is interrupted. Rejects with `NotManual`, `TimeGoesBack`.
   */
  advance(toMs: number | ((nowMs: number) => number), isReached: Reached = NEVER): Promise<AdvanceEnd> {
    const before = this.#interruptions;
    const isInterrupted = (): boolean => this.#interruptions !== before;
    return this.#inTurn(async () => {
      if (this.#mode !== "manual") throw new NotManual(`the clock is ${this.#mode}`);
      const untilMs = typeof toMs === "number" ? toMs : toMs(this.#toldMs);
      if (untilMs < this.#toldMs) throw new TimeGoesBack(`it is ${new Date(this.#toldMs).toISOString()}`);
      this.#isMoving = true;
      try {
        return await this.#liveUntil(untilMs, isReached, isInterrupted);
      } finally {
        this.#isMoving = false;
        this.#betweenMoments();
      }
    });
  }

  /** The clock of a lab that goes on where another has stopped. */
  notBefore(timeMs: number): void {
    if (this.nowMs() >= timeMs) return;
    this.#toldMs = timeMs;
    this.#goOnFrom(timeMs);
  }

  /** No task runs any more. */
  stop(): void {
    this.#stopTimer();
    this.#mode = "manual";
  }

  /** Runs `work` when nothing is under way. Time stands meanwhile, and nobody comes in. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.nowMs();
      this.#isAlone = true;
      this.#isMoving = true;
      this.#stopTimer();
      this.#timerDueMs = Number.POSITIVE_INFINITY;
      try {
        await this.settled();
        return await work();
      } finally {
        // Gone back, time goes on from there; else it goes on as if it had not stood.
        if (this.#isBack) this.#goOnFrom(this.#toldMs);
        this.#isBack = false;
        this.#isAlone = false;
        this.#isMoving = false;
        this.#watch();
        this.#betweenMoments();
      }
    });
  }

  /** Within `alone`: what was to fall due is forgotten. */
  #goBackTo({ mode, nowMs, speed }: ClockState): void {
    this.#deadlines = new Deadlines();
    this.#mode = mode;
    this.#speed = speed;
    this.#toldMs = nowMs;
    this.#isBack = true;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #nowMs(): number {
    // A moment has one time until it has passed.
    if (this.#isMoving) return this.#toldMs;
    switch (this.#mode) {
      case "real":
        return Math.floor(this.#machine.nowMs() + this.#offsetMs);
      case "scaled":
        // No deadline is passed before its task has run.
        return Math.min(this.#scaledMs(), this.#deadlines.firstDueMs);
      case "manual":
        return this.#toldMs;
    }
  }

  #scaledMs(): number {
    const { labMs, machineMs } = this.#from;
    return Math.floor(labMs + (this.#machine.steadyMs() - machineMs) * this.#speed);
  }

  #goOnFrom(labMs: number): void {
    this.#offsetMs = labMs - this.#machine.nowMs();
    this.#from = { labMs, machineMs: this.#machine.steadyMs() };
  }

  /** Sets the machine's timer to the first deadline. */
  #watch(): void {
    if (this.#mode === "manual" || this.#isMoving) return;
    const dueMs = this.#deadlines.firstDueMs;
    if (dueMs >= this.#timerDueMs) return;
    this.#stopTimer();
    this.#timerDueMs = dueMs;
    const waitMs = Math.max(0, (dueMs - (this.#mode === "scaled" ? this.#scaledMs() : this.nowMs())) / this.#speed);
    this.#stopTimer = this.#machine.after(Math.min(Math.ceil(waitMs), LONGEST_TIMER_MS), () => {
      this.#timerDueMs = Number.POSITIVE_INFINITY;
      if (this.#mode === "real") this.#runDue();
      else void this.#inTurn(() => this.#catchUp());
    });
  }

  #runDue(): void {
    // What falls due meanwhile waits: a task that sets its next at once must not keep sockets from their turn.
    const nowMs = this.nowMs();
    for (let one = this.#deadlines.takeUntil(nowMs); one !== undefined; one = this.#deadlines.takeUntil(nowMs)) {
      this.#run(one.task);
    }
    this.#watch();
  }

  async #catchUp(): Promise<void> {
    if (this.#mode !== "scaled") return;
    this.#isMoving = true;
    try {
      await this.#liveUntil(this.#scaledMs(), NEVER);
      const behindMs = (this.#scaledMs() - this.#toldMs) / this.#speed;
      if (behindMs > MOST_BEHIND_MS) this.#goOnFrom(this.#toldMs);
    } finally {
      this.#isMoving = false;
      this.#watch();
    }
  }

  async #liveUntil(untilMs: number, isReached: Reached, isInterrupted = NEVER): Promise<AdvanceEnd> {
    await this.settled();
    for (let quiet = 0; ; ) {
      const dueMs = this.#deadlines.firstDueMs;
      if (dueMs > untilMs) break;
      if (dueMs > this.#toldMs) {
        if (isReached()) return "reached";
        if (isInterrupted()) return "interrupted";
        this.#toldMs = dueMs;
      }
      const deadline = this.#deadlines.takeUntil(this.#toldMs);
      const isQuiet = deadline !== undefined && this.#run(deadline.task) === NOTHING_FOLLOWS;
      quiet = isQuiet && quiet < MOST_QUIET ? quiet + 1 : 0;
      if (quiet === 0) await this.settled();
      if (this.#deadlines.firstDueMs > this.#toldMs && this.#betweenMoments()) await this.settled();
    }
    if (isReached()) return "reached";
    if (untilMs > this.#toldMs && isInterrupted()) return "interrupted";
    this.#toldMs = Math.max(this.#toldMs, untilMs);
    return "over";
  }

  #run(task: () => unknown): unknown {
    try {
      return task();
    } catch (error) {
      this.#onBug(error);
      return undefined;
    }
  }
}

/** What a timer of the machine takes; the deadline is looked at again then. */
const LONGEST_TIMER_MS = 2_000_000_000;
