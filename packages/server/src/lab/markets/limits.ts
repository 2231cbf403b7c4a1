/** Limits on how far a lab's markets can be moved. */
import { DAY_MS } from "@pricetime/engine";

export const MARKET_LIMITS = {
  /** Moves that wait for their time, of all symbols. */
  maxScheduled: 10_000,
  /** Points of a path. */
  maxPoints: 5_000,
  /** Crashes and spikes of a symbol that are not over. */
  maxShocks: 100,
  /** A multiple of the usual, for volatility, spread, depth and the rate of trades. */
  maxTimes: 100,
  maxSpreadBps: 5_000,
  /** A price: what doubles hold to the last digit of any symbol. */
  maxPrice: 1e15,
  minPrice: 1e-15,
  maxDriftPercent: 1_000,
  maxCrashPercent: 99,
  maxSpikePercent: 10_000,
  /** How long anything takes, and how far ahead it may be set. */
  maxSpanMs: 3_660 * DAY_MS,
} as const;
