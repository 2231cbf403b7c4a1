/** Extractors make rows from a journal while it is replayed, one for each symbol and subject; this is what all share. */
import type { EngineView, Entry, Event, MarketView, Posting } from "@pricetime/engine";
import type { Cell, RowSink } from "../market-files/table.ts";

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
