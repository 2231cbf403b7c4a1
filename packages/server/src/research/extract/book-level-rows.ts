/** A symbol's book, level by level: after each entry what its changed prices show now, as a depth stream tells it. */
import type { Entry, Event, Side } from "@pricetime/engine";
import type { Column, RowSink } from "../market-files/table.ts";
import { type Extractor, type ListedSymbol, Rows, type TimeRange } from "./extractor.ts";
import { type BookChange, BookFollower } from "./follow-book.ts";

export function bookLevelColumns({ market }: ListedSymbol): Column[] {
  return [
    { name: "time", kind: "time" },
    { name: "seq", kind: "integer" },
    { name: "isSnapshot", kind: "boolean" },
    { name: "side", kind: "text" },
    { name: "price", kind: "price", places: market.scale.priceDecimals },
    { name: "qty", kind: "price", places: market.scale.quantityDecimals },
  ];
}

export class BookLevelRows implements Extractor {
  readonly #range: TimeRange;
  readonly #rows: Rows;
  readonly #book: BookFollower;
  readonly #levels: Readonly<Record<Side, Map<number, number>>> = { BUY: new Map(), SELL: new Map() };
  /** The levels that the entry has touched, with what they showed before it. */
  readonly #touched: Readonly<Record<Side, Map<number, number>>> = { BUY: new Map(), SELL: new Map() };
  #hasBegun = false;

  constructor({ market }: ListedSymbol, range: TimeRange, open: () => RowSink) {
    this.#range = range;
    this.#rows = new Rows(open);
    this.#book = new BookFollower(market.symbolId, (change) => this.#change(change));
  }

  get rows(): number {
    return this.#rows.count;
  }

  take(entry: Entry, events: readonly Event[]): void {
    if (!this.#hasBegun && entry.timeMs >= this.#range.fromMs) this.#begin(entry.seq - 1);
    if (!this.#book.take(events)) return;
    for (const side of ["BUY", "SELL"] as const) {
      for (const [priceTicks, before] of this.#touched[side]) {
        const lots = this.#levels[side].get(priceTicks) ?? 0;
        if (this.#hasBegun && lots !== before) {
          this.#rows.add([entry.timeMs, entry.seq, false, side, priceTicks, lots]);
        }
      }
      this.#touched[side].clear();
    }
  }

  end(): void {
    this.#rows.end();
  }

  /** Tells what stands when the range begins, the best price first. */
  #begin(seq: number): void {
    this.#hasBegun = true;
    for (const side of ["BUY", "SELL"] as const) {
      const order = side === "BUY" ? -1 : 1;
      for (const [priceTicks, lots] of [...this.#levels[side]].sort(([a], [b]) => order * (a - b))) {
        this.#rows.add([this.#range.fromMs, seq, true, side, priceTicks, lots]);
      }
    }
  }

  #change({ kind, order: { side, priceTicks }, lots }: BookChange): void {
    const levels = this.#levels[side];
    const before = levels.get(priceTicks) ?? 0;
    if (!this.#touched[side].has(priceTicks)) this.#touched[side].set(priceTicks, before);
    const after = kind === "add" || kind === "refresh" ? before + lots : before - lots;
    if (after === 0) levels.delete(priceTicks);
    else levels.set(priceTicks, after);
  }
}
