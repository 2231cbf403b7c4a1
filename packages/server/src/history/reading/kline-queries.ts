/**
 * Reads the klines of a symbol: backfilled klines (generated or imported), klines from trades, and intervals without
 * trades in between. Interface 2.6. One kline per interval may combine both kinds, because the backfill may end within
 * it.
 */
import { type CandleScale, formatDecimal, fromScale, type GeneratedPast } from "@pricetime/engine";
import { type KlineInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { transaction } from "../../platform/disk.ts";
import { type Kline, klineFromRow, selectKline } from "../table/columns.ts";
import { GeneratedKlines } from "./past-klines.ts";
import { addKlineDecimals, type KlineRow, klineShape, quietKlineDecimals } from "../shapes/klines.ts";
import type { HistoryTables, Window } from "./history-tables.ts";

/** The statements of a table of klines. Their parameters are symbol and interval. */
function statementsOf(table: "klines" | "past_klines") {
  const select = `${selectKline(table)} AND interval = ?`;
  return {
    between: `${select} AND open_time_ms BETWEEN ? AND ? ORDER BY open_time_ms`,
    first: `${select} ORDER BY open_time_ms LIMIT 1`,
    lastBefore: `${select} AND open_time_ms < ? ORDER BY open_time_ms DESC LIMIT 1`,
    newest: `${select} ORDER BY open_time_ms DESC LIMIT 1`,
  };
}

export const KLINES = statementsOf("klines");
const PAST_KLINES = statementsOf("past_klines");

/** Maximum number of symbols whose generated klines are cached. Each takes about 1.5 MB, and 0.1 s to recompute. */
const MOST_KEPT = 12;

/** A symbol's klines before its first trade, generated or imported. */
interface Past extends Pick<GeneratedKlines, "between" | "lastBefore"> {
  /** The open time of the first kline. */
  first(interval: KlineInterval): number | undefined;
}

function pastOf(tables: HistoryTables, symbolId: number): Past {
  const row = (sql: string, ...more: (string | number)[]) => klineFromRow(tables.row(sql, symbolId, ...more));
  return (
    generatedPast(tables, symbolId) ?? {
      between: (...asked) =>
        tables.rows(PAST_KLINES.between, symbolId, ...asked).map((found) => klineFromRow(found) as Kline),
      first: (interval) => row(PAST_KLINES.first, interval)?.openTimeMs,
      lastBefore: (interval, timeMs) => row(PAST_KLINES.lastBefore, interval, timeMs),
    }
  );
}

function generatedPast(tables: HistoryTables, symbolId: number): GeneratedKlines | undefined {
  const kept = tables.generatedKlines;
  const past = kept.has(symbolId) ? undefined : storedPast(tables, symbolId);
  const klines = past === undefined ? kept.get(symbolId) : new GeneratedKlines(symbolId, past);
  if (klines === undefined) return undefined;
  kept.delete(symbolId);
  kept.set(symbolId, klines);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return klines;
}

function storedPast(tables: HistoryTables, symbolId: number): GeneratedPast | undefined {
  const row = tables.row<{ readonly past: string }>("SELECT past FROM pasts WHERE symbol_id = ?", symbolId);
  return row && (JSON.parse(row.past) as GeneratedPast);
}

/** The units of a symbol's imported candles; undefined if they are in the symbol's own units. */
function importedScale(tables: HistoryTables, symbolId: number): CandleScale | undefined {
  const columns =
    "price_decimals AS priceDecimals, quantity_decimals AS quantityDecimals, quote_decimals AS quoteDecimals";
  return tables.row(`SELECT ${columns} FROM past_scales WHERE symbol_id = ?`, symbolId);
}

/**
 * The last price before `timeMs`, as an integer in units of 10^-decimals. Undefined if there are no backfilled klines,
 * or if they end later. `symbolDecimals`: the decimals of the symbol's own prices.
 */
export function pastCloseBefore(
  tables: HistoryTables,
  symbolId: number,
  timeMs: number,
  symbolDecimals: number,
): { readonly ticks: number; readonly decimals: number } | undefined {
  const past = storedPast(tables, symbolId);
  if (past !== undefined) return past.endMs <= timeMs ? { ticks: past.endTicks, decimals: symbolDecimals } : undefined;
  const kline = klineFromRow(tables.row(PAST_KLINES.lastBefore, symbolId, "1d", timeMs));
  const decimals = importedScale(tables, symbolId)?.priceDecimals ?? symbolDecimals;
  return kline && { ticks: kline.closeTicks, decimals };
}

interface KlinesAsked extends Window {
  readonly symbolId: number;
  readonly interval: KlineInterval;
  readonly nowMs: number;
}

export const klineQueries = {
  klines(tables: HistoryTables, asked: KlinesAsked): KlineRow[] {
    // One transaction, so that all statements read the same state and no minute is folded between two of them.
    return transaction(tables.database, "DEFERRED", () => new KlineReading(tables, asked).rows(asked));
  },
  klinePage(tables: HistoryTables, asked: KlinesAsked): string {
    return JSON.stringify(klineQueries.klines(tables, asked).map(klineShape));
  },
};

class KlineReading {
  readonly #tables: HistoryTables;
  readonly #symbolId: number;
  readonly #interval: KlineInterval;
  readonly #past: Past;

  constructor(tables: HistoryTables, { symbolId, interval }: KlinesAsked) {
    this.#tables = tables;
    this.#symbolId = symbolId;
    this.#interval = interval;
    this.#past = pastOf(tables, symbolId);
  }

  rows({ nowMs, ...window }: KlinesAsked): KlineRow[] {
    const [interval, past] = [this.#interval, this.#past];
    const minute = klineFromRow(this.#tables.row(KLINES.newest, this.#symbolId, "1m"));
    const openTimeMs = minute && openTimeOf(interval, minute.openTimeMs);
    const firstMs = past.first(interval) ?? this.#stored(KLINES.first)?.openTimeMs ?? openTimeMs;
    if (firstMs === undefined) return [];
    const opens = openTimes(interval, window, firstMs, nowMs);
    const from = opens[0];
    const to = opens.at(-1);
    if (from === undefined || to === undefined) return [];
    const rows = this.#between(from, to);
    const isFolded = interval === "1m" || minute === undefined || openTimeMs === undefined;
    if (!isFolded && openTimeMs < from) return fill(interval, opens, rows, this.#live(minute).close);
    if (!isFolded && openTimeMs <= to) addLater(rows, this.#live({ ...minute, openTimeMs }));
    return fill(interval, opens, rows, this.#closeBefore(from));
  }

  #stored(sql: string, ...more: readonly number[]): Kline | undefined {
    return klineFromRow(this.#tables.row(sql, this.#symbolId, this.#interval, ...more));
  }

  #between(from: number, to: number): KlineRow[] {
    const scale = importedScale(this.#tables, this.#symbolId);
    const past = this.#past.between(this.#interval, from, to);
    const rows = past.map((kline) => this.#shape(kline, kline.count, scale));
    for (const found of this.#tables.rows(KLINES.between, this.#symbolId, this.#interval, from, to)) {
      addLater(rows, this.#live(klineFromRow(found) as Kline));
    }
    return rows;
  }

  /** The close of the last kline before this time. Intervals without trades repeat it. */
  #closeBefore(timeMs: number): string | undefined {
    const live = this.#stored(KLINES.lastBefore, timeMs);
    if (live !== undefined) return this.#live(live).close;
    const past = this.#past.lastBefore(this.#interval, timeMs);
    return past && this.#shape(past, past.count, importedScale(this.#tables, this.#symbolId)).close;
  }

  #live(kline: Kline): KlineRow {
    return this.#shape(kline, 0);
  }

  /** Formats a kline. `scale`: its units, if they are not the symbol's own. */
  #shape(kline: Kline, pastCount: number, scale?: CandleScale): KlineRow {
    const { openTimeMs, count } = kline;
    const { priceDecimals, quantityDecimals, quoteDecimals } = scale ?? this.#ownScale();
    return {
      openTimeMs,
      open: fromScale(kline.openTicks, priceDecimals),
      high: fromScale(kline.highTicks, priceDecimals),
      low: fromScale(kline.lowTicks, priceDecimals),
      close: fromScale(kline.closeTicks, priceDecimals),
      volume: formatDecimal(kline.lots, quantityDecimals),
      closeTimeMs: nextOpenTime(this.#interval, openTimeMs) - 1,
      quoteVolume: formatDecimal(kline.quote, quoteDecimals),
      count,
      takerBuyBase: formatDecimal(kline.takerBuyLots, quantityDecimals),
      takerBuyQuote: formatDecimal(kline.takerBuyQuote, quoteDecimals),
      pastCount,
    };
  }

  #ownScale(): CandleScale {
    const { priceDecimals, quantityDecimals, quote } = this.#tables.symbol(this.#symbolId);
    return { priceDecimals, quantityDecimals, quoteDecimals: quote.decimals };
  }
}

/** Merges a later row with the last of `rows` if both have the same open time; otherwise appends it. */
function addLater(rows: KlineRow[], later: KlineRow): void {
  const last = rows.at(-1);
  if (last?.openTimeMs !== later.openTimeMs) {
    rows.push(later);
    return;
  }
  const counts = { count: last.count + later.count, pastCount: last.pastCount + later.pastCount };
  rows[rows.length - 1] = { ...last, ...addKlineDecimals(last, later), ...counts };
}

/**
 * Fills gaps between `rows`, whose open times are a subset of `opens`. An interval without trades repeats the previous
 * close.
 */
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

/** The open times of a window in ascending order, from the first kline to the current one. */
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
