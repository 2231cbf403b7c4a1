/** A symbol's book, order by order: each order that comes to rest, trades, shows its next slice, or goes. */
import type { Entry, Event } from "@pricetime/engine";
import type { Column, RowSink } from "../market-files/table.ts";
import { type Extractor, type ListedSymbol, Rows, type TimeRange } from "./extractor.ts";
import { type BookChange, BookFollower } from "./follow-book.ts";

export interface BookOrderOptions extends TimeRange {
  readonly withAccounts: boolean;
}

export function bookOrderColumns({ market }: ListedSymbol, { withAccounts }: BookOrderOptions): Column[] {
  const quantity = { kind: "price", places: market.scale.quantityDecimals } as const;
  return [
    { name: "time", kind: "time" },
    { name: "seq", kind: "integer" },
    { name: "event", kind: "text" },
    { name: "orderId", kind: "integer" },
    { name: "side", kind: "text" },
    { name: "price", kind: "price", places: market.scale.priceDecimals },
    { name: "qty", ...quantity },
    { name: "shownQty", ...quantity },
    { name: "tradeId", kind: "integer", isOptional: true },
    ...(withAccounts ? ([{ name: "account", kind: "integer" }] as const) : []),
  ];
}

export class BookOrderRows implements Extractor {
  readonly #options: BookOrderOptions;
  readonly #rows: Rows;
  readonly #book: BookFollower;
  #hasBegun = false;
  #timeMs = 0;
  #seq = 0;

  constructor({ market }: ListedSymbol, options: BookOrderOptions, open: () => RowSink) {
    this.#options = options;
    this.#rows = new Rows(open);
    this.#book = new BookFollower(market.symbolId, (change) => this.#tell(change));
  }

  get rows(): number {
    return this.#rows.count;
  }

  take({ timeMs, seq }: Entry, events: readonly Event[]): void {
    if (!this.#hasBegun && timeMs >= this.#options.fromMs) this.#begin(seq - 1);
    this.#timeMs = timeMs;
    this.#seq = seq;
    this.#book.take(events);
  }

  end(): void {
    this.#rows.end();
  }

  /** Tells what stands when the range begins: the best price first, at each price who trades first. */
  #begin(seq: number): void {
    this.#hasBegun = true;
    this.#timeMs = this.#options.fromMs;
    this.#seq = seq;
    for (const order of [...this.#book.standing("BUY"), ...this.#book.standing("SELL")]) {
      this.#tell({ kind: "standing", order, lots: order.shownLots, tradeId: 0 });
    }
  }

  #tell({ kind, order, lots, tradeId }: BookChange): void {
    if (!this.#hasBegun) return;
    const { orderId, side, priceTicks, accountId } = order;
    const shownLots = kind === "remove" ? 0 : order.shownLots;
    this.#rows.add([
      ...[this.#timeMs, this.#seq, kind, orderId, side, priceTicks, lots, shownLots],
      tradeId === 0 ? null : tradeId,
      ...(this.#options.withAccounts ? [accountId] : []),
    ]);
  }
}
