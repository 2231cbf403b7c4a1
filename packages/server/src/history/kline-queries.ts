/** Klines of a symbol: what was traded, and between it the intervals in which nothing was. Interface 2.6. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { transaction } from "../disk/transaction.ts";
import { moneyColumn } from "./money.ts";
import type { KlineInterval, KlineRow, Window } from "./port.ts";
import type { Units } from "./units.ts";

const SELECT = `SELECT open_time_ms AS openTimeMs, open_ticks AS openTicks, high_ticks AS highTicks,
  low_ticks AS lowTicks, close_ticks AS closeTicks, ${moneyColumn("lots", "lots")}, ${moneyColumn("quote", "quote")},
  count, ${moneyColumn("taker_buy_lots", "takerBuyLots")}, ${moneyColumn("taker_buy_quote", "takerBuyQuote")}
  FROM klines WHERE symbol_id = ? AND interval = ?`;

export const KLINE_QUERIES = {
  between: `${SELECT} AND open_time_ms BETWEEN ? AND ? ORDER BY open_time_ms`,
  first: `${SELECT} ORDER BY open_time_ms LIMIT 1`,
  lastBefore: `${SELECT} AND open_time_ms < ? ORDER BY open_time_ms DESC LIMIT 1`,
  newest: `${SELECT} ORDER BY open_time_ms DESC LIMIT 1`,
};

interface Row {
  readonly openTimeMs: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
  readonly lots: string;
  readonly quote: string;
  readonly count: number;
  readonly takerBuyLots: string;
  readonly takerBuyQuote: string;
}

export class KlineQueries {
  private readonly database: DatabaseSync;
  private readonly units: Units;
  private readonly statements: Readonly<Record<keyof typeof KLINE_QUERIES, StatementSync>>;

  constructor(database: DatabaseSync, units: Units) {
    this.database = database;
    this.units = units;
    this.statements = {
      between: database.prepare(KLINE_QUERIES.between),
      first: database.prepare(KLINE_QUERIES.first),
      lastBefore: database.prepare(KLINE_QUERIES.lastBefore),
      newest: database.prepare(KLINE_QUERIES.newest),
    };
  }

  klines(symbolId: number, interval: KlineInterval, window: Window, nowMs: number): KlineRow[] {
    // All of one state of history: no minute is folded between two looks.
    return transaction(this.database, "DEFERRED", () => this.look(symbolId, interval, window, nowMs));
  }

  private look(symbolId: number, interval: KlineInterval, window: Window, nowMs: number): KlineRow[] {
    const { statements } = this;
    const minute = statements.newest.get(symbolId, "1m") as Row | undefined;
    if (minute === undefined) return [];
    const openTimeMs = openTimeOf(interval, minute.openTimeMs);
    const first = statements.first.get(symbolId, interval) as Row | undefined;
    const opens = openTimes(interval, window, first?.openTimeMs ?? openTimeMs, nowMs);
    const from = opens[0];
    const to = opens.at(-1);
    if (from === undefined || to === undefined) return [];
    const traded = statements.between.all(symbolId, interval, from, to) as unknown as Row[];
    const before = statements.lastBefore.get(symbolId, interval, from) as Row | undefined;
    if (interval === "1m") return this.fill(symbolId, interval, opens, traded, before);
    if (openTimeMs < from) return this.fill(symbolId, interval, opens, traded, minute);
    if (openTimeMs <= to) addMinute(traded, { ...minute, openTimeMs });
    return this.fill(symbolId, interval, opens, traded, before);
  }

  /** `traded` are among `opens`; every interval without trades repeats the close of the one before it. */
  private fill(
    symbolId: number,
    interval: KlineInterval,
    opens: readonly number[],
    traded: readonly Row[],
    before: Row | undefined,
  ): KlineRow[] {
    let next = 0;
    let last = before;
    return opens.flatMap((openTimeMs) => {
      const row = traded[next];
      if (row?.openTimeMs === openTimeMs) {
        next++;
        last = row;
        return [this.shape(symbolId, interval, row)];
      }
      return last === undefined ? [] : [this.shape(symbolId, interval, quiet(openTimeMs, last.closeTicks))];
    });
  }

  private shape(symbolId: number, interval: KlineInterval, row: Row): KlineRow {
    const { units } = this;
    return {
      openTimeMs: row.openTimeMs,
      open: units.price(symbolId, row.openTicks),
      high: units.price(symbolId, row.highTicks),
      low: units.price(symbolId, row.lowTicks),
      close: units.price(symbolId, row.closeTicks),
      volume: units.volume(symbolId, row.lots),
      closeTimeMs: nextOpenTime(interval, row.openTimeMs) - 1,
      quoteVolume: units.quote(symbolId, row.quote),
      count: row.count,
      takerBuyBase: units.volume(symbolId, row.takerBuyLots),
      takerBuyQuote: units.quote(symbolId, row.takerBuyQuote),
    };
  }
}

/** Adds the latest minute, which opens as its kline does, to the last of `klines` or as one more. */
function addMinute(klines: Row[], minute: Row): void {
  const kline = klines.at(-1);
  if (kline?.openTimeMs !== minute.openTimeMs) {
    klines.push(minute);
    return;
  }
  klines[klines.length - 1] = {
    openTimeMs: kline.openTimeMs,
    openTicks: kline.openTicks,
    highTicks: Math.max(kline.highTicks, minute.highTicks),
    lowTicks: Math.min(kline.lowTicks, minute.lowTicks),
    closeTicks: minute.closeTicks,
    lots: sum(kline.lots, minute.lots),
    quote: sum(kline.quote, minute.quote),
    count: kline.count + minute.count,
    takerBuyLots: sum(kline.takerBuyLots, minute.takerBuyLots),
    takerBuyQuote: sum(kline.takerBuyQuote, minute.takerBuyQuote),
  };
}

function sum(a: string, b: string): string {
  return String(BigInt(a) + BigInt(b));
}

/** The open times that the window asks for, ascending: none before the first trade's, none after now's. */
function openTimes(interval: KlineInterval, window: Window, firstMs: number, nowMs: number): number[] {
  const { startTimeMs, limit } = window;
  const lastMs = openTimeOf(interval, Math.max(Math.min(window.endTimeMs ?? nowMs, nowMs), 0));
  const opens: number[] = [];
  if (startTimeMs === undefined) {
    for (let at = lastMs; at >= firstMs && opens.length < limit; at = openTimeOf(interval, at - 1)) opens.push(at);
    return opens.reverse();
  }
  let at = Math.max(firstMs, openTimeAtOrAfter(interval, startTimeMs));
  for (; at <= lastMs && opens.length < limit; at = nextOpenTime(interval, at)) opens.push(at);
  return opens;
}

function openTimeAtOrAfter(interval: KlineInterval, timeMs: number): number {
  if (timeMs <= 0) return 0;
  const open = openTimeOf(interval, timeMs);
  return open === timeMs ? open : nextOpenTime(interval, timeMs);
}

function quiet(openTimeMs: number, closeTicks: number): Row {
  return {
    openTimeMs,
    openTicks: closeTicks,
    highTicks: closeTicks,
    lowTicks: closeTicks,
    closeTicks,
    lots: "0",
    quote: "0",
    count: 0,
    takerBuyLots: "0",
    takerBuyQuote: "0",
  };
}
