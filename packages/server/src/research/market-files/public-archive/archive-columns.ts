/** Trades and candles as the parent's public archive has them: CSV without a header, one row a trade or candle. */
import type { Cell, Column } from "../table.ts";

/** From here on the archive's times are in microseconds. */
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

/** The time of a trade, or of a candle's opening. */
export function archiveTime(timeMs: number): Cell {
  return timeMs < MICROSECONDS_FROM_MS ? String(timeMs) : `${timeMs}000`;
}

/** The last moment of a candle that ends before `timeMs` is over. */
export function archiveCloseTime(timeMs: number): Cell {
  return timeMs < MICROSECONDS_FROM_MS ? String(timeMs) : `${timeMs}999`;
}

export function archiveBoolean(is: boolean): Cell {
  return is ? "True" : "False";
}
