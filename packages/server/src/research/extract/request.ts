/**
 * What an extract is of: which rows of which symbols, from when to when, how written and where; and what the makers
 * of rows have in common.
 */
import type { KlineInterval } from "@pricetime/protocol";
import type { EngineView, Entry, Event, MarketView, Posting } from "@pricetime/engine";
import type { Cell, RowSink } from "../market-files/write-table.ts";

export const SUBJECTS = ["orders", "trades", "book", "candles", "ledger"] as const;
export type Subject = (typeof SUBJECTS)[number];

export const TRADE_LAYOUTS = ["full", "archive", "archive-agg"] as const;
export const CANDLE_LAYOUTS = ["full", "archive"] as const;

export const FORMATS = ["csv", "parquet", "lobster"] as const;

/** How a book is told: by level what a price shows now, by order what happens to each. */
export const BOOK_VIEWS = ["level", "order"] as const;

/** Levels of LOBSTER's orderbook file: a row of it has four numbers a level. */
export const MAX_LOBSTER_LEVELS = 1000;
/** A file stays open for each, and rows are kept until there are enough for a group. */
export const MAX_SYMBOLS_AT_ONCE = 50;

export interface ExtractRequest extends TimeRange {
  readonly subject: Subject;
  /** Empty for the ledger, which is of all assets. */
  readonly symbols: readonly string[];
  readonly format: (typeof FORMATS)[number];
  readonly layout: (typeof TRADE_LAYOUTS)[number] | (typeof CANDLE_LAYOUTS)[number];
  readonly by: (typeof BOOK_VIEWS)[number];
  readonly interval: KlineInterval;
  readonly levels: number;
  readonly withAccounts: boolean;
  /** One file; `-` for standard output. */
  readonly out?: string | undefined;
  /** A folder for several, made when it is missing. */
  readonly toFolder?: string | undefined;
  readonly overwrite: boolean;
}

/** The extract cannot be made as asked. The message is one line for the person who asked. */
export class ExtractRefused extends Error {
  override readonly name = "ExtractRefused";
}

// Extractors make rows from a journal while it is replayed, one for each symbol and subject.

/** From `fromMs` on, before `toMs`. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Extractor {
  /** The rows so far. */
  readonly rows: number;
  /** Takes the next entry with its events, also before the range. `engine` is in the state after it. */
  take(entry: Entry, events: readonly Event[], engine: EngineView, postings: readonly Posting[]): void;
  /** The journal, or the range, is over. `endMs`: no later entry was read, and none before it was left out. */
  end(endMs: number): void;
}

/** A symbol at the moment of its listing; its units stay. */
export interface ListedSymbol {
  readonly market: MarketView;
  readonly engine: EngineView;
}

/** Opens the file when the first row comes: where there is nothing to tell there is no file. */
export class Rows {
  readonly #open: () => RowSink;
  #sink: RowSink | undefined;
  count = 0;

  constructor(open: () => RowSink) {
    this.#open = open;
  }

  add(row: readonly Cell[]): void {
    this.#sink ??= this.#open();
    this.#sink.add(row);
    this.count++;
  }

  end(): void {
    this.#sink?.end();
  }
}
