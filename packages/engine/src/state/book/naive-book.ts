/**
 * The simple book: two arrays sorted by priority. It is slow and obviously correct. Its behavior is the reference:
 * tests compare the fast book with it.
 */
import type { Side } from "../../entry/order-record.ts";
import type { Order } from "../order/order.ts";
import type { Book, LevelVisitor } from "./book.ts";
import { assert } from "../../assert.ts";
import { type BookStretch, type LevelLots, totalsOf } from "./ladder.ts";

export class NaiveBook implements Book {
  /** Best first: highest price, then longest in the queue. */
  private readonly bids: Order[] = [];
  /** Best first: lowest price, then longest in the queue. */
  private readonly asks: Order[] = [];

  get size(): number {
    return this.bids.length + this.asks.length;
  }

  add(order: Order): void {
    const queue = this.queue(order.side);
    const at = queue.findIndex((other) => isBetter(order, other));
    queue.splice(at === -1 ? queue.length : at, 0, order);
  }

  remove(order: Order): void {
    const queue = this.queue(order.side);
    const at = queue.indexOf(order);
    assert(at !== -1, "the order is not on the book");
    queue.splice(at, 1);
  }

  fill(order: Order, lots: number): void {
    assert(lots > 0 && lots <= order.visibleLots, "more than the book shows");
    const visibleLots = order.visibleLots - lots;
    const leftLots = order.leftLots - lots;
    order.show(visibleLots);
    if (visibleLots > 0) return;
    this.remove(order);
    if (leftLots === 0) return;
    order.show(Math.min(order.icebergLots, leftLots));
    this.add(order);
  }

  replace(order: Order, by: Order): void {
    const queue = this.queue(order.side);
    const at = queue.indexOf(order);
    assert(at !== -1, "the order is not on the book");
    queue[at] = by;
  }

  best(side: Side): Order | undefined {
    return this.queue(side)[0];
  }

  bestTicks(side: Side): number {
    return this.queue(side)[0]?.priceTicks ?? 0;
  }

  walk(side: Side, visit: LevelVisitor): void {
    const queue = this.queue(side);
    for (const priceTicks of new Set(queue.map((order) => order.priceTicks))) {
      const level = queue.filter((order) => order.priceTicks === priceTicks);
      const visible = level.reduce((sum, order) => sum + order.visibleLots, 0);
      const left = level.reduce((sum, order) => sum + order.leftLots, 0);
      if (!visit(priceTicks, visible, left - visible)) return;
    }
  }

  levelTicks(side: Side, level: number): number {
    return [...new Set(this.queue(side).map((order) => order.priceTicks))][level] ?? 0;
  }

  lotsAt(side: Side, priceTicks: number): number {
    const level = this.queue(side).filter((order) => order.priceTicks === priceTicks);
    return level.reduce((sum, order) => sum + order.leftLots, 0);
  }

  visibleLotsAt(side: Side, priceTicks: number): number {
    const level = this.queue(side).filter((order) => order.priceTicks === priceTicks);
    return level.reduce((sum, order) => sum + order.visibleLots, 0);
  }

  lotsOn(side: Side): number {
    return this.queue(side).reduce((sum, order) => sum + order.leftLots, 0);
  }

  /** One stretch for each price, computed on request. */
  *stretches(side: Side): Iterable<BookStretch> {
    const prices: LevelLots[] = [];
    this.walk(side, (priceTicks, visibleLots, hiddenLots) => {
      return prices.push({ priceTicks, visibleLots, hiddenLots }) > 0;
    });
    for (const level of prices) {
      const parts = {
        levels: () => [level],
        orders: () => this.queue(side).filter((order) => order.priceTicks === level.priceTicks),
      };
      yield { ...parts, worstTicks: level.priceTicks, totals: (scale) => totalsOf(parts, scale) };
    }
  }

  orders(side: Side): Iterable<Order> {
    return [...this.queue(side)];
  }

  check(): void {
    for (const queue of [this.bids, this.asks]) {
      const isSorted = queue.every((order, i) => i === 0 || !isBetter(order, queue[i - 1] as Order));
      assert(isSorted, "orders are in the order of priority");
    }
  }

  private queue(side: Side): Order[] {
    return side === "BUY" ? this.bids : this.asks;
  }
}

/** Whether the order's price is better than the other's. At the same price, the earlier order is first. */
function isBetter(order: Order, other: Order): boolean {
  return order.side === "BUY" ? order.priceTicks > other.priceTicks : order.priceTicks < other.priceTicks;
}
