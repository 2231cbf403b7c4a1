/** A candle of history in the units of its symbol, and its row in SQL. */
import type { SQLInputValue } from "node:sqlite";
import type { KlineInterval } from "./port.ts";
import { moneyColumn, moneyToSql } from "./money.ts";

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

/** Of a table with those columns. */
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

/** Values of `KLINE_COLUMNS`. */
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

/** Adds what came later. */
export function mergeKline(kline: Kline, later: Omit<Kline, "symbolId" | "openTimeMs" | "openTicks">): Kline {
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
