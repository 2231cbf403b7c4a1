/** Bounds of the node's clock. */
export interface ClockLimits {
  /** What the wall clock may step by and still be believed. Those who discipline a clock step it by a second or two. */
  readonly maxLeapMs: number;
  /** How often an idle node looks. */
  readonly checkEveryMs: number;
  /** A leap that lasts longer makes the node unready. */
  readonly lastingMs: number;
  /** Less cannot be told from what is coarse in the uptime. */
  readonly leastSleepMs: number;
  /** By which part clocks may differ in pace: what kernels slew by at most. */
  readonly maxSlew: number;
}

export const CLOCK_LIMITS: ClockLimits = {
  maxLeapMs: 10_000,
  checkEveryMs: 1_000,
  lastingMs: 10 * 60_000,
  leastSleepMs: 2_500,
  maxSlew: 0.0005,
};
