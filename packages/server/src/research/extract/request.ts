/**
 * The parameters of an extract: kind of rows, symbols, time range, format and output; and the interface of extractors.
 */
import type { KlineInterval } from "@pricetime/protocol";
import type { EngineView, Entry, Event, MarketView, Posting } from "@pricetime/engine";
import type { Cell, RowSink } from "../market-files/write-table.ts";

export const SUBJECTS = ["orders", "trades", "book", "candles", "ledger"] as const;
export type Subject = (typeof SUBJECTS)[number];

export const TRADE_LAYOUTS = ["full", "archive", "archive-agg"] as const;
export const CANDLE_LAYOUTS = ["full", "archive"] as const;

export const FORMATS = ["csv", "parquet", "lobster"] as const;

/** `level`: the quantity at each price; `order`: the events of each order. */
export const BOOK_VIEWS = ["level", "order"] as const;

/** Levels of LOBSTER's orderbook file; a row has four numbers per level. */
export const MAX_LOBSTER_LEVELS = 1000;
/** Limited, because each symbol has an open file and buffers rows for a group. */
export const MAX_SYMBOLS_AT_ONCE = 50;

export interface ExtractRequest extends TimeRange {
  readonly subject: Subject;
  /** Empty for the ledger, which includes all assets. */
  readonly symbols: readonly string[];
  readonly format: (typeof FORMATS)[number];
  readonly layout: (typeof TRADE_LAYOUTS)[number] | (typeof CANDLE_LAYOUTS)[number];
  readonly by: (typeof BOOK_VIEWS)[number];
  readonly interval: KlineInterval;
  readonly levels: number;
  readonly withAccounts: boolean;
  /** One file; `-` for standard output. */
  readonly out?: string | undefined;
  /** A folder for several files, created if missing. */
  readonly toFolder?: string | undefined;
  readonly overwrite: boolean;
}

/** The extract is not possible. The message is one line for the user. */
export class ExtractRefused extends Error {
  override readonly name = "ExtractRefused";
}

/** `fromMs` is inclusive, `toMs` exclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Extractor {
  /** The number of rows so far. */
  readonly rows: number;
  /**
   * Processes the next entry with its events, including entries before the range. `engine` is in the state after it.
   */
  take(entry: Entry, events: readonly Event[], engine: EngineView, postings: readonly Posting[]): void;
  /** Called at the end of the journal or the range. `endMs`: all entries before this time were processed. */
  end(endMs: number): void;
}

/** A symbol at the time of its listing; its units never change. */
export interface ListedSymbol {
  readonly market: MarketView;
  readonly engine: EngineView;
}

/** An extractor whose rows go to one file, which it opens for the first row, so that no empty file is created. */
export abstract class RowExtractor implements Extractor {
  readonly #open: () => RowSink;
  #sink: RowSink | undefined;
  rows = 0;

  constructor(open: () => RowSink) {
    this.#open = open;
  }

  abstract take(...taken: Parameters<Extractor["take"]>): void;

  add(row: readonly Cell[]): void {
    this.#sink ??= this.#open();
    this.#sink.add(row);
    this.rows++;
  }

  end(_endMs: number): void {
    this.#sink?.end();
  }
}
