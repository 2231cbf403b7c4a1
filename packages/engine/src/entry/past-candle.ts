/** Candles from before a symbol's first trade: which intervals they may have, and the parameters of generated ones. */
import { DAY_MS, HOUR_MS, MINUTE_MS, type QuoteScale, quoteScaleOf } from "../numbers.ts";
import { big, fields, number, type RecordOf, text } from "./digest.ts";
import { type Check, oneOf } from "./shape.ts";

/**
 * The units of candles, in digits after the point. Imported candles may be finer than the current steps of their
 * symbol.
 */
export type CandleScale = RecordOf<typeof CANDLE_SCALE>;
export const CANDLE_SCALE = { priceDecimals: number, quantityDecimals: number, quoteDecimals: number };

/** One candle in the units of a scale: ticks, lots, units of the quote asset. */
export type PastCandle = RecordOf<typeof CANDLE>;
export const CANDLE = {
  openTimeMs: number,
  openTicks: number,
  highTicks: number,
  lowTicks: number,
  closeTicks: number,
  lots: big,
  quote: big,
  count: number,
  takerBuyLots: big,
  takerBuyQuote: big,
};

/**
 * Intervals of imported candles. From each of them, all coarser intervals can be derived, including intervals that are
 * not listed, except 6h from 4h. Each interval is a multiple of the one before.
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

/** The extent of a symbol's earlier candles. */
export interface PastReach {
  /**
   * Interval of imported candles; `generated` for synthetic history, with minutes at its end and longer candles before.
   */
  readonly interval: PastInterval | "generated";
  /** Opening time of the first candle. */
  readonly firstMs: number;
  /** End of the last candle. */
  readonly endMs: number;
  /** The units of the candles, set by the first imported ones. */
  readonly scale: CandleScale;
}

// The parameters of generated candles: plain data, so that they can be sent, stored and evaluated again on any machine.

/** How the value of an asset moves. */
export type PastAsset = RecordOf<typeof PAST_ASSET>;
const PAST_ASSET = {
  asset: text,
  /** Standard deviation of a day's return in basis points; 0 if the value does not move. */
  dayMoveBps: number,
  /** The share of the asset's moves that follows the whole market, in percent. */
  marketPercent: number,
};

export type GeneratedPast = RecordOf<typeof GENERATED_PAST>;
export const GENERATED_PAST = {
  /** Version of the generator. */
  generator: number,
  seed: number,
  symbol: text,
  /** End of the last candle: a whole minute. */
  endMs: number,
  /** The last close. */
  endTicks: number,
  /** Prices are multiples of `tickStep`, quantities of `lotStep`. */
  tickStep: number,
  lotStep: number,
  /** Lots traded on an average day. */
  dayLots: number,
  dayTrades: number,
  base: fields(PAST_ASSET),
  quote: fields(PAST_ASSET),
  /** Decimals of one quote unit, one tick and one lot, which determine the value of a quantity at a price. */
  quotePrecision: number,
  priceDecimals: number,
  quantityDecimals: number,
};

export function quoteScaleOfPast({ quotePrecision, priceDecimals, quantityDecimals }: GeneratedPast): QuoteScale {
  return quoteScaleOf({ priceDecimals, quantityDecimals }, quotePrecision);
}

/**
 * The version of the generator for new histories. Older versions are retained for histories in existing journals. A new
 * number requires a new rules version (`edition.ts`), because a release without the generator would reject a command
 * that was executed.
 */
export const NEWEST_GENERATOR = 1;

export const isKnownGenerator: Check<number> = oneOf(NEWEST_GENERATOR);

/** A section of a history: candles of one width from `fromMs` to `toMs`. */
export interface PastLevel {
  readonly name: "minutes" | "hours" | "days";
  readonly widthMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_DAYS = 30;
const HOUR_DAYS = 500;
const DAYS = 1830;

/**
 * The sections of a history, newest first: minutes for 30 days, hours for 500 days (1,000 candles of 12 h), days for
 * five years.
 */
export function levelsOf(endMs: number): readonly PastLevel[] {
  const todayMs = Math.floor(endMs / DAY_MS) * DAY_MS;
  const minutesMs = todayMs - MINUTE_DAYS * DAY_MS;
  const hoursMs = todayMs - HOUR_DAYS * DAY_MS;
  return [
    { name: "minutes", widthMs: MINUTE_MS, fromMs: minutesMs, toMs: endMs },
    { name: "hours", widthMs: 60 * MINUTE_MS, fromMs: hoursMs, toMs: minutesMs },
    { name: "days", widthMs: DAY_MS, fromMs: todayMs - DAYS * DAY_MS, toMs: hoursMs },
  ];
}

/** Opening time of the first candle. `endMs` must be later than five years after the epoch. */
export function firstMsOf(endMs: number): number {
  return levelsOf(endMs).at(-1)?.fromMs ?? endMs;
}

export const LEAST_END_MS = (DAYS + 1) * DAY_MS;
