/**
 * The parameters of an extract (kind of rows, symbols, time range, format and output), and the interface of extractors.
 */
import type { StoredInterval } from "@pricetime/protocol";
import type { EngineView, Entry, Event, MarketView, Posting } from "@pricetime/engine";
import type { Cell, RowSink } from "../market-files/write-table.ts";

export const SUBJECTS = ["orders", "trades", "book", "candles", "ledger"] as const;
export type Subject = (typeof SUBJECTS)[number];

export const TRADE_LAYOUTS = ["full", "archive", "archive-agg"] as const;
export const CANDLE_LAYOUTS = ["full", "archive"] as const;

export const FORMATS = ["csv", "parquet", "lobster"] as const;

/** `level`: the quantity at each price; `order`: the events of each order. */
export const BOOK_VIEWS = ["level", "order"] as const;

/** Maximum number of levels in LOBSTER's orderbook file; a row has four numbers per level. */
export const MAX_LOBSTER_LEVELS = 1000;
/** Maximum number of symbols per extract, because each has an open file and buffered rows. */
export const MAX_SYMBOLS_AT_ONCE = 50;

export interface ExtractRequest extends TimeRange {
  readonly subject: Subject;
  /** The symbols; empty for the ledger, which includes all assets. */
  readonly symbols: readonly string[];
  readonly format: (typeof FORMATS)[number];
  readonly layout: (typeof TRADE_LAYOUTS)[number] | (typeof CANDLE_LAYOUTS)[number];
  readonly by: (typeof BOOK_VIEWS)[number];
  readonly interval: StoredInterval;
  readonly levels: number;
  readonly withAccounts: boolean;
  /** The output file, or `-` for standard output. */
  readonly out?: string | undefined;
  /** A folder for several output files; created if missing. */
  readonly toFolder?: string | undefined;
  readonly overwrite: boolean;
}

/** The extract is not possible; the message is one line for the user. */
export class ExtractRefused extends Error {
  override readonly name = "ExtractRefused";
}

/** `fromMs` is inclusive, `toMs` exclusive. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Extractor {
  /** Number of rows written so far. */
  readonly rows: number;
  /**
   * Processes the next entry with its events, including entries before the range. `engine` is in the state after the
   * entry.
   */
  take(entry: Entry, events: readonly Event[], engine: EngineView, postings: readonly Posting[]): void;
  /** Called at the end of the journal or range. `endMs`: all entries before this time were processed. */
  end(endMs: number): void;
}

/** A symbol as of its listing. Its units never change. */
export interface ListedSymbol {
  readonly market: MarketView;
  readonly engine: EngineView;
}

/** An extractor that writes to one file. The file is opened for the first row, so that no empty file is created. */
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
