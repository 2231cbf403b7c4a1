/** Which layout a file has, by the columns of its first row, and how its rows are read. */
import { lobsterDayOf } from "./lobster/lobster-day.ts";
import { MESSAGE_COLUMNS, readMessage } from "./lobster/message-columns.ts";
import { BadLine, isBoolean } from "./public-archive/columns.ts";
import { KLINE_COLUMNS, readArchiveKline } from "./public-archive/kline-columns.ts";
import {
  FUTURES_AGG_TRADES,
  FUTURES_TRADES,
  readArchiveTrade,
  SPOT_AGG_TRADES,
  SPOT_TRADES,
  type TradeColumns,
} from "./public-archive/trade-columns.ts";
import { isHead, readHead, readRecordedTrade } from "./recording/recording-lines.ts";
import type { Layout, MarketRow } from "./rows.ts";

/** The row of a line; null: the line has none. `id`: rows of one file have ascending ones, if any. Throws `BadLine`. */
export type ReadRow = (text: string, line: number) => { readonly row: MarketRow; readonly id?: number } | null;

export interface FoundLayout {
  readonly layout: Layout;
  readonly read: ReadRow;
}

/** The first line of some files names the columns. */
export const isHeader = (text: string): boolean => !/^[\s"']*[0-9{]/.test(text);

/** The first line that is no header decides. Throws `BadLine`, and `BadMarketFile` for what stands beside the file. */
export async function layoutOf(path: string, text: string): Promise<FoundLayout> {
  if (isHead(text)) {
    readHead(text);
    return { layout: "recording", read: readRecording };
  }
  const fields = text.split(",");
  const trades = tradeColumnsOf(fields);
  if (trades !== undefined) return trades;
  if (fields.length === KLINE_COLUMNS) return { layout: "klines", read: readKline };
  if (fields.length === MESSAGE_COLUMNS && /^-?1$/.test(fields[5] ?? "")) return lobster(path);
  throw new BadLine(
    `${fields.length} columns as these are no layout that is known: trades, aggTrades, klines, lobster`,
  );
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
  const { id, timeMs, price, quantity, takerSide } = readArchiveTrade(text, columns);
  return { id, row: { kind: "trade", timeMs, line, price, quantity, takerSide } };
}

const readKline: ReadRow = (text, line) => {
  const { openMs: timeMs, closeMs, open, high, low, close, volume, takerVolume: takerBought } = readArchiveKline(text);
  return { row: { kind: "candle", timeMs, closeMs, line, open, high, low, close, volume, takerBought } };
};

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
  return trade && { id: trade.id, row: { kind: "trade", line, ...trade } };
};
