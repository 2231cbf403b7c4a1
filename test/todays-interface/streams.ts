/** Market streams of today's interface. */
import { NO_BLOCK_TRADES } from "./rows.ts";

export interface StreamRow {
  readonly name: string;
  readonly isMissing?: string;
}

/** The names, with a symbol for `<symbol>`. */
export const STREAM_ROWS: readonly StreamRow[] = [
  { name: "btcusdt@trade" },
  { name: "btcusdt@aggTrade" },
  { name: "btcusdt@kline_1s" },
  { name: "btcusdt@kline_1m" },
  { name: "btcusdt@kline_1d@+08:00" },
  { name: "btcusdt@miniTicker" },
  { name: "!miniTicker@arr" },
  { name: "btcusdt@ticker" },
  ...["1h", "4h", "1d"].flatMap((window) => [{ name: `btcusdt@ticker_${window}` }, { name: `!ticker_${window}@arr` }]),
  { name: "btcusdt@bookTicker" },
  { name: "btcusdt@avgPrice" },
  { name: "btcusdt@depth5" },
  { name: "btcusdt@depth10" },
  { name: "btcusdt@depth20@100ms" },
  { name: "btcusdt@depth" },
  { name: "btcusdt@depth@100ms" },
  { name: "btcusdt@referencePrice" },
  { name: "btcusdt@blockTrade", isMissing: NO_BLOCK_TRADES },
];

/** Streams that the interface no longer has. */
export const RETIRED_STREAMS = ["!bookTicker", "!ticker@arr"];
