/**
 * The node's clock: the wall clock, held against one that does not leap. A leap is not followed: time goes on by the
 * steady clock, and an operator is told. docs/decisions/0019.
 */
import { CLOCK_LIMITS, type ClockLimits } from "./limits.ts";
import type { Cancel, MachineClocks, Timers } from "./port.ts";

export interface GuardedClockOptions {
  readonly clocks: MachineClocks;
  readonly timers: Timers;
  readonly limits?: Partial<ClockLimits>;
  /** The wall clock has leapt and is ahead by so much (negative: behind), or (null) is right again. */
  readonly onLeap?: (aheadMs: number | null) => void;
}

export class GuardedClock {
  readonly #clocks: MachineClocks;
  readonly #timers: Timers;
  readonly #limits: ClockLimits;
  readonly #onLeap: (aheadMs: number | null) => void;
  /** Of the wall clock, as long as it is believed, to the steady one. */
  #offsetMs: number;
  /** Of the uptime to the steady clock: it grows while the machine sleeps. */
  #sleptMs: number;
  /** Of the steady clock, when the uptime was last asked. */
  #lookedMs = 0;
  /** Of the steady clock, when the offset was last looked at. */
  #followedMs: number;
  /** Of the steady clock, when the leap was seen that is not mended yet. */
  #leaptMs: number | undefined;
  /** Of the wall clock to the steady one, when last looked at in a leap. */
  #apartMs = 0;
  /** What the wall clock said when it was last found right. */
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
  }

  /** Looks now and then by itself, so that a node at rest notices, too. */
  start(): void {
    this.#stop ??= this.#timers.every(this.#limits.checkEveryMs, () => this.check());
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** The time. It may step back by what a small correction of the wall clock takes away. */
  readonly nowMs = (): number => {
    const wallMs = this.#clocks.wallMs();
    // A request asks several times, and a millisecond holds many requests.
    if (wallMs === this.#rightMs) return wallMs;
    const steadyMs = this.#clocks.steadyMs();
    const aheadMs = wallMs - steadyMs - this.#offsetMs;
    if (this.#leaptMs !== undefined || Math.abs(aheadMs) > this.#limits.maxLeapMs) return this.#timeOfLeap();
    this.#follow(steadyMs, aheadMs);
    this.#rightMs = wallMs;
    return wallMs;
  };

  /** As `nowMs`; a machine that slept is noticed even when it was short, and a wall clock that stands still. */
  check(): void {
    this.#noticeSleep(this.#clocks.steadyMs());
    this.#rightMs = Number.NaN;
    this.nowMs();
  }

  /** Of the wall clock to the time; 0 while it is followed. */
  get aheadMs(): number {
    this.check();
    if (this.#leaptMs === undefined) return 0;
    return this.#clocks.wallMs() - Math.round(this.#clocks.steadyMs() + this.#offsetMs);
  }

  /** Since the start. */
  get leaps(): number {
    return this.#leaps;
  }

  /** For operators; null while the wall clock is followed. */
  get warning(): string | null {
    const { aheadMs } = this;
    return this.#leaptMs === undefined ? null : leapText(aheadMs);
  }

  /** A leap that nobody mends: it is not known any more which clock is right. */
  get fault(): string | null {
    const { warning } = this;
    if (this.#leaptMs === undefined) return null;
    return this.#clocks.steadyMs() - this.#leaptMs >= this.#limits.lastingMs ? warning : null;
  }

  /** Clocks do not run at quite the same pace: what a disciplined one is slewed by at most is taken over. */
  #follow(steadyMs: number, aheadMs: number): void {
    const mostMs = (steadyMs - this.#followedMs) * this.#limits.maxSlew;
    this.#offsetMs += Math.max(-mostMs, Math.min(mostMs, aheadMs));
    this.#followedMs = steadyMs;
  }

  /** Both clocks once more: between the two looks before, the process may have been stopped for long. */
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

  /** While a leap lasts not each time: the uptime is dear to ask. Sleep takes the two clocks further apart. */
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

  /** What the steady clock does not count is time all the same. */
  #noticeSleep(steadyMs: number): void {
    this.#lookedMs = steadyMs;
    const before = this.#sleptMs;
    this.#sleptMs = this.#clocks.uptimeMs() - steadyMs;
    const sleptMs = this.#sleptMs - before;
    if (sleptMs >= this.#limits.leastSleepMs) this.#offsetMs += sleptMs;
  }
}

export function leapText(aheadMs: number): string {
  const [seconds, where] = [Math.round(Math.abs(aheadMs) / 1000), aheadMs > 0 ? "ahead" : "behind"];
  return `the wall clock has leapt and is ${seconds} s ${where}; the exchange's time goes on by the steady clock`;
}
