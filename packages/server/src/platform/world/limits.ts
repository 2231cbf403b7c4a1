/** Bounds of the node's clock. */
export interface ClockLimits {
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
