/**
 * The node's clock: the wall clock, checked against the monotonic clock. If the wall clock leaps, time continues with
 * the monotonic clock, and operators are warned. docs/decisions/0019.
 */
import type { Cancel, MachineClocks, Timers } from "./port.ts";
import type { Metrics } from "../observe/metrics.ts";

interface ClockLimits {
  /** Maximum accepted step of the wall clock. NTP steps clocks by a second or two. */
  readonly maxLeapMs: number;
  /** How often the clock is checked on an idle node. */
  readonly checkEveryMs: number;
  /** A leap that lasts this long makes the node unready. */
  readonly lastingMs: number;
  /** The shortest sleep of the machine that can be detected, because the uptime is coarse. */
  readonly leastSleepMs: number;
  /** Maximum relative difference in rate between the clocks: kernels slew clocks by at most this. */
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
  /**
   * Called when the wall clock has leapt ahead by `aheadMs` (back if negative), and with null when it is correct again.
   */
  readonly onLeap?: (aheadMs: number | null) => void;
}

export class GuardedClock {
  readonly #clocks: MachineClocks;
  readonly #timers: Timers;
  readonly #limits: ClockLimits;
  readonly #onLeap: (aheadMs: number | null) => void;
  /** Wall clock minus monotonic clock when the wall clock was last accepted. */
  #offsetMs: number;
  /** Uptime minus monotonic clock at the last reading. It grows while the machine sleeps. */
  #sleptMs: number;
  /** `#offsetMs` at the last reading of the uptime. */
  #offsetThenMs: number;
  /** The monotonic time of the last reading of the uptime. */
  #lookedMs = 0;
  /** The monotonic time of the last check of the offset. */
  #followedMs: number;
  /** The monotonic time at which the current leap was detected; undefined if there is none. */
  #leaptMs: number | undefined;
  /** Wall clock minus monotonic clock at the last check during a leap. */
  #apartMs = 0;
  /** The wall time of the last check that accepted the wall clock. */
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

  /** Starts periodic checks, so that leaps are also detected on an idle node. */
  start(): void {
    this.#stop ??= this.#timers.every(this.#limits.checkEveryMs, () => this.check());
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** The current time. It may go back when the wall clock is slightly corrected. */
  readonly nowMs = (): number => {
    const wallMs = this.#clocks.wallMs();
    // Fast path, because many readings occur within the same millisecond.
    if (wallMs === this.#rightMs) return wallMs;
    const steadyMs = this.#clocks.steadyMs();
    const aheadMs = wallMs - steadyMs - this.#offsetMs;
    if (this.#leaptMs !== undefined || Math.abs(aheadMs) > this.#limits.maxLeapMs) return this.#timeOfLeap();
    this.#follow(steadyMs, aheadMs);
    this.#rightMs = wallMs;
    return wallMs;
  };

  /** Same as `nowMs`, but also detects short sleeps of the machine and a wall clock that has stopped. */
  check(): void {
    this.#noticeSleep(this.#clocks.steadyMs());
    this.#rightMs = Number.NaN;
    this.nowMs();
  }

  /** Wall clock minus this clock; 0 while the wall clock is accepted. */
  get aheadMs(): number {
    this.check();
    if (this.#leaptMs === undefined) return 0;
    return this.#clocks.wallMs() - Math.round(this.#clocks.steadyMs() + this.#offsetMs);
  }

  /** The number of leaps since the start. */
  get leaps(): number {
    return this.#leaps;
  }

  /** A warning for operators; null while the wall clock is accepted. */
  get warning(): string | null {
    const { aheadMs } = this;
    return this.#leaptMs === undefined ? null : leapText(aheadMs);
  }

  /** The message if a leap lasts and it is uncertain which clock is correct; otherwise null. */
  get fault(): string | null {
    const { warning } = this;
    if (this.#leaptMs === undefined) return null;
    return this.#clocks.steadyMs() - this.#leaptMs >= this.#limits.lastingMs ? warning : null;
  }

  /** Adjusts the offset by at most the slew rate, because the clocks run at slightly different rates. */
  #follow(steadyMs: number, aheadMs: number): void {
    const mostMs = (steadyMs - this.#followedMs) * this.#limits.maxSlew;
    this.#offsetMs += Math.max(-mostMs, Math.min(mostMs, aheadMs));
    this.#followedMs = steadyMs;
  }

  /** Reads both clocks again, because the process may have been suspended between the previous two readings. */
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

  /**
   * Whether to read the uptime during a leap, which is slow: after a sleep, the two clocks differ by more than before.
   */
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

  /** Adds the time that the machine slept, which the monotonic clock does not count. */
  #noticeSleep(steadyMs: number): void {
    this.#lookedMs = steadyMs;
    const allSleptMs = this.#clocks.uptimeMs() - steadyMs;
    // The uptime cannot be read now. The next reading will include the sleep.
    if (Number.isNaN(allSleptMs)) return;
    const sleptMs = allSleptMs - this.#sleptMs;
    // A part of a short sleep may already have been treated as drift and added to the offset.
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

/** The machine's clock is before the last journal entry; the message is one line for the operator. */
export class ClockBehind extends Error {
  override readonly name = "ClockBehind";
  /** The time of the last journal entry. */
  readonly journalMs: number;

  constructor(nowMs: number, journalMs: number) {
    const [now, last] = [nowMs, journalMs].map((timeMs) => new Date(timeMs).toISOString());
    const times = `The machine's clock shows ${now}, which is before the journal's last entry (${last})`;
    super(`${times}. Correct the clock, or see docs/operate/faults.md`);
    this.journalMs = journalMs;
  }
}

/**
 * Throws `ClockBehind`. `journalMs`: the time of the last entry, or 0 if there is none. A clock ahead of the journal is
 * normal, because the node was off.
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
