/** What a past is made of, and which candles a past may hold. */
import { MINUTE_MS, HOUR_MS } from "../number/duration.ts";

/** One candle in the units of its symbol: ticks, lots, units of the quote asset. */
export interface PastCandle {
  readonly openTimeMs: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
  readonly lots: bigint;
  readonly quote: bigint;
  readonly count: number;
  readonly takerBuyLots: bigint;
  readonly takerBuyQuote: bigint;
}

/**
 * Intervals of which candles may come from outside: all coarser ones of these follow from each of them, and so do
 * those that are not here, but 6h from 4h. Each is a multiple of the one before.
 */
export const PAST_INTERVALS = ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "12h", "1d"] as const;
export type PastInterval = (typeof PAST_INTERVALS)[number];

export const PAST_WIDTHS_MS: Readonly<Record<PastInterval, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "1h": HOUR_MS,
  "2h": 2 * HOUR_MS,
  "4h": 4 * HOUR_MS,
  "12h": 12 * HOUR_MS,
  "1d": 24 * HOUR_MS,
};

/** What a symbol was given of a past. */
export interface PastReach {
  /** Of imported candles; of a generated past, which has minutes at its end and longer ones before, `generated`. */
  readonly interval: PastInterval | "generated";
  /** When its first candle opens. */
  readonly firstMs: number;
  /** When its last candle is over. */
  readonly endMs: number;
}
