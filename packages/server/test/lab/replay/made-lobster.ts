/**
 * Creates files of messages and of some levels of the book as LOBSTER sells them, from a full book: orders beyond the
 * levels arrive, shrink and end without a row. Shares nothing with the reader.
 */
import type { Dice } from "@pricetime/testkit/dice";

interface MadeOrder {
  readonly id: number;
  readonly direction: 1 | -1;
  /** In units of 10^-4, on ticks of 0.01. */
  readonly price: number;
  size: number;
}

export interface MadeLobster {
  readonly messages: string[];
  readonly books: string[];
  /** The rows of orders that executed. */
  readonly executions: number;
  /** Rows of hidden executions, auctions and halts. */
  readonly skipped: number;
}

const TICK = 100;
const NO_PRICE = 9_999_999_999;
/** Noon, in milliseconds after midnight. */
const NOON_MS = 43_200_000;

export class FullBook {
  readonly #dice: Dice;
  readonly #orders: MadeOrder[] = [];
  #lastId = 1000;

  constructor(dice: Dice) {
    this.#dice = dice;
    for (let n = 0; n < 300; n++) this.#event(() => {});
  }

  /** Files of so many levels and events. */
  record(levels: number, events: number): MadeLobster {
    const made = { messages: [] as string[], books: [] as string[], executions: 0, skipped: 0 };
    let timeMs = NOON_MS;
    let before = this.#row(levels);
    const tell = (type: number, id: number, size: number, price: number, direction: number): void => {
      const after = this.#row(levels);
      if (type <= 4 && after === before) return;
      before = after;
      const seconds = (timeMs / 1000).toFixed(9);
      made.messages.push(`${seconds},${type},${id},${size},${price},${direction}${this.#dice.oneIn(9) ? ",null" : ""}`);
      made.books.push(after);
      if (type === 4) made.executions++;
      if (type > 4) made.skipped++;
    };
    // The first row has a seventh column: those that have one are known by it.
    for (let n = 0; n < events; n++) {
      this.#event(tell);
      timeMs += this.#dice.pick([0, 1, 40]);
    }
    return made;
  }

  #event(tell: (type: number, id: number, size: number, price: number, direction: number) => void): void {
    const dice = this.#dice;
    const any = this.#orders[dice.below(Math.max(1, this.#orders.length))];
    const kind = dice.below(100);
    if (any === undefined || kind < 45) this.#new(tell);
    else if (kind < 55 && any.size > 1) {
      const size = dice.between(1, any.size - 1);
      any.size -= size;
      tell(2, any.id, size, any.price, any.direction);
    } else if (kind < 82) {
      this.#remove(any);
      tell(3, any.id, any.size, any.price, any.direction);
    } else if (kind < 96) this.#take(tell);
    else if (kind < 98) tell(5, 0, dice.between(1, 9), any.price + 50, any.direction);
    else if (kind < 99) tell(6, -dice.between(1, 4), dice.between(1, 500), any.price, -1);
    else tell(7, 0, 0, dice.pick([-1, 0, 1]), -1);
  }

  #new(tell: (type: number, id: number, size: number, price: number, direction: number) => void): void {
    const dice = this.#dice;
    const direction = dice.pick([1, -1] as const);
    const across = this.#best(-direction as 1 | -1)?.price ?? 1_000_000 + direction * 5 * TICK;
    const price = across - direction * TICK * dice.between(1, dice.pick([3, 8, 20]));
    const order = { id: ++this.#lastId, direction, price, size: dice.between(1, 20) };
    this.#orders.push(order);
    tell(1, order.id, order.size, price, direction);
  }

  /** One taker of several orders. */
  #take(tell: (type: number, id: number, size: number, price: number, direction: number) => void): void {
    const direction = this.#dice.pick([1, -1] as const);
    let left = this.#dice.between(1, this.#dice.pick([5, 60]));
    for (let order = this.#best(direction); order !== undefined && left > 0; order = this.#best(direction)) {
      const size = Math.min(left, order.size);
      left -= size;
      order.size -= size;
      if (order.size === 0) this.#remove(order);
      tell(4, order.id, size, order.price, direction);
    }
  }

  #remove(order: MadeOrder): void {
    this.#orders.splice(this.#orders.indexOf(order), 1);
  }

  /** The first order that a taker meets: orders are in time order. */
  #best(direction: 1 | -1): MadeOrder | undefined {
    let best: MadeOrder | undefined;
    for (const order of this.#orders) {
      if (order.direction !== direction) continue;
      if (best === undefined || direction * (order.price - best.price) > 0) best = order;
    }
    return best;
  }

  #row(levels: number): string {
    const side = (direction: 1 | -1): (readonly [number, number])[] => {
      const sums = new Map<number, number>();
      for (const order of this.#orders) {
        if (order.direction === direction) sums.set(order.price, (sums.get(order.price) ?? 0) + order.size);
      }
      const sorted = [...sums].sort(([a], [b]) => direction * (b - a));
      return Array.from({ length: levels }, (_, n) => sorted[n] ?? [-direction * NO_PRICE, 0]);
    };
    const [asks, bids] = [side(-1), side(1)];
    return asks.map((ask, n) => [...ask, ...(bids[n] ?? [])].join()).join();
  }
}
