/**
 * The rows of a market file in any layout, and the intervals of candles. Prices and quantities are decimals as in the
 * file.
 */
import { basename } from "node:path";
import type { Side } from "@pricetime/engine";
import { KLINE_INTERVALS, type KlineInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";

/** Limits on market files. */
export const MARKET_FILE_LIMITS = {
  /** Maximum length of a line in bytes. A recorded snapshot of a book is a single line. */
  maxLineBytes: 4 << 20,
  /** Maximum uncompressed size of a ZIP in bytes: years of the busiest symbol. */
  maxUnpackedBytes: 2 ** 40,
  /** Maximum compression ratio of deflate. A ZIP that states a higher one is invalid. */
  maxDeflateRatio: 1_032,
  /** If a file has at least this many trades and all have the same taker side, this is reported. */
  leastDoubtedTrades: 500,
  /** Number of candles from which a file's interval is determined. */
  measuredCandles: 100,
  /** Number of bytes per read. */
  chunkBytes: 256 << 10,
} as const;

export class BadMarketFile extends Error {
  override readonly name = "BadMarketFile";

  /** `line`: counted from 1; absent if the error concerns the whole file. */
  constructor(path: string, line: number | undefined, why: string, options?: ErrorOptions) {
    super(`${basename(path)}${line === undefined ? "" : `, line ${line}`}: ${why}`, options);
  }
}

// Intervals of candles in files.

interface Span {
  readonly openMs: number;
  readonly closeMs: number;
}

/** The open time of the interval that contains this time. */
export function slotOf(interval: KlineInterval, timeMs: number): number {
  return openTimeOf(interval, timeMs);
}

/** The length of the interval that contains this time. The lengths of months differ. */
export function lengthAt(interval: KlineInterval, timeMs: number): number {
  return nextOpenTime(interval, timeMs) - openTimeOf(interval, timeMs);
}

/** The number of intervals strictly between two open times. */
export function slotsBetween(interval: KlineInterval, fromMs: number, toMs: number): number {
  if (interval !== "1M") return Math.max(0, Math.round((toMs - fromMs) / lengthAt(interval, fromMs)) - 1);
  let count = 0;
  for (let at = nextOpenTime(interval, fromMs); at < toMs; at = nextOpenTime(interval, at)) count++;
  return count;
}

/** The most frequent interval of the candles, because outages may cut some short. Undefined if no interval matches. */
export function intervalOfMost(candles: readonly Span[]): KlineInterval | undefined {
  const counts = new Map<KlineInterval, number>();
  for (const { openMs, closeMs } of candles) {
    const lasts = closeMs + 1 - openMs;
    const interval = KLINE_INTERVALS.find((each) => lengthAt(each, openMs) === lasts && isPlausible(each, openMs));
    if (interval !== undefined) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** A month must begin on its first day, because other intervals may have the same length. */
function isPlausible(interval: KlineInterval, openMs: number): boolean {
  return interval !== "1M" || openTimeOf(interval, openMs) === openMs;
}

export const intervalNames = KLINE_INTERVALS.join(", ");

export const LAYOUTS = ["trades", "aggTrades", "klines", "lobster", "recording"] as const;
export type Layout = (typeof LAYOUTS)[number];

interface Row {
  /** Milliseconds since 1970, truncated. */
  readonly timeMs: number;
  /** The line number in the file, from 1. */
  readonly line: number;
}

export interface TradeRow extends Row {
  readonly kind: "trade";
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** The ids of the aggregated trades, if known. Within a market, they have no gaps. */
  readonly firstId?: number | undefined;
  readonly lastId?: number | undefined;
}

/**
 * How a candle differs from its interval: it was cut short by an outage, or it does not open at the start of the
 * interval.
 */
export type CandleOddity = "cut short" | "shifted";

export interface CandleRow extends Row {
  readonly kind: "candle";
  readonly closeMs: number;
  /** The interval of the file; undefined if none matches the length of its first candles. */
  readonly interval: KlineInterval | undefined;
  /** The open time of the interval to which the candle belongs. */
  readonly slotMs: number;
  readonly oddity: CandleOddity | null;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** Volume in the base asset: total, and bought by takers. */
  readonly volume: string;
  readonly takerBought: string;
  /** Volume in the quote asset: total, and bought by takers. */
  readonly quoteVolume: string;
  readonly takerPaid: string;
  /** The number of trades. */
  readonly count: number;
}

/** Types of LOBSTER messages; see LOBSTER's documentation. Auctions and halts concern no order. */
export const MESSAGE_TYPES = ["new", "reduced", "deleted", "executed", "executed hidden", "auction", "halt"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export interface MessageRow extends Row {
  readonly kind: "message";
  readonly type: MessageType;
  /** 0 for a hidden order. */
  readonly orderId: number;
  /** Integers in units of 10^-sizeScale and 10^-priceScale. */
  readonly size: number;
  readonly price: number;
  readonly sizeScale: number;
  readonly priceScale: number;
  /** The side of the resting order. */
  readonly side: Side;
}

export type MarketRow = TradeRow | CandleRow | MessageRow;
