/**
 * The klines of a symbol that history stores: backfilled ones (generated or imported) and those from trades. Reads them
 * by interval, in any time zone, or all between two times merged into one. Klines that are not stored are merged from
 * the longest stored ones that fit.
 */
import { type CandleScale, DAY_MS, formatDecimal, fromScale, type GeneratedPast } from "@pricetime/engine";
import {
  nextOpenTime,
  openTimeAtOrAfter,
  openTimeOf,
  STORED_INTERVALS,
  type StoredInterval,
} from "@pricetime/protocol";
import { type Grid, type Kline, klineFromRow, mergeKline, selectKline, widthOf } from "../table/columns.ts";
import { addKlineDecimals, type KlineRow } from "../shapes/market-data.ts";
import type { HistoryTables } from "./history-tables.ts";
import { GeneratedKlines } from "./past-klines.ts";

/** The statements of a table of klines. Their parameters are symbol and interval. */
function statementsOf(table: "klines" | "past_klines") {
  const select = `${selectKline(table)} AND interval = ?`;
  return {
    at: `${select} AND open_time_ms = ?`,
    between: `${select} AND open_time_ms BETWEEN ? AND ? ORDER BY open_time_ms`,
    first: `${select} ORDER BY open_time_ms LIMIT 1`,
    lastBefore: `${select} AND open_time_ms < ? ORDER BY open_time_ms DESC LIMIT 1`,
    newest: `${select} ORDER BY open_time_ms DESC LIMIT 1`,
  };
}

export const KLINES = statementsOf("klines");
const PAST_KLINES = statementsOf("past_klines");

/** Klines of one kind. `from` and `to` are open times of a grid, inclusive. */
interface Source {
  between(grid: Grid, from: number, to: number): Kline[];
  /** The open time of the first kline. */
  first(grid: Grid): number | undefined;
  lastBefore(timeMs: number): Kline | undefined;
  /** Everything that opens from `fromMs` until before `toMs`. */
  merged(fromMs: number, toMs: number): Kline | undefined;
}

/** The rows of a table. Kline for kline, they have no more than a few pieces: at most 14 of each shorter interval. */
class KlineTable implements Source {
  readonly #tables: HistoryTables;
  readonly #symbolId: number;
  readonly #sql: typeof KLINES;
  /** The stored intervals, longest first. The shortest fits into all others. */
  readonly #intervals: readonly StoredInterval[];
  /** The minute that must not be read, because it is added to every interval afterwards. */
  readonly #leftOutMs: number | undefined;

  constructor(
    tables: HistoryTables,
    symbolId: number,
    sql: typeof KLINES,
    of: { readonly intervals: readonly StoredInterval[]; readonly leftOutMs?: number | undefined },
  ) {
    this.#tables = tables;
    this.#symbolId = symbolId;
    this.#sql = sql;
    this.#intervals = of.intervals.toReversed();
    this.#leftOutMs = of.leftOutMs;
  }

  between(grid: Grid, from: number, to: number): Kline[] {
    const { interval, offsetMs } = grid;
    if (isOfUtc(grid)) {
      const found = this.#tables.rows(this.#sql.between, this.#symbolId, interval, from, to);
      return found.map((row) => klineFromRow(row) as Kline).filter((kline) => !this.#isLeftOut(interval, kline));
    }
    const klines: Kline[] = [];
    if (!this.#fits(grid)) return klines;
    const shorter = this.#intervals.filter((each) => widthOf(each) < widthOf(interval));
    for (let at = from; at <= to; at = nextOpenTime(interval, at, offsetMs)) {
      const kline = this.#mergedFrom(shorter, at, nextOpenTime(interval, at, offsetMs));
      if (kline !== undefined) klines.push(kline);
    }
    return klines;
  }

  first(grid: Grid): number | undefined {
    const shortest = this.#shortest;
    if (shortest === undefined || !this.#fits(grid)) return undefined;
    const first = this.#row(this.#sql.first, shortest);
    return first && openTimeOf(grid.interval, first.openTimeMs, grid.offsetMs);
  }

  lastBefore(timeMs: number): Kline | undefined {
    const interval = this.#shortest;
    return interval && this.#row(this.#sql.lastBefore, interval, timeMs);
  }

  merged(fromMs: number, toMs: number): Kline | undefined {
    return this.#mergedFrom(this.#intervals, fromMs, toMs);
  }

  #mergedFrom(intervals: readonly StoredInterval[], fromMs: number, toMs: number): Kline | undefined {
    const shortest = intervals.at(-1);
    if (shortest === undefined) return undefined;
    const endMs = openTimeAtOrAfter(shortest, toMs);
    let all: Kline | undefined;
    for (let at = openTimeAtOrAfter(shortest, fromMs); at < endMs; ) {
      const open = at;
      const fits = (each: StoredInterval): boolean =>
        openTimeOf(each, open) === open && nextOpenTime(each, open) <= endMs;
      const interval = intervals.find(fits) ?? shortest;
      at = nextOpenTime(interval, open);
      const kline = this.#row(this.#sql.at, interval, open);
      if (kline === undefined || this.#isLeftOut(interval, kline)) continue;
      all = all === undefined ? { ...kline, openTimeMs: fromMs } : mergeKline(all, kline);
    }
    return all;
  }

  get #shortest(): StoredInterval | undefined {
    return this.#intervals.at(-1);
  }

  /** Whether no stored kline of the shortest interval is in two klines of the grid. */
  #fits(grid: Grid): boolean {
    if (this.#shortest === undefined) return false;
    if (grid.offsetMs === 0) return this.#intervals.includes(grid.interval);
    const [widthMs, shortestMs] = [grid.interval === "1M" ? DAY_MS : widthOf(grid.interval), widthOf(this.#shortest)];
    return grid.offsetMs % shortestMs === 0 && widthMs % shortestMs === 0;
  }

  #isLeftOut(interval: StoredInterval, { openTimeMs }: Kline): boolean {
    return interval === "1m" && openTimeMs === this.#leftOutMs;
  }

  #row(sql: string, interval: StoredInterval, ...more: readonly number[]): Kline | undefined {
    return klineFromRow(this.#tables.row(sql, this.#symbolId, interval, ...more));
  }
}

/** Whether the klines of the grid open when those of UTC do. */
function isOfUtc({ interval, offsetMs }: Grid): boolean {
  return offsetMs % widthOf(interval) === 0;
}

// Klines before the first trade.

/** Maximum number of symbols whose generated klines are cached. Each takes about 1.5 MB, and 0.1 s to recompute. */
const MOST_KEPT = 12;

function pastOf(tables: HistoryTables, symbolId: number): Source {
  return (
    generatedPast(tables, symbolId) ??
    new KlineTable(tables, symbolId, PAST_KLINES, { intervals: importedIntervals(tables, symbolId) })
  );
}

/** The intervals of imported candles, and of the longer ones that were merged from them. */
function importedIntervals(tables: HistoryTables, symbolId: number): readonly StoredInterval[] {
  const any = tables.row("SELECT 1 FROM past_klines WHERE symbol_id = ? LIMIT 1", symbolId);
  if (any === undefined) return [];
  return STORED_INTERVALS.filter((each) => tables.row(PAST_KLINES.first, symbolId, each) !== undefined);
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

// All klines of a symbol. One kline may combine backfilled and own trades, because the backfill may end within it.

export class StoredKlines {
  readonly #tables: HistoryTables;
  readonly #symbolId: number;
  readonly #past: Source;
  /** The latest minute, which is not in the longer klines yet. */
  readonly #minute: Kline | undefined;
  readonly #live: Source;
  #readScale: CandleScale | undefined;

  constructor(tables: HistoryTables, symbolId: number) {
    this.#tables = tables;
    this.#symbolId = symbolId;
    this.#past = pastOf(tables, symbolId);
    this.#minute = klineFromRow(tables.row(KLINES.newest, symbolId, "1m"));
    const leftOutMs = this.#minute?.openTimeMs;
    this.#live = new KlineTable(tables, symbolId, KLINES, { intervals: STORED_INTERVALS, leftOutMs });
  }

  /** The open time of the first kline. */
  first(grid: Grid): number | undefined {
    return this.#past.first(grid) ?? this.#live.first(grid);
  }

  between(grid: Grid, from: number, to: number): KlineRow[] {
    const closeTimeMs = (open: number): number => nextOpenTime(grid.interval, open, grid.offsetMs) - 1;
    const rows = this.#past
      .between(grid, from, to)
      .map((kline) => this.#shape(kline, closeTimeMs(kline.openTimeMs), true));
    const live = this.#live.between(grid, from, to);
    if (this.#minute !== undefined) {
      const openTimeMs = openTimeOf(grid.interval, this.#minute.openTimeMs, grid.offsetMs);
      if (openTimeMs >= from && openTimeMs <= to) live.push({ ...this.#minute, openTimeMs });
    }
    for (const kline of live) addLater(rows, this.#shape(kline, closeTimeMs(kline.openTimeMs), false));
    return rows;
  }

  /** The close of the last kline before this time. Intervals without trades repeat it. */
  closeBefore(timeMs: number): string | undefined {
    const live = this.#live.lastBefore(timeMs);
    if (live !== undefined) return this.#shape(live, 0, false).close;
    const past = this.#past.lastBefore(timeMs);
    return past && this.#shape(past, 0, true).close;
  }

  /** All klines that open from `fromMs` until before `toMs`, as one. Both are whole minutes. */
  merged(fromMs: number, toMs: number): KlineRow | undefined {
    const rows: KlineRow[] = [];
    const past = this.#past.merged(fromMs, toMs);
    if (past !== undefined) rows.push({ ...this.#shape(past, toMs - 1, true), openTimeMs: fromMs });
    const live = this.#live.merged(fromMs, toMs);
    const minute = this.#minute;
    const isIn = minute !== undefined && minute.openTimeMs >= fromMs && minute.openTimeMs < toMs;
    for (const kline of [live, isIn ? minute : undefined]) {
      if (kline !== undefined) addLater(rows, { ...this.#shape(kline, toMs - 1, false), openTimeMs: fromMs });
    }
    return rows[0];
  }

  #ownScale(): CandleScale {
    const { priceDecimals, quantityDecimals, quote } = this.#tables.symbol(this.#symbolId);
    return { priceDecimals, quantityDecimals, quoteDecimals: quote.decimals };
  }

  #pastScale(): CandleScale {
    this.#readScale ??= importedScale(this.#tables, this.#symbolId) ?? this.#ownScale();
    return this.#readScale;
  }

  #shape(kline: Kline, closeTimeMs: number, isPast: boolean): KlineRow {
    const { openTimeMs, count } = kline;
    const { priceDecimals, quantityDecimals, quoteDecimals } = isPast ? this.#pastScale() : this.#ownScale();
    return {
      openTimeMs,
      open: fromScale(kline.openTicks, priceDecimals),
      high: fromScale(kline.highTicks, priceDecimals),
      low: fromScale(kline.lowTicks, priceDecimals),
      close: fromScale(kline.closeTicks, priceDecimals),
      volume: formatDecimal(kline.lots, quantityDecimals),
      closeTimeMs,
      quoteVolume: formatDecimal(kline.quote, quoteDecimals),
      count,
      takerBuyBase: formatDecimal(kline.takerBuyLots, quantityDecimals),
      takerBuyQuote: formatDecimal(kline.takerBuyQuote, quoteDecimals),
      pastCount: isPast ? count : 0,
    };
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
