/**
 * Reads the klines of a symbol: stored ones and those of seconds, with the intervals without trades in between.
 * Interface 2.6.
 */
import { formatDecimal, SECOND_MS } from "@pricetime/engine";
import {
  type KlineInterval,
  nextOpenTime,
  openTimeAtOrAfter,
  openTimeOf,
  type StoredInterval,
  type WindowTicker,
} from "@pricetime/protocol";
import { transaction } from "../../platform/disk.ts";
import {
  type KlineRow,
  klineShape,
  miniWindowShape,
  NOTHING,
  quietKlineDecimals,
  type WindowBounds,
  windowTickerShape,
} from "../shapes/market-data.ts";
import { type HistoryTables, idRange, type Window } from "./history-tables.ts";
import { StoredKlines } from "./stored-klines.ts";
import { TRADES } from "./trading-queries.ts";

/** `offsetMs`: how far the local time, to which klines are aligned, is ahead of UTC. */
interface KlinesAsked extends Window {
  readonly symbolId: number;
  readonly interval: KlineInterval;
  readonly offsetMs?: number;
  readonly nowMs: number;
}

interface WindowsAsked extends WindowBounds {
  readonly symbolIds: readonly number[];
}
interface WindowPageAsked extends WindowsAsked {
  readonly isOne: boolean;
  readonly isMini: boolean;
}

export const klineQueries = {
  klines(tables: HistoryTables, asked: KlinesAsked): KlineRow[] {
    // One transaction, so that all statements read the same state and no minute is folded between two of them.
    return transaction(tables.database, "DEFERRED", () =>
      asked.interval === "1s" ? secondRows(tables, asked) : storedRows(tables, asked, asked.interval),
    );
  },
  klinePage(tables: HistoryTables, asked: KlinesAsked): string {
    return JSON.stringify(klineQueries.klines(tables, asked).map(klineShape));
  },
  /** The statistics of the same window of several symbols, in their order, all from the same state. */
  windows(tables: HistoryTables, { symbolIds, ...window }: WindowsAsked): WindowTicker[] {
    return transaction(tables.database, "DEFERRED", () =>
      symbolIds.map((symbolId) => windowOf(tables, symbolId, window)),
    );
  },
  /** An object if `isOne`, otherwise an array. */
  windowPage(tables: HistoryTables, { isOne, isMini, ...asked }: WindowPageAsked): string {
    const tickers = klineQueries.windows(tables, asked);
    const shapes = isMini ? tickers.map(miniWindowShape) : tickers;
    return JSON.stringify(isOne ? shapes[0] : shapes);
  },
};

function storedRows(tables: HistoryTables, asked: KlinesAsked, interval: StoredInterval): KlineRow[] {
  const klines = new StoredKlines(tables, asked.symbolId);
  const grid = { interval, offsetMs: asked.offsetMs ?? 0 };
  const firstMs = klines.first(grid);
  if (firstMs === undefined) return [];
  const opens = openTimes(asked, firstMs);
  const [from, to] = [opens[0], opens.at(-1)];
  if (from === undefined || to === undefined) return [];
  return fill(asked, opens, klines.between(grid, from, to), () => klines.closeBefore(from));
}

/** Without trades, the prices are those of the last trade before, as in the 24 h ticker. */
function windowOf(tables: HistoryTables, symbolId: number, { fromMs, toMs, closeTimeMs }: WindowBounds): WindowTicker {
  const klines = new StoredKlines(tables, symbolId);
  const kline = klines.merged(fromMs, toMs) ?? {
    ...quietKlineDecimals(klines.closeBefore(fromMs) ?? NOTHING),
    ...{ openTimeMs: fromMs, count: 0, pastCount: 0 },
  };
  const last = tables.row<{ readonly id: number; readonly timeMs: number }>(TRADES.last, symbolId);
  const isLast = last === undefined || last.timeMs < toMs;
  const lastId = isLast ? last?.id : idRange(tables, { endTimeMs: toMs - 1, limit: 0 }, TRADES, symbolId).highId;
  const lastMs = isLast && kline.count > kline.pastCount ? (last?.timeMs ?? 0) : 0;
  const { symbol } = tables.symbol(symbolId);
  return windowTickerShape(symbol, { ...kline, closeTimeMs: Math.max(closeTimeMs, lastMs) }, lastId ?? -1);
}

// Klines of a second, which are computed from trades, so that history does not grow with every second. They begin with
// the first trade: no candle from before it is as short.

/** The maximum number of trades that a page is computed from. A page that would need more has fewer rows. */
export const MAX_TRADES_OF_SECONDS = 50_000;

// Sums may exceed 64 bits, and a single large amount of the quote asset is stored as text. The two halves of each
// integer are added up apart, and the texts are read one by one.
const halves = (amount: string, name: string): string =>
  `sum(${amount} >> 32) AS ${name}High, sum(${amount} & 4294967295) AS ${name}Low`;
const SHORT_QUOTE = "iif(typeof(quote) = 'integer', quote, 0)";

export const SECOND_SUMS = `SELECT time_ms / 1000 AS second, min(trade_id) AS firstId, max(trade_id) AS lastId,
  max(price_ticks) AS highTicks, min(price_ticks) AS lowTicks, ${halves("lots", "lots")},
  ${halves(SHORT_QUOTE, "quote")}, ${halves("lots * (1 - is_buyer_maker)", "takerBuyLots")},
  ${halves(`${SHORT_QUOTE} * (1 - is_buyer_maker)`, "takerBuyQuote")}, sum(typeof(quote) = 'text') AS longQuotes
  FROM trades WHERE symbol_id = ? AND trade_id BETWEEN ? AND ? GROUP BY second ORDER BY second`;
export const SECONDS = {
  firstTime: "SELECT time_ms AS timeMs FROM trades WHERE symbol_id = ? ORDER BY trade_id LIMIT 1",
  price: "SELECT price_ticks AS ticks FROM trades WHERE symbol_id = ? AND trade_id = ?",
  longQuotes: `SELECT quote, is_buyer_maker AS isBuyerMaker FROM trades
    WHERE symbol_id = ? AND trade_id BETWEEN ? AND ? AND typeof(quote) = 'text'`,
};

type Amount = "lots" | "quote" | "takerBuyLots" | "takerBuyQuote";
interface SecondRow extends Readonly<Record<`${Amount}${"High" | "Low"}`, number>> {
  readonly second: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly longQuotes: number;
}

const FIRST_TRADE_ID = 1;

function secondRows(tables: HistoryTables, asked: KlinesAsked): KlineRow[] {
  const { symbolId } = asked;
  const first = tables.row<{ readonly timeMs: number }>(SECONDS.firstTime, symbolId);
  if (first === undefined) return [];
  const opens = openTimes(asked, openTimeOf("1s", first.timeMs));
  const [from, to] = [opens[0], opens.at(-1)];
  if (from === undefined || to === undefined) return [];
  const ids = (startTimeMs: number, endTimeMs: number): { readonly lowId: number; readonly highId: number } => {
    const { lowId, highId } = idRange(tables, { startTimeMs, endTimeMs, limit: 0 }, TRADES, symbolId);
    return { lowId: Math.max(lowId, FIRST_TRADE_ID), highId };
  };
  let { lowId, highId } = ids(from, to + SECOND_MS - 1);
  let part = opens;
  if (highId - lowId >= MAX_TRADES_OF_SECONDS) {
    part =
      asked.startTimeMs === undefined
        ? newestPart(tables, asked, opens, highId)
        : oldestPart(tables, asked, opens, lowId);
    ({ lowId, highId } = ids(part[0] as number, (part.at(-1) as number) + SECOND_MS - 1));
  }
  const rows = tables
    .rows<SecondRow>(SECOND_SUMS, symbolId, lowId, highId)
    .map((row) => secondShape(tables, symbolId, row));
  return fill(asked, part, rows, () => priceOf(tables, symbolId, lowId - 1));
}

/** The last of these seconds, so many that they have few enough trades. At least one. */
function newestPart(
  tables: HistoryTables,
  { symbolId }: KlinesAsked,
  opens: readonly number[],
  highId: number,
): number[] {
  const cutMs = timeOf(tables, symbolId, highId - MAX_TRADES_OF_SECONDS);
  const part = opens.filter((open) => open > cutMs);
  return part.length > 0 ? part : opens.slice(-1);
}

/** The first of these seconds, so many that they have few enough trades. At least one. */
function oldestPart(
  tables: HistoryTables,
  { symbolId }: KlinesAsked,
  opens: readonly number[],
  lowId: number,
): number[] {
  const cutMs = timeOf(tables, symbolId, lowId + MAX_TRADES_OF_SECONDS);
  const part = opens.filter((open) => open + SECOND_MS <= cutMs);
  return part.length > 0 ? part : opens.slice(0, 1);
}

function timeOf(tables: HistoryTables, symbolId: number, tradeId: number): number {
  return tables.row<{ readonly timeMs: number }>(TRADES.timeFrom, symbolId, tradeId)?.timeMs ?? 0;
}

function priceOf(tables: HistoryTables, symbolId: number, tradeId: number): string | undefined {
  const row = tables.row<{ readonly ticks: number }>(SECONDS.price, symbolId, tradeId);
  return row && tables.price(symbolId, row.ticks);
}

function secondShape(tables: HistoryTables, symbolId: number, row: SecondRow): KlineRow {
  const { quantityDecimals, quote } = tables.symbol(symbolId);
  const { firstId, lastId } = row;
  const sum = (name: Amount): bigint => (BigInt(row[`${name}High`]) << 32n) + BigInt(row[`${name}Low`]);
  const long = row.longQuotes === 0 ? [] : longQuotes(tables, symbolId, row);
  const isBought = ({ isBuyerMaker }: LongQuote): boolean => isBuyerMaker === 0;
  const openTimeMs = row.second * SECOND_MS;
  return {
    openTimeMs,
    open: priceOf(tables, symbolId, firstId) as string,
    high: tables.price(symbolId, row.highTicks),
    low: tables.price(symbolId, row.lowTicks),
    close: priceOf(tables, symbolId, lastId) as string,
    volume: formatDecimal(sum("lots"), quantityDecimals),
    closeTimeMs: openTimeMs + SECOND_MS - 1,
    quoteVolume: formatDecimal(sum("quote") + total(long), quote.decimals),
    // Ids have no gaps.
    count: lastId - firstId + 1,
    takerBuyBase: formatDecimal(sum("takerBuyLots"), quantityDecimals),
    takerBuyQuote: formatDecimal(sum("takerBuyQuote") + total(long.filter(isBought)), quote.decimals),
    pastCount: 0,
  };
}

interface LongQuote {
  readonly quote: string;
  readonly isBuyerMaker: number;
}

function longQuotes(tables: HistoryTables, symbolId: number, { firstId, lastId }: SecondRow): LongQuote[] {
  return tables.rows<LongQuote>(SECONDS.longQuotes, symbolId, firstId, lastId);
}

function total(quotes: readonly LongQuote[]): bigint {
  return quotes.reduce((sum, { quote }) => sum + BigInt(quote), 0n);
}

// Intervals without trades.

/**
 * Fills gaps between `rows`, whose open times are a subset of `opens`. An interval without trades repeats the previous
 * close; `before` returns that of the first.
 */
function fill(
  { interval, offsetMs }: KlinesAsked,
  opens: readonly number[],
  rows: readonly KlineRow[],
  before: () => string | undefined,
): KlineRow[] {
  let next = 0;
  let close = rows[0]?.openTimeMs === opens[0] ? undefined : before();
  return opens.flatMap((openTimeMs) => {
    const row = rows[next];
    if (row?.openTimeMs === openTimeMs) {
      next++;
      close = row.close;
      return [row];
    }
    if (close === undefined) return [];
    const closeTimeMs = nextOpenTime(interval, openTimeMs, offsetMs) - 1;
    return [{ openTimeMs, closeTimeMs, ...quietKlineDecimals(close), count: 0, pastCount: 0 }];
  });
}

/** The open times of a window in ascending order, from the first kline to the current one. */
function openTimes(asked: KlinesAsked, firstMs: number): number[] {
  const { interval, offsetMs, nowMs, startTimeMs, limit } = asked;
  const lastMs = openTimeOf(interval, Math.max(Math.min(asked.endTimeMs ?? nowMs, nowMs), 0), offsetMs);
  const opens: number[] = [];
  if (startTimeMs === undefined) {
    for (let at = lastMs; at >= firstMs && opens.length < limit; at = openTimeOf(interval, at - 1, offsetMs)) {
      opens.push(at);
    }
    return opens.reverse();
  }
  let at = Math.max(firstMs, openTimeAtOrAfter(interval, startTimeMs, offsetMs));
  for (; at <= lastMs && opens.length < limit; at = nextOpenTime(interval, at, offsetMs)) opens.push(at);
  return opens;
}
