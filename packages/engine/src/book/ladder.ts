/**
 * One side of the market: a sorted array of prices with the best at its end, where most of the
 * traffic is, and at each price a queue of orders linked through the orders themselves. Best, push
 * and unlink cost O(1); a new price costs a binary search and a short move.
 */
import type { Order } from "../order/order.ts";

export class Level {
  readonly priceTicks: number;
  visibleLots = 0;
  hiddenLots = 0;
  first: Order | null = null;
  last: Order | null = null;

  constructor(priceTicks: number) {
    this.priceTicks = priceTicks;
  }

  push(order: Order): void {
    order.level = this;
    order.previous = this.last;
    order.next = null;
    if (this.last === null) this.first = order;
    else this.last.next = order;
    this.last = order;
  }

  unlink(order: Order): void {
    if (order.previous === null) this.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) this.last = order.previous;
    else order.next.previous = order.previous;
    order.previous = null;
    order.next = null;
    order.level = null;
  }
}

/** Which price comes first: the highest (bids) or the lowest (asks). */
export type BestPrice = "highest" | "lowest";

export class Ladder {
  /** Worst first, best last. */
  readonly levels: Level[] = [];
  /** Turns prices so that the best is always the largest. */
  private readonly direction: 1 | -1;
  private readonly byPrice = new Map<number, Level>();

  constructor(best: BestPrice) {
    this.direction = best === "highest" ? 1 : -1;
  }

  best(): Level | undefined {
    return this.levels[this.levels.length - 1];
  }

  at(priceTicks: number): Level | undefined {
    return this.byPrice.get(priceTicks);
  }

  /** The level at a price, made if there is none. */
  open(priceTicks: number): Level {
    const there = this.byPrice.get(priceTicks);
    if (there !== undefined) return there;
    const level = new Level(priceTicks);
    this.byPrice.set(priceTicks, level);
    const index = this.indexOf(priceTicks);
    if (index === this.levels.length) this.levels.push(level);
    else this.levels.splice(index, 0, level);
    return level;
  }

  close(level: Level): void {
    this.byPrice.delete(level.priceTicks);
    const index = this.indexOf(level.priceTicks);
    if (index === this.levels.length - 1) this.levels.pop();
    else this.levels.splice(index, 1);
  }

  /** Best price first, oldest first. */
  *orders(): Iterable<Order> {
    for (let i = this.levels.length - 1; i >= 0; i--) {
      for (let order = (this.levels[i] as Level).first; order !== null; order = order.next) yield order;
    }
  }

  /** The first place whose price is not worse. */
  private indexOf(priceTicks: number): number {
    const key = priceTicks * this.direction;
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.levels[middle] as Level).priceTicks * this.direction < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
