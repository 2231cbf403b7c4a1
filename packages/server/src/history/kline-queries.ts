/**
 * Klines of a symbol: its past, what was traded since, and between these the intervals in which nothing was. FACTS 5,
 * 'Klines'. One kline of each interval may be of both, since a past may end within it.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { transaction } from "../disk/transaction.ts";
import { moneyColumn } from "./money.ts";
import type { KlineInterval, KlineRow, Window } from "./port.ts";
import type { Units } from "./units.ts";

function select(table: "klines" | "past_klines"): string {
  return `SELECT open_time_ms AS openTimeMs, open_ticks AS openTicks, high_ticks AS highTicks,
  low_ticks AS lowTicks, close_ticks AS closeTicks, ${moneyColumn("lots", "lots")}, ${moneyColumn("quote", "quote")},
  count, ${moneyColumn("taker_buy_lots", "takerBuyLots")}, ${moneyColumn("taker_buy_quote", "takerBuyQuote")},
  ${table === "klines" ? 0 : "count"} AS pastCount FROM ${table} WHERE symbol_id = ? AND interval = ?`;
}

function queries<Name extends string>(name: Name, condition: string): Record<Name | `${Name}InPast`, string> {
  const both = { [name]: select("klines") + condition, [`${name}InPast`]: select("past_klines") + condition };
  return both as Record<Name | `${Name}InPast`, string>;
}

export const KLINE_QUERIES = {
  ...queries("between", " AND open_time_ms BETWEEN ? AND ? ORDER BY open_time_ms"),
  ...queries("first", " ORDER BY open_time_ms LIMIT 1"),
  ...queries("lastBefore", " AND open_time_ms < ? ORDER BY open_time_ms DESC LIMIT 1"),
  newest: `${select("klines")} ORDER BY open_time_ms DESC LIMIT 1`,
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
  readonly pastCount: number;
}

export class KlineQueries {
  private readonly database: DatabaseSync;
  private readonly units: Units;
  private readonly statements: Readonly<Record<keyof typeof KLINE_QUERIES, StatementSync>>;

  constructor(database: DatabaseSync, units: Units) {
    this.database = database;
    this.units = units;
    const prepared = Object.entries(KLINE_QUERIES).map(([name, query]) => [name, database.prepare(query)]);
    this.statements = Object.fromEntries(prepared) as Record<keyof typeof KLINE_QUERIES, StatementSync>;
  }

  klines(symbolId: number, interval: KlineInterval, window: Window, nowMs: number): KlineRow[] {
    // All of one state of history: no minute is folded between two looks.
    return transaction(this.database, "DEFERRED", () => this.look(symbolId, interval, window, nowMs));
  }

  private look(symbolId: number, interval: KlineInterval, window: Window, nowMs: number): KlineRow[] {
    const { statements } = this;
    const minute = statements.newest.get(symbolId, "1m") as Row | undefined;
    const openTimeMs = minute && openTimeOf(interval, minute.openTimeMs);
    const first = (statements.firstInPast.get(symbolId, interval) ?? statements.first.get(symbolId, interval)) as
      | Row
      | undefined;
    const firstMs = first?.openTimeMs ?? openTimeMs;
    if (firstMs === undefined) return [];
    const opens = openTimes(interval, window, firstMs, nowMs);
    const from = opens[0];
    const to = opens.at(-1);
    if (from === undefined || to === undefined) return [];
    const traded = this.between(symbolId, interval, from, to);
    const isFolded = interval === "1m" || minute === undefined || openTimeMs === undefined;
    if (!isFolded && openTimeMs < from) return this.fill(symbolId, interval, opens, traded, minute);
    if (!isFolded && openTimeMs <= to) addLater(traded, { ...minute, openTimeMs });
    const before = (statements.lastBefore.get(symbolId, interval, from) ??
      statements.lastBeforeInPast.get(symbolId, interval, from)) as Row | undefined;
    return this.fill(symbolId, interval, opens, traded, before);
  }

  private between(symbolId: number, interval: KlineInterval, from: number, to: number): Row[] {
    const { statements } = this;
    const rows = statements.betweenInPast.all(symbolId, interval, from, to) as unknown as Row[];
    const [first, ...others] = statements.between.all(symbolId, interval, from, to) as unknown as Row[];
    if (first === undefined) return rows;
    addLater(rows, first);
    return others.length === 0 ? rows : rows.concat(others);
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
      pastCount: row.pastCount,
    };
  }
}

/** Adds what was traded later to the last of `klines`, when that opens at the same time, or as one more. */
function addLater(klines: Row[], later: Row): void {
  const kline = klines.at(-1);
  if (kline?.openTimeMs !== later.openTimeMs) {
    klines.push(later);
    return;
  }
  klines[klines.length - 1] = {
    openTimeMs: kline.openTimeMs,
    openTicks: kline.openTicks,
    highTicks: Math.max(kline.highTicks, later.highTicks),
    lowTicks: Math.min(kline.lowTicks, later.lowTicks),
    closeTicks: later.closeTicks,
    lots: sum(kline.lots, later.lots),
    quote: sum(kline.quote, later.quote),
    count: kline.count + later.count,
    takerBuyLots: sum(kline.takerBuyLots, later.takerBuyLots),
    takerBuyQuote: sum(kline.takerBuyQuote, later.takerBuyQuote),
    pastCount: kline.pastCount + later.pastCount,
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
    pastCount: 0,
  };
}
