/** All that a generated past follows from: plain numbers, so that it can be told, kept and made again anywhere. */
import { MINUTE_MS, DAY_MS } from "../number/duration.ts";
import { type QuoteScale, quoteScaleOf } from "../number/quote-scale.ts";

/** How the worth of an asset moves. */
export interface PastAsset {
  readonly asset: string;
  /** Standard deviation of a day's return in basis points; 0: it does not move. */
  readonly dayMoveBps: number;
  /** How much of that it has in common with all others. */
  readonly marketPercent: number;
}

export interface GeneratedPast {
  /** Version of the generator. */
  readonly generator: number;
  readonly seed: number;
  readonly symbol: string;
  /** A whole minute: the last candle is over then. */
  readonly endMs: number;
  /** The last close. */
  readonly endTicks: number;
  /** Prices are multiples of the one, quantities of the other. */
  readonly tickStep: number;
  readonly lotStep: number;
  /** Traded on an average day. */
  readonly dayLots: number;
  readonly dayTrades: number;
  readonly base: PastAsset;
  readonly quote: PastAsset;
  /** Decimals of the quote asset's unit, of a tick and of a lot: what a quantity at a price comes to. */
  readonly quotePrecision: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

export function quoteScaleOfPast({ quotePrecision, priceDecimals, quantityDecimals }: GeneratedPast): QuoteScale {
  return quoteScaleOf({ priceDecimals, quantityDecimals }, quotePrecision);
}

/**
 * Of the generator that makes new pasts; older ones stay, for what is journaled. Another number needs a new edition of
 * the rules (`edition.ts`): a release that does not know it would refuse what was carried out.
 */
export const NEWEST_GENERATOR = 1;

export function isKnownGenerator(generator: unknown): boolean {
  return generator === NEWEST_GENERATOR;
}

/** One stretch of a past: candles of one width from `fromMs` to `toMs`. */
export interface PastLevel {
  readonly name: "minutes" | "hours" | "days";
  readonly widthMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_DAYS = 30;
const HOUR_DAYS = 500;
const DAYS = 1830;

/** Newest first: minutes of 30 days, hours of 500 (1,000 candles of 12 h), days of five years. */
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

/** When its first candle opens. The end is later than five years after the epoch. */
export function firstMsOf(endMs: number): number {
  return levelsOf(endMs).at(-1)?.fromMs ?? endMs;
}

export const LEAST_END_MS = (DAYS + 1) * DAY_MS;
