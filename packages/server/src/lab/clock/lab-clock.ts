/**
 * The clock of a lab. docs/decisions/0046.
 *
 * `real` follows the machine's clock, with an offset. `scaled` runs at a multiple of it; if the machine is too slow,
 * time falls behind instead of catching up. `manual` stands still until it is advanced. Scaled and manual time jump
 * from one deadline to the next, and do not pass a deadline before all its tasks have run.
 */
import { Rejection } from "../../people/http/answer.ts";
import { z } from "zod";
import { CLOCK_MODES, type ClockMode, MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { type Cancel, type Clock, NOTHING_FOLLOWS, type Timers, type World } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { Deadlines } from "./deadlines.ts";
import { UnderWay } from "./under-way.ts";

export interface ClockState {
  readonly mode: ClockMode;
  /** The current lab time in milliseconds since 1970. */
  readonly nowMs: number;
  /** The speed relative to machine time: 1 unless the mode is `scaled`. */
  readonly speed: number;
}

export interface ClockSetting {
  readonly mode: ClockMode;
  readonly speed?: number | undefined;
  /** The time to jump to; everything due before it runs once, after the jump. It cannot be before the current time. */
  readonly nowMs?: number | undefined;
}

const SAVED = z.strictObject({
  mode: z.enum(CLOCK_MODES),
  nowMs: savedCount.max(MAX_TIME_MS),
  speed: z.number().positive(),
});

/** After this many consecutive tasks without follow-up work, sockets get a turn. */
const MOST_QUIET = 200;

/** A scaled clock that is behind by more than this machine time stops catching up. */
const MOST_BEHIND_MS = 200;

/** A clock cannot be set to an earlier time. Only a restore can move it backwards. */
export class TimeGoesBack extends Rejection {
  constructor(nowMs: number) {
    const now = new Date(nowMs).toISOString();
    super(409, "TIME_GOES_BACK", `Time goes back only when a checkpoint is restored: it is ${now}.`);
  }
}
/** The clock cannot be advanced, because its mode is not manual. */
export class NotManual extends Rejection {
  constructor() {
    super(409, "NOT_MANUAL", "The clock runs on its own: set its mode to manual first.");
  }
}

/** Called after each instant of an advance. Returns true to end the advance. */
export type Reached = () => boolean;
/** Why an advance ended: its condition was met, its time elapsed, or a client ended it. */
export type AdvanceEnd = "reached" | "over" | "interrupted";

const NEVER: Reached = () => false;

export interface LabClockOptions {
  /** The machine's time, timers, and registry of saved state. */
  readonly machine: Pick<World, "nowMs" | "steadyMs" | "soon" | "after" | "saved">;
  readonly start: ClockState;
  /** Called when a task throws, which is a bug. */
  readonly onBug: (error: unknown) => void;
}

export class LabClock implements Clock, Timers {
  readonly #machine: LabClockOptions["machine"];
  readonly #onBug: (error: unknown) => void;
  #deadlines = new Deadlines();
  readonly #underWay: UnderWay;
  /** Runs between two instants of an advance and admits waiting requests. */
  #betweenMoments: () => boolean = () => false;
  #mode: ClockMode;
  #speed: number;
  /** The latest time that was returned; time never decreases. */
  #toldMs: number;
  /** Lab time minus machine time, in `real` mode. */
  #offsetMs = 0;
  /** The lab time and the machine's steady time at which a scaled clock was last set. */
  #from = { labMs: 0, machineMs: 0 };
  /** The last of the queued advances and changes of settings. */
  #turn: Promise<unknown> = Promise.resolve();
  #isMoving = false;
  /** Counts interruptions: an advance ends if the count has changed since it began. */
  #interruptions = 0;
  /** `#isAlone`: a call of `alone` is running. `#isBack`: a restore has set the time. */
  #isAlone = false;
  #isBack = false;
  #stopTimer: Cancel = () => {};
  /** The lab time at which the machine's timer fires. */
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

  /** Keeps the current instant from ending until `work` has finished. */
  readonly during = <T>(work: Promise<T>): Promise<T> => this.#underWay.during(work);

  readonly after = (waitMs: number, task: () => void, name?: string): Cancel => {
    const cancel = this.#deadlines.set(this.nowMs() + Math.max(0, Math.ceil(waitMs)), task, name);
    this.#watch();
    return cancel;
  };

  /** Runs the task at multiples of the period, so that the phase does not depend on the time of the call. */
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

  /** The time of the first deadline; Infinity if there is none. */
  get nextDueMs(): number {
    return this.#deadlines.firstDueMs;
  }

  get isManual(): boolean {
    return this.#mode === "manual";
  }

  /** Whether a manual clock is advancing, or `alone` is running. Requests then wait. */
  get isMoving(): boolean {
    return this.#isAlone || (this.#isMoving && this.#mode === "manual");
  }

  /**
   * Registers a task that runs as part of an instant that is ending. The task may set deadlines and start work that
   * must finish. It returns whether it did anything.
   */
  onBetweenMoments(task: () => boolean): void {
    this.#betweenMoments = task;
  }

  /** Whether no work and no task of a later turn is pending, as far as the lab can detect. */
  readonly isQuiet = (): boolean => this.#underWay.isQuiet;

  /** Resolves when no work is pending. */
  settled(): Promise<void> {
    return this.#underWay.settled();
  }

  /** Ends running advances after the current instant. Resolves when they have ended. */
  interrupt(): Promise<void> {
    this.#interruptions++;
    return this.#inTurn(async () => {});
  }

  /** Interrupts running advances. Resolves to the new state when they have ended. Rejects with `TimeGoesBack`. */
  set({ mode, speed = mode === "scaled" ? this.#speed : 1, nowMs }: ClockSetting): Promise<ClockState> {
    this.#interruptions++;
    return this.#inTurn(async () => {
      const beforeMs = this.nowMs();
      if (nowMs !== undefined && nowMs < beforeMs) throw new TimeGoesBack(beforeMs);
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
   * Resolves when everything due by `toMs` has run, instant by instant, or earlier if `isReached` returns true after an
   * instant or the advance is interrupted. Rejects with `NotManual` or `TimeGoesBack`.
   */
  advance(toMs: number | ((nowMs: number) => number), isReached: Reached = NEVER): Promise<AdvanceEnd> {
    const before = this.#interruptions;
    const isInterrupted = (): boolean => this.#interruptions !== before;
    return this.#inTurn(async () => {
      if (this.#mode !== "manual") throw new NotManual();
      const untilMs = typeof toMs === "number" ? toMs : toMs(this.#toldMs);
      if (untilMs < this.#toldMs) throw new TimeGoesBack(this.#toldMs);
      this.#isMoving = true;
      try {
        return await this.#liveUntil(untilMs, isReached, isInterrupted);
      } finally {
        this.#isMoving = false;
        this.#betweenMoments();
      }
    });
  }

  /** Called when a lab resumes from a stored journal: lab time must not be before `timeMs`. */
  notBefore(timeMs: number): void {
    if (this.nowMs() >= timeMs) return;
    this.#toldMs = timeMs;
    this.#goOnFrom(timeMs);
  }

  /** Stops the clock; no task runs afterwards. */
  stop(): void {
    this.#stopTimer();
    this.#mode = "manual";
  }

  /** Runs `work` when no other work is pending. Time stands still and requests wait until it has finished. */
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
        // After a restore, time continues from the restored time; otherwise as if it had not been stopped.
        if (this.#isBack) this.#goOnFrom(this.#toldMs);
        this.#isBack = false;
        this.#isAlone = false;
        this.#isMoving = false;
        this.#watch();
        this.#betweenMoments();
      }
    });
  }

  /** Called within `alone`. Discards all pending deadlines. */
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
    // Time does not change within an instant.
    if (this.#isMoving) return this.#toldMs;
    switch (this.#mode) {
      case "real":
        return Math.floor(this.#machine.nowMs() + this.#offsetMs);
      case "scaled":
        // Time does not pass a deadline before its task has run.
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
    // Tasks that become due during this loop wait, so that a task that reschedules itself does not starve sockets.
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

/** The longest wait that the machine's timers support; afterwards the deadline is checked again. */
const LONGEST_TIMER_MS = 2_000_000_000;
