/** The orders at one price, oldest first, linked through the orders themselves: push and unlink cost O(1). */
import type { Order } from "../order/order.ts";

export class Level {
  readonly priceTicks: number;
  visibleLots = 0;
  hiddenLots = 0;
  first: Order | null = null;
  last: Order | null = null;
  /** The rung that holds the level. */
  rung: { forgetTotals(): void } | null = null;

  constructor(priceTicks: number) {
    this.priceTicks = priceTicks;
  }

  /** Adds lots to the level's totals; negative numbers subtract. */
  add(visibleLots: number, hiddenLots: number): void {
    this.visibleLots += visibleLots;
    this.hiddenLots += hiddenLots;
    this.rung?.forgetTotals();
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
