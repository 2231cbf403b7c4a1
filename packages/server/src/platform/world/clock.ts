/**
 * The node's clock: the wall clock, checked against one that does not leap. It does not follow a leap: time continues
 * by the steady clock, and an operator is warned. docs/decisions/0019.
 */
import type { Cancel, MachineClocks, Timers } from "./port.ts";
import type { Metrics } from "../observe/metrics.ts";

/** Bounds of the node's clock. */
interface ClockLimits {
  /** The largest step of the wall clock that is trusted. Disciplined clocks are stepped by a second or two. */
  readonly maxLeapMs: number;
  /** How often an idle node checks. */
  readonly checkEveryMs: number;
  /** A leap that lasts longer makes the node unready. */
  readonly lastingMs: number;
  /** Shortest sleep that the coarse uptime can show. */
  readonly leastSleepMs: number;
  /** The largest relative difference in pace: the most that kernels slew by. */
  readonly maxSlew: number;
}

export const CLOCK_LIMITS: ClockLimits = {
  maxLeapMs: 10_000,
  checkEveryMs: 1_000,
  lastingMs: 10 * 60_000,
  leastSleepMs: 2_500,
  maxSlew: 0.0005,
};

export interface GuardedClockOptions {
  readonly clocks: MachineClocks;
  readonly timers: Timers;
  readonly limits?: Partial<ClockLimits>;
  /** The wall clock has leapt ahead by `aheadMs` (negative: back), or is right again (null). */
  readonly onLeap?: (aheadMs: number | null) => void;
}

export class GuardedClock {
  readonly #clocks: MachineClocks;
  readonly #timers: Timers;
  readonly #limits: ClockLimits;
  readonly #onLeap: (aheadMs: number | null) => void;
  /** Wall clock minus steady clock, as of the last time that the wall clock was trusted. */
  #offsetMs: number;
  /** Uptime minus steady clock, as last read: it grows while the machine sleeps. */
  #sleptMs: number;
  /** The offset at that reading. */
  #offsetThenMs: number;
  /** Steady time at the last look at the uptime. */
  #lookedMs = 0;
  /** Steady time at the last check of the offset. */
  #followedMs: number;
  /** Steady time at which the present leap was noticed. */
  #leaptMs: number | undefined;
  /** Wall clock minus steady clock at the last check during a leap. */
  #apartMs = 0;
  /** Wall time at the last check that found it right. */
  #rightMs = Number.NaN;
  #leaps = 0;
  #stop: Cancel | undefined;

  constructor({ clocks, timers, limits, onLeap }: GuardedClockOptions) {
    this.#clocks = clocks;
    this.#timers = timers;
    this.#limits = { ...CLOCK_LIMITS, ...limits };
    this.#onLeap = onLeap ?? (() => {});
    this.#followedMs = clocks.steadyMs();
    this.#offsetMs = clocks.wallMs() - this.#followedMs;
    this.#sleptMs = clocks.uptimeMs() - this.#followedMs;
    this.#offsetThenMs = this.#offsetMs;
  }

  /** Checks periodically, so that an idle node notices a leap too. */
  start(): void {
    this.#stop ??= this.#timers.every(this.#limits.checkEveryMs, () => this.check());
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** The time. It may step back by a small correction of the wall clock. */
  readonly nowMs = (): number => {
    const wallMs = this.#clocks.wallMs();
    // A request reads the clock several times, and a millisecond holds many requests.
    if (wallMs === this.#rightMs) return wallMs;
    const steadyMs = this.#clocks.steadyMs();
    const aheadMs = wallMs - steadyMs - this.#offsetMs;
    if (this.#leaptMs !== undefined || Math.abs(aheadMs) > this.#limits.maxLeapMs) return this.#timeOfLeap();
    this.#follow(steadyMs, aheadMs);
    this.#rightMs = wallMs;
    return wallMs;
  };

  /** As `nowMs`; also notices even a short sleep of the machine, and a wall clock that stands still. */
  check(): void {
    this.#noticeSleep(this.#clocks.steadyMs());
    this.#rightMs = Number.NaN;
    this.nowMs();
  }

  /** Wall clock minus this clock; 0 while the wall clock is followed. */
  get aheadMs(): number {
    this.check();
    if (this.#leaptMs === undefined) return 0;
    return this.#clocks.wallMs() - Math.round(this.#clocks.steadyMs() + this.#offsetMs);
  }

  /** Number of leaps since the start. */
  get leaps(): number {
    return this.#leaps;
  }

  /** A message for operators; null while the wall clock is followed. */
  get warning(): string | null {
    const { aheadMs } = this;
    return this.#leaptMs === undefined ? null : leapText(aheadMs);
  }

  /** The fault of a lasting leap, after which nobody knows which clock is right; null without one. */
  get fault(): string | null {
    const { warning } = this;
    if (this.#leaptMs === undefined) return null;
    return this.#clocks.steadyMs() - this.#leaptMs >= this.#limits.lastingMs ? warning : null;
  }

  /** Clocks differ slightly in pace: the offset follows by as much as a disciplined clock may be slewed. */
  #follow(steadyMs: number, aheadMs: number): void {
    const mostMs = (steadyMs - this.#followedMs) * this.#limits.maxSlew;
    this.#offsetMs += Math.max(-mostMs, Math.min(mostMs, aheadMs));
    this.#followedMs = steadyMs;
  }

  /** Reads both clocks again: the process may have been stopped between the two readings before. */
  #timeOfLeap(): number {
    const steadyMs = this.#clocks.steadyMs();
    const wallMs = this.#clocks.wallMs();
    if (this.#maySleepHaveEnded(steadyMs, wallMs - steadyMs)) this.#noticeSleep(steadyMs);
    this.#apartMs = wallMs - steadyMs;
    const aheadMs = Math.round(wallMs - steadyMs - this.#offsetMs);
    if (Math.abs(aheadMs) <= this.#limits.maxLeapMs) {
      this.#followedMs = steadyMs;
      this.#mended();
      return wallMs;
    }
    if (this.#leaptMs === undefined) {
      this.#leaptMs = steadyMs;
      this.#rightMs = Number.NaN;
      this.#leaps++;
      this.#onLeap(aheadMs);
    }
    return Math.round(steadyMs + this.#offsetMs);
  }

  /** Limits readings of the uptime during a leap, because they are slow. Sleep moves the two clocks further apart. */
  #maySleepHaveEnded(steadyMs: number, apartMs: number): boolean {
    const { checkEveryMs, leastSleepMs } = this.#limits;
    if (this.#leaptMs === undefined || steadyMs - this.#lookedMs >= checkEveryMs) return true;
    return Math.abs(apartMs - this.#apartMs) >= leastSleepMs;
  }

  #mended(): void {
    if (this.#leaptMs === undefined) return;
    this.#leaptMs = undefined;
    this.#onLeap(null);
  }

  /** Adds time that the steady clock did not count. */
  #noticeSleep(steadyMs: number): void {
    this.#lookedMs = steadyMs;
    const allSleptMs = this.#clocks.uptimeMs() - steadyMs;
    // It cannot be read now: the next reading tells of the sleep until then.
    if (Number.isNaN(allSleptMs)) return;
    const sleptMs = allSleptMs - this.#sleptMs;
    // A short sleep may have been followed already, in part or whole, as if it were drift.
    const followedMs = Math.max(0, this.#offsetMs - this.#offsetThenMs);
    if (sleptMs >= this.#limits.leastSleepMs) this.#offsetMs += Math.max(0, sleptMs - followedMs);
    this.#sleptMs = allSleptMs;
    this.#offsetThenMs = this.#offsetMs;
  }
}

export function leapText(aheadMs: number): string {
  const [seconds, where] = [Math.round(Math.abs(aheadMs) / 1000), aheadMs > 0 ? "ahead" : "behind"];
  return `the wall clock has jumped and is ${seconds} s ${where}; exchange time continues with the monotonic clock`;
}

/** Its message is one line for the operator. */
export class ClockBehind extends Error {
  override readonly name = "ClockBehind";
  /** Time of the journal's last entry. */
  readonly journalMs: number;

  constructor(nowMs: number, journalMs: number) {
    const [now, last] = [nowMs, journalMs].map((timeMs) => new Date(timeMs).toISOString());
    const times = `The machine's clock shows ${now}, which is before the journal's last entry (${last})`;
    super(`${times}. Correct the clock, or see docs/operate/faults.md`);
    this.journalMs = journalMs;
  }
}

/**
 * Throws `ClockBehind`. `journalMs` is the time of the last entry; 0 when there is none. A clock ahead of the journal
 * is right: the node was off.
 */
export function checkNotBehind(nowMs: number, journalMs: number, maxLeapMs: number): void {
  if (nowMs < journalMs - maxLeapMs) throw new ClockBehind(nowMs, journalMs);
}

export function watchClock(
  metrics: Pick<Metrics, "gauge" | "counter">,
  clock: Pick<GuardedClock, "leaps" | "aheadMs">,
): void {
  metrics.counter("pricetime_clock_leaps_total", "Jumps of the wall clock that were ignored", () => clock.leaps);
  metrics.gauge(
    "pricetime_clock_ahead_seconds",
    "Seconds by which the wall clock is ahead after a jump",
    () => clock.aheadMs / 1000,
  );
}
