/**
 * Reads the klines of a symbol: its past, its trades since, and intervals without trades between them. Interface
 * 2.6. One kline of each interval may contain both, since a past may end within it.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { transaction } from "../../disk/transaction.ts";
import { type Kline, klineFromRow, mergeKline, selectKline } from "./kline.ts";
import { PastQueries } from "./past-queries.ts";
import type { KlineRow } from "../../shapes/rows.ts";
import type { KlineInterval } from "@pricetime/protocol";
import type { Window } from "../port.ts";
import type { Units } from "../table/units.ts";

const SELECT = `${selectKline("klines")} AND interval = ?`;

export const KLINE_QUERIES = {
  between: `${SELECT} AND open_time_ms BETWEEN ? AND ? ORDER BY open_time_ms`,
  first: `${SELECT} ORDER BY open_time_ms LIMIT 1`,
  lastBefore: `${SELECT} AND open_time_ms < ? ORDER BY open_time_ms DESC LIMIT 1`,
  newest: `${SELECT} ORDER BY open_time_ms DESC LIMIT 1`,
};

/** `pastCount` is the part of `count` from before the first trade. */
type Row = Omit<Kline, "symbolId"> & { readonly pastCount: number };

export class KlineQueries {
  readonly #database: DatabaseSync;
  readonly #units: Units;
  readonly #past: PastQueries;
  readonly #statements: Readonly<Record<keyof typeof KLINE_QUERIES, StatementSync>>;

  constructor(database: DatabaseSync, units: Units) {
    this.#database = database;
    this.#units = units;
    this.#past = new PastQueries(database);
    const prepared = Object.entries(KLINE_QUERIES).map(([name, query]) => [name, database.prepare(query)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof KLINE_QUERIES, StatementSync>;
  }

  klines(symbolId: number, interval: KlineInterval, window: Window, nowMs: number): KlineRow[] {
    // All queries read one state of the history: no minute is folded between two of them.
    return transaction(this.#database, "DEFERRED", () => this.#look(symbolId, interval, window, nowMs));
  }

  #look(symbolId: number, interval: KlineInterval, window: Window, nowMs: number): KlineRow[] {
    const statements = this.#statements;
    const past = this.#past;
    const minute = liveRow(statements.newest.get(symbolId, "1m"));
    const openTimeMs = minute && openTimeOf(interval, minute.openTimeMs);
    const first = past.first(symbolId, interval) ?? liveRow(statements.first.get(symbolId, interval))?.openTimeMs;
    const firstMs = first ?? openTimeMs;
    if (firstMs === undefined) return [];
    const opens = openTimes(interval, window, firstMs, nowMs);
    const from = opens[0];
    const to = opens.at(-1);
    if (from === undefined || to === undefined) return [];
    const rows = this.#between(symbolId, interval, from, to);
    const isFolded = interval === "1m" || minute === undefined || openTimeMs === undefined;
    if (!isFolded && openTimeMs < from) return this.#fill(symbolId, interval, opens, rows, minute);
    if (!isFolded && openTimeMs <= to) addLater(rows, { ...minute, openTimeMs });
    const before =
      liveRow(statements.lastBefore.get(symbolId, interval, from)) ?? past.lastBefore(symbolId, interval, from);
    return this.#fill(symbolId, interval, opens, rows, before);
  }

  #between(symbolId: number, interval: KlineInterval, from: number, to: number): Row[] {
    const statements = this.#statements;
    const past = this.#past;
    const rows: Row[] = past
      .between(symbolId, interval, from, to)
      .map((kline) => Object.assign(kline, { pastCount: kline.count }));
    for (const found of statements.between.all(symbolId, interval, from, to)) addLater(rows, liveRow(found) as Row);
    return rows;
  }

  /** Fills gaps. `rows` are among `opens`; an interval without trades repeats the close of the one before it. */
  #fill(
    symbolId: number,
    interval: KlineInterval,
    opens: readonly number[],
    rows: readonly Row[],
    before: Pick<Row, "closeTicks"> | undefined,
  ): KlineRow[] {
    let next = 0;
    let last: Pick<Row, "closeTicks"> | undefined = before;
    return opens.flatMap((openTimeMs) => {
      const row = rows[next];
      if (row?.openTimeMs === openTimeMs) {
        next++;
        last = row;
        return [this.#shape(symbolId, interval, row)];
      }
      return last === undefined ? [] : [this.#shape(symbolId, interval, quiet(openTimeMs, last.closeTicks))];
    });
  }

  #shape(symbolId: number, interval: KlineInterval, row: Row): KlineRow {
    const units = this.#units;
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

function liveRow(found: unknown): Row | undefined {
  const kline = klineFromRow(found);
  return kline && Object.assign(kline, { pastCount: 0 });
}

/** Merges a later row into the last of `rows` when both open at the same time; otherwise appends it. */
function addLater(rows: Row[], later: Row): void {
  const last = rows.at(-1);
  if (last?.openTimeMs === later.openTimeMs) mergeKline(last, later);
  else rows.push(later);
}

/** Returns the window's open times, ascending: none before the first trade's, none after now's. */
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
    lots: 0n,
    quote: 0n,
    count: 0,
    takerBuyLots: 0n,
    takerBuyQuote: 0n,
    pastCount: 0,
  };
}
