/**
 * The rows of a file of a market, whatever its layout, and the intervals of candles. Prices and quantities are
 * decimals as the file has them.
 */
import { basename } from "node:path";
import { SECOND_MS, type Side } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime, openTimeOf } from "@pricetime/protocol";

/** How far files of markets are followed. */
export const MARKET_FILE_LIMITS = {
  /** A line: a recorded snapshot of a whole book is one. */
  maxLineBytes: 4 << 20,
  /** What a ZIP may hold, unpacked: years of the busiest symbol. */
  maxUnpackedBytes: 2 ** 40,
  /** Deflate makes nothing smaller than by this factor: a ZIP that claims more lies about its size. */
  maxDeflateRatio: 1_032,
  /** So many trades of a file that all have takers of one side are told of. */
  leastDoubtedTrades: 500,
  /** So many candles of a file decide which interval it has. */
  measuredCandles: 100,
  /** What is read at a time. */
  chunkBytes: 256 << 10,
} as const;

export class BadMarketFile extends Error {
  override readonly name = "BadMarketFile";

  /** `line`: from 1; absent when the whole file is meant. */
  constructor(path: string, line: number | undefined, why: string, options?: ErrorOptions) {
    super(`${basename(path)}${line === undefined ? "" : `, line ${line}`}: ${why}`, options);
  }
}

// The intervals of candles in files, and where each of them begins.

/** Archives have candles of a second too. */
const FILE_INTERVALS = ["1s", ...KLINE_INTERVALS] as const;
export type FileInterval = (typeof FILE_INTERVALS)[number];

interface Span {
  readonly openMs: number;
  readonly closeMs: number;
}

/** Open time of the interval that a time lies in. */
export function slotOf(interval: FileInterval, timeMs: number): number {
  return interval === "1s" ? timeMs - (timeMs % SECOND_MS) : openTimeOf(interval, timeMs);
}

/** The length of the interval that a time lies in: months differ. */
export function lengthAt(interval: FileInterval, timeMs: number): number {
  return interval === "1s" ? SECOND_MS : nextOpenTime(interval, timeMs) - openTimeOf(interval, timeMs);
}

/** The intervals between two open times of an interval, both left out. */
export function slotsBetween(interval: FileInterval, fromMs: number, toMs: number): number {
  if (interval !== "1M") return Math.max(0, Math.round((toMs - fromMs) / lengthAt(interval, fromMs)) - 1);
  let count = 0;
  for (let at = nextOpenTime(interval, fromMs); at < toMs; at = nextOpenTime(interval, at)) count++;
  return count;
}

/** The interval whose length most of the candles have: outages cut some short. Undefined: none has that of any. */
export function intervalOfMost(candles: readonly Span[]): FileInterval | undefined {
  const counts = new Map<FileInterval, number>();
  for (const { openMs, closeMs } of candles) {
    const lasts = closeMs + 1 - openMs;
    const interval = FILE_INTERVALS.find((each) => lengthAt(each, openMs) === lasts && isPlausible(each, openMs));
    if (interval !== undefined) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** A month is known by its first day, since other intervals are as long as none of it. */
function isPlausible(interval: FileInterval, openMs: number): boolean {
  return interval !== "1M" || openTimeOf(interval, openMs) === openMs;
}

export const intervalNames = FILE_INTERVALS.join(", ");

export const LAYOUTS = ["trades", "aggTrades", "klines", "lobster", "recording"] as const;
export type Layout = (typeof LAYOUTS)[number];

interface Row {
  /** Milliseconds since 1970; what a file says of finer parts is cut off. */
  readonly timeMs: number;
  /** In its file, from 1. */
  readonly line: number;
}

export interface TradeRow extends Row {
  readonly kind: "trade";
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** The numbers of the trades that it stands for, where the file has them: those of one market have no gaps. */
  readonly firstId?: number | undefined;
  readonly lastId?: number | undefined;
}

/** How a candle differs from one that lasts its interval: an outage ended it, or it opens elsewhere. */
export type CandleOddity = "cut short" | "shifted";

export interface CandleRow extends Row {
  readonly kind: "candle";
  readonly closeMs: number;
  /** That of its file; undefined: none of its first candles has the length of one. */
  readonly interval: FileInterval | undefined;
  /** Open time of the interval that it belongs to. */
  readonly slotMs: number;
  readonly oddity: CandleOddity | null;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** Amounts of the base asset: what was traded, and what takers bought of it. */
  readonly volume: string;
  readonly takerBought: string;
  /** The same of the quote asset. */
  readonly quoteVolume: string;
  readonly takerPaid: string;
  /** How many trades there were. */
  readonly count: number;
}

/** What LOBSTER's messages tell of; see its read-me. Auctions and halts are told of, and no order. */
export const MESSAGE_TYPES = ["new", "reduced", "deleted", "executed", "executed hidden", "auction", "halt"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export interface MessageRow extends Row {
  readonly kind: "message";
  readonly type: MessageType;
  /** 0 for hidden orders. */
  readonly orderId: number;
  /** Integers, of 10^-sizeScale and 10^-priceScale. */
  readonly size: number;
  readonly price: number;
  readonly sizeScale: number;
  readonly priceScale: number;
  /** That of the order which rests, or rested. */
  readonly side: Side;
}

export type MarketRow = TradeRow | CandleRow | MessageRow;
