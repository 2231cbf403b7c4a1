/**
 * Candles from before a symbol's first trade: which ones a symbol may have, and the numbers from which a generator
 * computes them.
 */
import { MINUTE_MS, HOUR_MS } from "../number/duration.ts";
import type { SymbolScale } from "../number/symbol-scale.ts";

/** The units of candles, in digits after the point: imported ones may be finer than today's steps of their symbol. */
export interface CandleScale extends SymbolScale {
  readonly quoteDecimals: number;
}

/** One candle in the units of a scale: ticks, lots, units of the quote asset. */
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
 * Intervals of imported candles: all coarser ones of these can be derived from each, and so can those that are not
 * listed, except 6h from 4h. Each is a multiple of the one before.
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

/** The extent of a symbol's past. */
export interface PastReach {
  /** Interval of imported candles; `generated`: a generated past, with minutes at its end and longer ones before. */
  readonly interval: PastInterval | "generated";
  /** Opening time of the first candle. */
  readonly firstMs: number;
  /** End of the last candle. */
  readonly endMs: number;
  /** The units of its candles: set by the first ones that are imported. */
  readonly scale: CandleScale;
}
