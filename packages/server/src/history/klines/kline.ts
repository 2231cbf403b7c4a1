/** A candle of history in the units of its symbol, and its row in SQL. */
import type { SQLInputValue } from "node:sqlite";
import { DAY_MS, type PastInterval } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import type { KlineInterval } from "@pricetime/protocol";
import { moneyColumn, moneyToSql } from "../table/money.ts";

export interface Kline {
  readonly symbolId: number;
  readonly openTimeMs: number;
  readonly openTicks: number;
  highTicks: number;
  lowTicks: number;
  closeTicks: number;
  lots: bigint;
  quote: bigint;
  count: number;
  takerBuyLots: bigint;
  takerBuyQuote: bigint;
}

const SHORTEST_MONTH_MS = 28 * DAY_MS;

type MoneyOfKline = "lots" | "quote" | "takerBuyLots" | "takerBuyQuote";

export const KLINE_COLUMNS = [
  "symbol_id",
  "interval",
  "open_time_ms",
  "open_ticks",
  "high_ticks",
  "low_ticks",
  "close_ticks",
  "lots",
  "quote",
  "count",
  "taker_buy_lots",
  "taker_buy_quote",
] as const;

/** The SELECT for a table with those columns. */
export function selectKline(table: "klines" | "past_klines"): string {
  return `SELECT symbol_id AS symbolId, open_time_ms AS openTimeMs, open_ticks AS openTicks,
  high_ticks AS highTicks, low_ticks AS lowTicks, close_ticks AS closeTicks, ${moneyColumn("lots", "lots")},
  ${moneyColumn("quote", "quote")}, count, ${moneyColumn("taker_buy_lots", "takerBuyLots")},
  ${moneyColumn("taker_buy_quote", "takerBuyQuote")} FROM ${table} WHERE symbol_id = ?`;
}

export function klineFromRow(found: unknown): Kline | undefined {
  if (found === undefined) return undefined;
  const row = found as Omit<Kline, MoneyOfKline> & Record<MoneyOfKline, string>;
  return {
    ...row,
    lots: BigInt(row.lots),
    quote: BigInt(row.quote),
    takerBuyLots: BigInt(row.takerBuyLots),
    takerBuyQuote: BigInt(row.takerBuyQuote),
  };
}

/** Returns the values of `KLINE_COLUMNS`. */
export function klineToRow(interval: KlineInterval, kline: Kline): SQLInputValue[] {
  return [
    kline.symbolId,
    interval,
    kline.openTimeMs,
    kline.openTicks,
    kline.highTicks,
    kline.lowTicks,
    kline.closeTicks,
    moneyToSql(kline.lots),
    moneyToSql(kline.quote),
    kline.count,
    moneyToSql(kline.takerBuyLots),
    moneyToSql(kline.takerBuyQuote),
  ];
}

/** Merges a later kline into an earlier one. */
export function mergeKline<T extends Omit<Kline, "symbolId">>(
  kline: T,
  later: Omit<Kline, "symbolId" | "openTimeMs" | "openTicks">,
): T {
  kline.highTicks = Math.max(kline.highTicks, later.highTicks);
  kline.lowTicks = Math.min(kline.lowTicks, later.lowTicks);
  kline.closeTicks = later.closeTicks;
  kline.lots += later.lots;
  kline.quote += later.quote;
  kline.count += later.count;
  kline.takerBuyLots += later.takerBuyLots;
  kline.takerBuyQuote += later.takerBuyQuote;
  return kline;
}

/** Adds consecutive klines, none longer than the interval, up to klines of the interval. */
export function foldKlines(
  symbolId: number,
  interval: KlineInterval,
  candles: readonly Omit<Kline, "symbolId">[],
): Kline[] {
  const klines: Kline[] = [];
  let nextMs = 0;
  for (const candle of candles) {
    const last = klines.at(-1);
    if (last !== undefined && candle.openTimeMs < nextMs) {
      mergeKline(last, candle);
      continue;
    }
    const openTimeMs = openTimeOf(interval, candle.openTimeMs);
    nextMs = nextOpenTime(interval, openTimeMs);
    klines.push({ ...candle, symbolId, openTimeMs });
  }
  return klines;
}

/** Returns the interval's width; for a month that of the shortest, in whole days. */
export function widthOf(interval: KlineInterval): number {
  return interval === "1M" ? SHORTEST_MONTH_MS : nextOpenTime(interval, 0) - openTimeOf(interval, 0);
}

/** Intervals that candles of one add up to, that one first. The engine's are some of the interface's. */
export function intervalsFrom(interval: PastInterval): readonly KlineInterval[] {
  const widthMs = widthOf(interval);
  const longer = KLINE_INTERVALS.filter((each) => widthOf(each) > widthMs && widthOf(each) % widthMs === 0);
  return [interval, ...longer];
}
