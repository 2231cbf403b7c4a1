/**
 * Reads the klines of a symbol: its past, its trades since, and intervals without trades between them. Interface
 * 2.6. One kline of each interval may contain both, since a past may end within it.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type CandleScale, formatDecimal, fromScale } from "@pricetime/engine";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { transaction } from "../../platform/disk.ts";
import { type Kline, klineFromRow, selectKline } from "../table/columns.ts";
import { PastQueries } from "./past-klines.ts";
import { addKlineDecimals, quietKlineDecimals } from "../shapes/pages.ts";
import type { KlineRow } from "../shapes/rows.ts";
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
    const minute = klineFromRow(statements.newest.get(symbolId, "1m"));
    const openTimeMs = minute && openTimeOf(interval, minute.openTimeMs);
    const first = past.first(symbolId, interval) ?? klineFromRow(statements.first.get(symbolId, interval))?.openTimeMs;
    const firstMs = first ?? openTimeMs;
    if (firstMs === undefined) return [];
    const opens = openTimes(interval, window, firstMs, nowMs);
    const from = opens[0];
    const to = opens.at(-1);
    if (from === undefined || to === undefined) return [];
    const rows = this.#between(symbolId, interval, from, to);
    const isFolded = interval === "1m" || minute === undefined || openTimeMs === undefined;
    if (!isFolded && openTimeMs < from) return fill(interval, opens, rows, this.#live(interval, minute).close);
    if (!isFolded && openTimeMs <= to) addLater(rows, this.#live(interval, { ...minute, openTimeMs }));
    return fill(interval, opens, rows, this.#closeBefore(symbolId, interval, from));
  }

  #between(symbolId: number, interval: KlineInterval, from: number, to: number): KlineRow[] {
    const scale = this.#past.scale(symbolId);
    const past = this.#past.between(symbolId, interval, from, to);
    const rows = past.map((kline) => this.#shape(interval, kline, kline.count, scale));
    for (const found of this.#statements.between.all(symbolId, interval, from, to)) {
      addLater(rows, this.#live(interval, klineFromRow(found) as Kline));
    }
    return rows;
  }

  /** The close of the last candle before this time: an interval without trades repeats it. */
  #closeBefore(symbolId: number, interval: KlineInterval, timeMs: number): string | undefined {
    const live = klineFromRow(this.#statements.lastBefore.get(symbolId, interval, timeMs));
    if (live !== undefined) return this.#live(interval, live).close;
    const past = this.#past.lastBefore(symbolId, interval, timeMs);
    return past && this.#shape(interval, past, past.count, this.#past.scale(symbolId)).close;
  }

  #live(interval: KlineInterval, kline: Kline): KlineRow {
    return this.#shape(interval, kline, 0);
  }

  /** `scale`: the units of the candle, where they are not those of the symbol. */
  #shape(interval: KlineInterval, kline: Kline, pastCount: number, scale?: CandleScale): KlineRow {
    const { symbolId, openTimeMs, count } = kline;
    const { priceDecimals, quantityDecimals, quoteDecimals } = scale ?? this.#units.candleScale(symbolId);
    return {
      openTimeMs,
      open: fromScale(kline.openTicks, priceDecimals),
      high: fromScale(kline.highTicks, priceDecimals),
      low: fromScale(kline.lowTicks, priceDecimals),
      close: fromScale(kline.closeTicks, priceDecimals),
      volume: formatDecimal(kline.lots, quantityDecimals),
      closeTimeMs: nextOpenTime(interval, openTimeMs) - 1,
      quoteVolume: formatDecimal(kline.quote, quoteDecimals),
      count,
      takerBuyBase: formatDecimal(kline.takerBuyLots, quantityDecimals),
      takerBuyQuote: formatDecimal(kline.takerBuyQuote, quoteDecimals),
      pastCount,
    };
  }
}

/** Adds a later row to the last of `rows` when both open at the same time; otherwise appends it. */
function addLater(rows: KlineRow[], later: KlineRow): void {
  const last = rows.at(-1);
  if (last?.openTimeMs !== later.openTimeMs) {
    rows.push(later);
    return;
  }
  const counts = { count: last.count + later.count, pastCount: last.pastCount + later.pastCount };
  rows[rows.length - 1] = { ...last, ...addKlineDecimals(last, later), ...counts };
}

/** Fills gaps. `rows` are among `opens`; an interval without trades repeats the close of the one before it. */
function fill(
  interval: KlineInterval,
  opens: readonly number[],
  rows: readonly KlineRow[],
  before: string | undefined,
): KlineRow[] {
  let next = 0;
  let close = before;
  return opens.flatMap((openTimeMs) => {
    const row = rows[next];
    if (row?.openTimeMs === openTimeMs) {
      next++;
      close = row.close;
      return [row];
    }
    if (close === undefined) return [];
    const closeTimeMs = nextOpenTime(interval, openTimeMs) - 1;
    return [{ openTimeMs, closeTimeMs, ...quietKlineDecimals(close), count: 0, pastCount: 0 }];
  });
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
