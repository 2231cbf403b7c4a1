/** Writes one day of a symbol in LOBSTER's layout: messages, the book after each message, and metadata. */
import type { OutputFile } from "./output-file.ts";
import {
  LOBSTER_TYPE,
  type LobsterMeta,
  lobsterNames,
  type LobsterRow,
  NO_ASK,
  NO_BID,
  NS_A_MS,
} from "./lobster-files.ts";

const NS_A_SECOND = 1_000_000_000;

export class LobsterDay {
  readonly #message: OutputFile;
  readonly #orderbook: OutputFile;

  /** `create`: creates a file with the given name. */
  constructor(meta: LobsterMeta, create: (name: string) => OutputFile) {
    const names = lobsterNames(meta);
    this.#message = create(names.message);
    this.#orderbook = create(names.orderbook);
    create(names.meta).addText(`${JSON.stringify(meta)}\n`);
  }

  /** Writes a message. `book` is the state after it. */
  add({ timeNs, type, orderId, size, price, direction }: LobsterRow, book: VisibleBook): void {
    this.#message.addText(`${secondsText(timeNs)},${type},${orderId},${size},${price},${direction}\n`);
    this.#orderbook.addText(`${book.line()}\n`);
  }
}

/** Applies a message to the book. Hidden executions and halts do not change the book. */
export function applyMessage(book: VisibleBook, { type, size, price, direction }: LobsterRow): void {
  if (type === LOBSTER_TYPE.newOrder) book.add(direction, price, size);
  else if (type <= LOBSTER_TYPE.execution) book.add(direction, price, -size);
}

/** Formats seconds with 3 decimals, or with 9 if the time is finer. */
function secondsText(timeNs: number): string {
  const seconds = Math.floor(timeNs / NS_A_SECOND);
  const rest = timeNs - seconds * NS_A_SECOND;
  const digits = rest % NS_A_MS === 0 ? String(rest / NS_A_MS).padStart(3, "0") : String(rest).padStart(9, "0");
  return `${seconds}.${digits}`;
}

// The visible lots at each price of both sides. LOBSTER's orderbook file contains the best levels.

export class VisibleBook {
  readonly #bids: VisibleSide;
  readonly #asks: VisibleSide;
  /** The levels written to the previous line. Most messages do not change them. */
  #shownAsks: readonly string[] | undefined;
  #shownBids: readonly string[] | undefined;
  #line = "";

  constructor(levels: number) {
    this.#bids = new VisibleSide(levels, -1, `${NO_BID},0`);
    this.#asks = new VisibleSide(levels, 1, `${NO_ASK},0`);
  }

  /** Adds lots at a price; negative lots are subtracted. */
  add(direction: 1 | -1, price: number, lots: number): void {
    (direction === 1 ? this.#bids : this.#asks).add(price, lots);
  }

  /** Price and size of the best ask, the best bid, the next ask, the next bid, and so on. */
  line(): string {
    const asks = this.#asks.best();
    const bids = this.#bids.best();
    if (asks === this.#shownAsks && bids === this.#shownBids) return this.#line;
    [this.#shownAsks, this.#shownBids] = [asks, bids];
    this.#line = `${asks[0]},${bids[0]}`;
    for (let i = 1; i < asks.length; i++) this.#line += `,${asks[i]},${bids[i]}`;
    return this.#line;
  }
}

class VisibleSide {
  readonly #levels: number;
  /** 1 if the lowest price is the best. */
  readonly #order: 1 | -1;
  readonly #absent: string;
  /** Prices from worst to best: most changes are near the best price, which is then near the end of the array. */
  readonly #prices: number[] = [];
  readonly #lots = new Map<number, number>();
  /** The text of the best levels; undefined after a change. */
  #best: readonly string[] | undefined;

  constructor(levels: number, order: 1 | -1, absent: string) {
    this.#levels = levels;
    this.#order = order;
    this.#absent = absent;
  }

  add(price: number, lots: number): void {
    const before = this.#lots.get(price);
    const after = (before ?? 0) + lots;
    const at = this.#placeOf(price);
    if (this.#prices.length - at <= this.#levels) this.#best = undefined;
    if (before === undefined) this.#prices.splice(at, 0, price);
    if (after === 0) {
      this.#prices.splice(at, 1);
      this.#lots.delete(price);
    } else this.#lots.set(price, after);
  }

  best(): readonly string[] {
    this.#best ??= Array.from({ length: this.#levels }, (_, i) => {
      const price = this.#prices[this.#prices.length - 1 - i];
      return price === undefined ? this.#absent : `${price},${this.#lots.get(price)}`;
    });
    return this.#best;
  }

  /** The index of the price, or the index at which to insert it. */
  #placeOf(price: number): number {
    const rank = price * this.#order;
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#prices[middle] as number) * this.#order > rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
