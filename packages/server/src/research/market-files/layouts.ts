/** Detects the layout of a file from its first row, and selects the function that reads its rows. */
import {
  type CandleRow,
  intervalOfMost,
  type Layout,
  lengthAt,
  MARKET_FILE_LIMITS,
  type MarketRow,
  slotOf,
} from "./rows.ts";
import type { KlineInterval } from "@pricetime/protocol";
import { isOrderbookFile, lobsterDayOf, MESSAGE_COLUMNS, readMessage } from "./lobster-files.ts";
import {
  type ArchiveKline,
  BadLine,
  FUTURES_AGG_TRADES,
  FUTURES_TRADES,
  isBoolean,
  isOfTardisTrades,
  isTardisHeader,
  isTardisTrade,
  KLINE_COLUMNS,
  readArchiveKline,
  readArchiveTrade,
  readTardisTrade,
  SPOT_AGG_TRADES,
  SPOT_TRADES,
  TARDIS_HEADER,
  type TradeColumns,
} from "./public-archive.ts";
import { isHead, readHead, readRecordedTrade } from "./recording-lines.ts";

/** Reads the row in a line, or null if the line has none. `id`: must ascend within a file. Throws `BadLine`. */
export type ReadRow = (text: string, line: number) => { readonly row: MarketRow; readonly id?: number } | null;

export interface FoundLayout {
  readonly layout: Layout;
  readonly read: ReadRow;
  /**
   * Whether rows are in the order of arrival. A time slightly before the previous row's is replaced by the previous
   * one.
   */
  readonly isByArrival?: boolean;
}

/** Whether the line is a header with column names. */
export const isHeader = (text: string): boolean => !/^[\s"']*[0-9{[]/.test(text) && !isTardisTrade(text.split(","));

/** The beginning of a file. */
export interface Beginning {
  readonly path: string;
  /** The header line; undefined if there is none. */
  readonly header: string | undefined;
  readonly first: string;
  /** Returns one following line per call; undefined at the end. */
  readonly next: () => Promise<string | undefined>;
}

/**
 * Determines the layout from the first line after the header. Throws `BadLine`, and `BadMarketFile` for accompanying
 * files.
 */
export async function layoutOf(beginning: Beginning): Promise<FoundLayout> {
  const { path, header, first } = beginning;
  if (isHead(first)) {
    readHead(first);
    return { layout: "recording", read: readRecording };
  }
  if (isOrderbookFile(path)) {
    throw new BadLine("it is LOBSTER's file of the book: name its file of messages, and this one is found beside it");
  }
  const fields = first.split(",");
  if (header !== undefined && isTardisHeader(header) && !isOfTardisTrades(header)) throw unknown(beginning);
  const trades = isTardisTrade(fields) ? tardis(fields[1] as string) : tradeColumnsOf(fields);
  if (trades !== undefined) return trades;
  if (MESSAGE_COLUMNS.includes(fields.length) && /^-?1$/.test(fields[5] ?? "")) return lobster(path);
  if (KLINE_COLUMNS.includes(fields.length)) return klines(beginning);
  throw unknown(beginning);
}

const KNOWN = [
  "trades (7 columns, of futures 6)",
  "aggTrades (8 columns, of futures 7)",
  "klines (12 columns)",
  "lobster (messages: 6 or 7 columns)",
  `trades of tardis (${TARDIS_HEADER})`,
  "recording (JSON lines of lab record)",
].join("; ");
const SHOWN_LENGTH = 100;

function unknown({ header, first }: Beginning): BadLine {
  const seen = header ?? first;
  const shown = seen.length > SHOWN_LENGTH ? `${seen.slice(0, SHOWN_LENGTH)}…` : seen;
  const what = /^[\s]*[{[]/.test(first) ? "JSON" : `${first.split(",").length} columns`;
  return new BadLine(`${what} as here (${shown}) are no layout that is known: ${KNOWN}`);
}

function tradeColumnsOf(fields: readonly string[]): FoundLayout | undefined {
  const booleans = fields.flatMap((field, index) => (isBoolean(field) ? [index] : [])).join();
  const found: Readonly<Record<string, readonly ["trades" | "aggTrades", TradeColumns]>> = {
    "7 5,6": ["trades", SPOT_TRADES],
    "6 5": ["trades", FUTURES_TRADES],
    "8 6,7": ["aggTrades", SPOT_AGG_TRADES],
    "7 6": ["aggTrades", FUTURES_AGG_TRADES],
  };
  const [layout, columns] = found[`${fields.length} ${booleans}`] ?? [];
  if (layout === undefined || columns === undefined) return undefined;
  return { layout, read: (text, line) => readTrade(text, line, columns) };
}

function readTrade(text: string, line: number, columns: TradeColumns): ReturnType<ReadRow> {
  const { id, ...trade } = readArchiveTrade(text, columns);
  return { id, row: { kind: "trade", line, ...trade } };
}

function tardis(symbol: string): FoundLayout {
  const read: ReadRow = (text, line) => {
    const { tradeId, ...trade } = readTardisTrade(text, symbol);
    return { row: { kind: "trade", line, ...trade, firstId: tradeId, lastId: tradeId } };
  };
  return { layout: "trades", read, isByArrival: true };
}

/** The layout of candles. The file's interval is the most frequent length of its first candles. */
async function klines({ first, next }: Beginning): Promise<FoundLayout> {
  const candles = [readArchiveKline(first)];
  while (candles.length < MARKET_FILE_LIMITS.measuredCandles) {
    const line = await next();
    if (line === undefined) break;
    const candle = line.trim() === "" ? undefined : readIfGood(line);
    if (candle !== undefined) candles.push(candle);
  }
  const interval = intervalOfMost(candles);
  return { layout: "klines", read: (text, line) => ({ row: candleRow(readArchiveKline(text), interval, line) }) };
}

/** Parses a line without throwing: an invalid line is reported when the reader reaches it. */
function readIfGood(line: string): ArchiveKline | undefined {
  try {
    return readArchiveKline(line);
  } catch (error) {
    if (error instanceof BadLine) return undefined;
    throw error;
  }
}

function candleRow(kline: ArchiveKline, interval: KlineInterval | undefined, line: number): CandleRow {
  const { openMs: timeMs, takerVolume: takerBought, takerQuoteVolume: takerPaid, ...rest } = kline;
  const row = { kind: "candle", timeMs, line, takerBought, takerPaid, ...rest } as const;
  if (interval === undefined) return { ...row, interval, slotMs: timeMs, oddity: null };
  const slotMs = slotOf(interval, timeMs);
  const lengthMs = lengthAt(interval, timeMs);
  const lastsMs = rest.closeMs + 1 - timeMs;
  if (lastsMs > lengthMs) throw new BadLine(`it lasts ${lastsMs} ms, and candles of this file are of ${interval}`);
  const oddity = slotMs !== timeMs ? "shifted" : lastsMs < lengthMs ? "cut short" : null;
  return { ...row, interval, slotMs, oddity };
}

async function lobster(path: string): Promise<FoundLayout> {
  const { startMs, priceScale, sizeScale } = await lobsterDayOf(path);
  const read: ReadRow = (text, line) => {
    const { afterMidnightMs, ...message } = readMessage(text);
    return { row: { kind: "message", timeMs: startMs + afterMidnightMs, line, priceScale, sizeScale, ...message } };
  };
  return { layout: "lobster", read };
}

const readRecording: ReadRow = (text, line) => {
  if (line === 1) return null;
  const trade = readRecordedTrade(text);
  if (trade === null) return null;
  const { id, ...rest } = trade;
  return { id, row: { kind: "trade", line, ...rest, firstId: id, lastId: id } };
};
