/**
 * Reads and writes the layouts of the original exchange's public archive and of tardis.dev: trades, aggregate trades
 * and candles.
 */
import type { Side } from "@pricetime/engine";
import type { Cell, Column } from "./write-table.ts";

/** The reason why a line is invalid. The reader adds the line number. */
export class BadLine extends Error {
  override readonly name = "BadLine";
}

const [ZERO, NINE, POINT] = [48, 57, 46];
/** Maximum number of digits on either side of the decimal point. */
const MAX_DIGITS_A_SIDE = 20;
const MILLISECONDS = 13;
const MICROSECONDS = 16;

/**
 * Parses a time by its length: 13 digits are milliseconds; 16 are microseconds (spot files since 2025), truncated to
 * milliseconds.
 */
function timeOf(text: string): number {
  return timeIn(text, 0, text.length);
}

export function countOf(text: string): number {
  return countIn(text, 0, text.length);
}

/** Parses a time in place, which is faster than extracting it from the line. */
function timeIn(line: string, from: number, to: number): number {
  const value = countIn(line, from, to);
  if (to - from === MILLISECONDS) return value;
  if (to - from === MICROSECONDS) return Math.floor(value / 1000);
  throw new BadLine(`${line.slice(from, to)} is no time in milliseconds (13 digits) or microseconds (16)`);
}

/** Parses an integer in place. */
function countIn(line: string, from: number, to: number): number {
  const value = countOrNothing(line, from, to);
  if (value === undefined) throw new BadLine(`'${line.slice(from, to)}' is no whole number`);
  return value;
}

/** Parses an integer in place; undefined if there is none. */
function countOrNothing(line: string, from: number, to: number): number | undefined {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = line.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return from === to || !Number.isSafeInteger(value) ? undefined : value;
}

/**
 * Checks that the text is digits with an optional point. Hand-written for speed: a million rows have two million
 * decimals.
 */
export function decimalOf(text: string): string {
  let point = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && point === -1) point = i;
    else if (code < ZERO || code > NINE) throw new BadLine(`'${text}' is no decimal`);
  }
  const whole = point === -1 ? text.length : point;
  const places = point === -1 ? 1 : text.length - point - 1;
  if (whole < 1 || places < 1 || whole > MAX_DIGITS_A_SIDE || places > MAX_DIGITS_A_SIDE)
    throw new BadLine(`'${text}' is no decimal`);
  return text;
}

export const isBoolean = (text: string | undefined): boolean => text !== undefined && /^(true|false)$/i.test(text);

/** Spot files contain `True`, futures files `true`. */
function booleanOf(text: string): boolean {
  if (text === "True" || text === "true") return true;
  if (text === "False" || text === "false") return false;
  throw new BadLine(`'${text}' is neither true nor false`);
}

// Trades and aggregate trades of spot, um and cm futures files. `isBuyerMaker`: the buyer was the maker, so the taker
// sold.

export interface ArchiveTrade {
  readonly id: number;
  readonly timeMs: number;
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** The ids of the aggregated trades; undefined if the file has no integers there. */
  readonly firstId: number | undefined;
  readonly lastId: number | undefined;
}

/** The indexes of the columns whose place differs between files. */
export interface TradeColumns {
  readonly count: number;
  readonly time: number;
  readonly isBuyerMaker: number;
  readonly firstId: number;
  readonly lastId: number;
}

export const SPOT_TRADES: TradeColumns = { count: 7, time: 4, isBuyerMaker: 5, firstId: 0, lastId: 0 };
export const FUTURES_TRADES: TradeColumns = { count: 6, time: 4, isBuyerMaker: 5, firstId: 0, lastId: 0 };
export const SPOT_AGG_TRADES: TradeColumns = { count: 8, time: 5, isBuyerMaker: 6, firstId: 3, lastId: 4 };
export const FUTURES_AGG_TRADES: TradeColumns = { count: 7, time: 5, isBuyerMaker: 6, firstId: 3, lastId: 4 };

/** Where each column of the current line ends. Reused for speed. */
const ends: number[] = [];

/** Extracts only text columns as strings, because a million rows have seven million columns. Throws `BadLine`. */
export function readArchiveTrade(line: string, columns: TradeColumns): ArchiveTrade {
  let count = 0;
  for (let end = line.indexOf(","); end !== -1; end = line.indexOf(",", end + 1)) ends[count++] = end;
  ends[count++] = line.length;
  if (count !== columns.count) throw new BadLine(`a row has ${columns.count} columns, and here are ${count}`);
  const startOf = (column: number): number => (ends[column - 1] as number) + 1;
  const textOf = (column: number): string => line.slice(startOf(column), ends[column]);
  const id = countIn(line, 0, ends[0] as number);
  const idAt = (column: number): number | undefined =>
    column === 0 ? id : countOrNothing(line, startOf(column), ends[column] as number);
  return {
    id,
    firstId: idAt(columns.firstId),
    lastId: idAt(columns.lastId),
    timeMs: timeIn(line, startOf(columns.time), ends[columns.time] as number),
    price: decimalOf(textOf(1)),
    quantity: decimalOf(textOf(2)),
    takerSide: booleanOf(textOf(columns.isBuyerMaker)) ? "SELL" : "BUY",
  };
}

// Candles have twelve columns. The last one is unused and missing in some files.

export const KLINE_COLUMNS: readonly number[] = [12, 11];

export interface ArchiveKline {
  readonly openMs: number;
  /** The last millisecond of the candle. */
  readonly closeMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly count: number;
  readonly takerVolume: string;
  readonly takerQuoteVolume: string;
}

/** Parses a line. Throws `BadLine`. */
export function readArchiveKline(line: string): ArchiveKline {
  const fields = line.split(",").map((field) => field.trim());
  if (!KLINE_COLUMNS.includes(fields.length))
    throw new BadLine(`a candle has 12 columns, and here are ${fields.length}`);
  const [openTime, open, high, low, close, volume, closeTime, quoteVolume, count, takerVolume, takerQuoteVolume] =
    fields as [string, string, string, string, string, string, string, string, string, string, string];
  const openMs = timeOf(openTime);
  const closeMs = timeOf(closeTime);
  if (closeMs < openMs) throw new BadLine("it closes before it opens");
  return {
    ...{ openMs, closeMs, open: decimalOf(open), high: decimalOf(high), low: decimalOf(low), close: decimalOf(close) },
    ...{ volume: decimalOf(volume), quoteVolume: decimalOf(quoteVolume), count: countOf(count) },
    ...{ takerVolume: decimalOf(takerVolume), takerQuoteVolume: decimalOf(takerQuoteVolume) },
  };
}

// Trades of tardis.dev: exchange, symbol, times in microseconds, id, taker side. A file may contain several symbols,
// but only one is accepted. Rows are in the order of arrival, so times may decrease slightly.

export const TARDIS_HEADER = "exchange,symbol,timestamp,local_timestamp,id,side,price,amount";
/** The common start of all tardis.dev headers. */
const TARDIS_START = "exchange,symbol,timestamp,local_timestamp,";
const TARDIS_COLUMNS = 8;
const SIDES: Readonly<Record<string, Side>> = { buy: "BUY", sell: "SELL" };

interface TardisTrade {
  readonly timeMs: number;
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** Undefined if the exchange's ids are not integers. */
  readonly tradeId: number | undefined;
}

export const isTardisHeader = (text: string): boolean => text.startsWith(TARDIS_START);

/** Whether the header is one of trades. Other files of tardis.dev have other columns. */
export const isOfTardisTrades = (header: string): boolean => header.trim() === TARDIS_HEADER;

export function isTardisTrade(fields: readonly string[]): boolean {
  return fields.length === TARDIS_COLUMNS && /^(buy|sell|unknown)$/.test(fields[5] ?? "");
}

/** `symbol`: the symbol of the file. Throws `BadLine`. */
export function readTardisTrade(line: string, symbol: string): TardisTrade {
  const fields = line.split(",");
  if (fields.length !== TARDIS_COLUMNS) {
    throw new BadLine(`a trade of tardis has ${TARDIS_COLUMNS} columns, and here are ${fields.length}`);
  }
  const [, ofSymbol, timestamp, , id, side, price, amount] = fields as [string, ...string[]] as readonly string[];
  if (ofSymbol !== symbol) throw new BadLine(`it is of ${ofSymbol}, and the file begins with ${symbol}`);
  const takerSide = SIDES[side ?? ""];
  if (takerSide === undefined) throw new BadLine(`the taker's side is '${side}', neither buy nor sell`);
  return {
    timeMs: timeOf(timestamp ?? ""),
    price: decimalOf(price ?? ""),
    quantity: decimalOf(amount ?? ""),
    takerSide,
    tradeId: countOrNothing(id ?? "", 0, id?.length ?? 0),
  };
}

// Written files are CSV without a header, one row per trade or candle.

/** From this time on, the archive's times are in microseconds. */
const MICROSECONDS_FROM_MS = Date.UTC(2025, 0);

export const ARCHIVE_TRADE_COLUMNS: readonly Column[] = [
  ...["id", "price", "qty", "quoteQty", "time", "isBuyerMaker", "isBestMatch"].map(text),
];
export const ARCHIVE_AGG_TRADE_COLUMNS: readonly Column[] = [
  ...["id", "price", "qty", "firstId", "lastId", "time", "isBuyerMaker", "isBestMatch"].map(text),
];

function text(name: string): Column {
  return { name, kind: "text" };
}

/** Formats the time of a trade, or the open time of a candle. */
export function archiveTime(timeMs: number): Cell {
  return timeMs < MICROSECONDS_FROM_MS ? String(timeMs) : `${timeMs}000`;
}

/** Formats the close time of a candle. */
export function archiveCloseTime(timeMs: number): Cell {
  return timeMs < MICROSECONDS_FROM_MS ? String(timeMs) : `${timeMs}999`;
}

export function archiveBoolean(is: boolean): Cell {
  return is ? "True" : "False";
}
