/**
 * The rows of a market file, independent of its layout, and the intervals of candles. Prices and quantities are
 * decimals as in the file.
 */
import { basename } from "node:path";
import { SECOND_MS, type Side } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime, openTimeOf } from "@pricetime/protocol";

/** Limits of market files. */
export const MARKET_FILE_LIMITS = {
  /** The longest line; a recorded snapshot of a book is a single line. */
  maxLineBytes: 4 << 20,
  /** The largest uncompressed size of a ZIP: years of the busiest symbol. */
  maxUnpackedBytes: 2 ** 40,
  /** The largest compression ratio of deflate; a ZIP that claims more is invalid. */
  maxDeflateRatio: 1_032,
  /** If at least this many trades of a file all have the same taker side, it is reported. */
  leastDoubtedTrades: 500,
  /** The number of candles that determine a file's interval. */
  measuredCandles: 100,
  /** The size of a read. */
  chunkBytes: 256 << 10,
} as const;

export class BadMarketFile extends Error {
  override readonly name = "BadMarketFile";

  /** `line`: from 1; absent for an error of the whole file. */
  constructor(path: string, line: number | undefined, why: string, options?: ErrorOptions) {
    super(`${basename(path)}${line === undefined ? "" : `, line ${line}`}: ${why}`, options);
  }
}

// Intervals of candles in files.

/** Archives also have candles of one second. */
const FILE_INTERVALS = ["1s", ...KLINE_INTERVALS] as const;
export type FileInterval = (typeof FILE_INTERVALS)[number];

interface Span {
  readonly openMs: number;
  readonly closeMs: number;
}

/** The open time of the interval that contains a time. */
export function slotOf(interval: FileInterval, timeMs: number): number {
  return interval === "1s" ? timeMs - (timeMs % SECOND_MS) : openTimeOf(interval, timeMs);
}

/** The length of the interval that contains a time; months differ. */
export function lengthAt(interval: FileInterval, timeMs: number): number {
  return interval === "1s" ? SECOND_MS : nextOpenTime(interval, timeMs) - openTimeOf(interval, timeMs);
}

/** The number of intervals strictly between two open times. */
export function slotsBetween(interval: FileInterval, fromMs: number, toMs: number): number {
  if (interval !== "1M") return Math.max(0, Math.round((toMs - fromMs) / lengthAt(interval, fromMs)) - 1);
  let count = 0;
  for (let at = nextOpenTime(interval, fromMs); at < toMs; at = nextOpenTime(interval, at)) count++;
  return count;
}

/** The most frequent interval of the candles, because outages cut some short. Undefined if none matches. */
export function intervalOfMost(candles: readonly Span[]): FileInterval | undefined {
  const counts = new Map<FileInterval, number>();
  for (const { openMs, closeMs } of candles) {
    const lasts = closeMs + 1 - openMs;
    const interval = FILE_INTERVALS.find((each) => lengthAt(each, openMs) === lasts && isPlausible(each, openMs));
    if (interval !== undefined) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** A month must begin on its first day, because other intervals may have the same length. */
function isPlausible(interval: FileInterval, openMs: number): boolean {
  return interval !== "1M" || openTimeOf(interval, openMs) === openMs;
}

export const intervalNames = FILE_INTERVALS.join(", ");

export const LAYOUTS = ["trades", "aggTrades", "klines", "lobster", "recording"] as const;
export type Layout = (typeof LAYOUTS)[number];

interface Row {
  /** Milliseconds since 1970, truncated. */
  readonly timeMs: number;
  /** The line in its file, from 1. */
  readonly line: number;
}

export interface TradeRow extends Row {
  readonly kind: "trade";
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** The ids of the trades that it aggregates, if known; those of one market have no gaps. */
  readonly firstId?: number | undefined;
  readonly lastId?: number | undefined;
}

/** How a candle deviates from its interval: an outage cut it short, or it opens at another time. */
export type CandleOddity = "cut short" | "shifted";

export interface CandleRow extends Row {
  readonly kind: "candle";
  readonly closeMs: number;
  /** The interval of its file; undefined if no candle at its beginning has the length of one. */
  readonly interval: FileInterval | undefined;
  /** The open time of the interval that it belongs to. */
  readonly slotMs: number;
  readonly oddity: CandleOddity | null;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** Amounts of the base asset: total, and bought by takers. */
  readonly volume: string;
  readonly takerBought: string;
  /** The same in the quote asset. */
  readonly quoteVolume: string;
  readonly takerPaid: string;
  /** The number of trades. */
  readonly count: number;
}

/** The types of LOBSTER messages; see its documentation. Auctions and halts concern no order. */
export const MESSAGE_TYPES = ["new", "reduced", "deleted", "executed", "executed hidden", "auction", "halt"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export interface MessageRow extends Row {
  readonly kind: "message";
  readonly type: MessageType;
  /** 0 for hidden orders. */
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
