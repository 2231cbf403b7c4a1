/**
 * The engine's own book with plain matching: no accounts, balances, filters or events, only what the compared libraries
 * provide as well, fills and cancels by ID.
 */
import { LadderBook, Order, OrderTable, type OrderTerms, type Side } from "@pricetime/engine";

export interface BareFill {
  readonly makerId: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly makerIsDone: boolean;
}

const NO_FILLS: readonly BareFill[] = Object.freeze([]);

export class BareBooks {
  readonly #books: LadderBook[];
  readonly #bids: readonly OrderTerms[];
  readonly #asks: readonly OrderTerms[];
  readonly #open = new OrderTable();

  constructor(symbols: number) {
    this.#books = Array.from({ length: symbols }, () => new LadderBook());
    this.#bids = this.#books.map((_, symbolId) => termsOf(symbolId, "BUY"));
    this.#asks = this.#books.map((_, symbolId) => termsOf(symbolId, "SELL"));
  }

  bestTicks(symbolId: number, ofBids: boolean): number {
    return this.#book(symbolId).bestTicks(ofBids ? "BUY" : "SELL");
  }

  place(symbolId: number, orderId: number, buys: boolean, ticks: number, lots: number): readonly BareFill[] {
    const book = this.#book(symbolId);
    const opposite = buys ? "SELL" : "BUY";
    let fills: BareFill[] | null = null;
    let left = lots;
    while (left > 0) {
      const maker = book.best(opposite);
      if (maker === undefined || (buys ? maker.priceTicks > ticks : maker.priceTicks < ticks)) break;
      const traded = Math.min(left, maker.visibleLots);
      left -= traded;
      book.fill(maker, traded);
      maker.execute({ lots: traded, prevented: null, quote: 0n, commission: 0n }, 0);
      const makerIsDone = maker.executedLots === maker.quantityLots;
      if (makerIsDone) this.#open.remove(maker);
      const fill = { makerId: maker.orderId, priceTicks: maker.priceTicks, lots: traded, makerIsDone };
      if (fills === null) fills = [fill];
      else fills.push(fill);
    }
    if (left > 0) {
      const terms = (buys ? this.#bids : this.#asks)[symbolId] as OrderTerms;
      const order = new Order(orderId, terms, null, { accountId: 0, clientOrderId: "", priceTicks: ticks }, left, 0);
      book.add(order);
      this.#open.add(order);
    }
    return fills ?? NO_FILLS;
  }

  /** False if no such order is open. */
  cancel(orderId: number): boolean {
    const order = this.#open.get(orderId);
    if (order === undefined) return false;
    this.#open.remove(order);
    this.#book(order.symbolId).remove(order);
    return true;
  }

  restingLots(): number {
    let resting = 0;
    for (const book of this.#books) {
      for (const side of ["BUY", "SELL"] as const) {
        book.walk(side, (_, visibleLots) => (resting += visibleLots) > 0);
      }
    }
    return resting;
  }

  #book(symbolId: number): LadderBook {
    const book = this.#books[symbolId];
    if (book === undefined) throw new Error(`no book ${symbolId}`);
    return book;
  }
}

function termsOf(symbolId: number, side: Side): OrderTerms {
  return { symbolId, side, type: "LIMIT", timeInForce: "GTC", selfTradePrevention: "NONE", expiryReason: "NONE" };
}
