/**
 * Reads the klines of a symbol: its past, generated or imported, its trades since, and intervals without trades between
 * them. Interface 2.6. One kline of each interval may contain both, since a past may end within it.
 */
import { type CandleScale, formatDecimal, fromScale, type GeneratedPast } from "@pricetime/engine";
import { type KlineInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { transaction } from "../../platform/disk.ts";
import { type Kline, klineFromRow, selectKline } from "../table/columns.ts";
import { GeneratedKlines } from "./past-klines.ts";
import { addKlineDecimals, type KlineRow, klineShape, quietKlineDecimals } from "../shapes/klines.ts";
import type { HistoryTables, Window } from "./history-tables.ts";

/** Statements for a table of klines; they take a symbol and an interval. */
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

/** The symbols whose generated past is kept in memory: about 1.5 MB each, and a tenth of a second to make again. */
const MOST_KEPT = 12;

/** The klines of a symbol from before its first trade: computed from a generated past, or as imported. */
interface Past extends Pick<GeneratedKlines, "between" | "lastBefore"> {
  /** Returns the open time of the first kline. */
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

/** The units of a symbol's imported candles; undefined where they are those of the symbol. */
function importedScale(tables: HistoryTables, symbolId: number): CandleScale | undefined {
  const columns =
    "price_decimals AS priceDecimals, quantity_decimals AS quantityDecimals, quote_decimals AS quoteDecimals";
  return tables.row(`SELECT ${columns} FROM past_scales WHERE symbol_id = ?`, symbolId);
}

/**
 * Returns the last price before `timeMs`, as an integer of 10^-decimals; undefined when there is no past, or it ends
 * later. `symbolDecimals` are those of the symbol's own prices.
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
    // All statements read one state of the history: no minute is folded between two of them.
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

  /** The close of the last candle before this time: an interval without trades repeats it. */
  #closeBefore(timeMs: number): string | undefined {
    const live = this.#stored(KLINES.lastBefore, timeMs);
    if (live !== undefined) return this.#live(live).close;
    const past = this.#past.lastBefore(this.#interval, timeMs);
    return past && this.#shape(past, past.count, importedScale(this.#tables, this.#symbolId)).close;
  }

  #live(kline: Kline): KlineRow {
    return this.#shape(kline, 0);
  }

  /** `scale`: the units of the candle, where they are not those of the symbol. */
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
