/** The orders at one price, oldest first, linked through the orders themselves: push and unlink cost O(1). */
import { assert } from "../../assert.ts";
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

  /** Throws when the orders are not linked, or `lots` of each do not make the totals. */
  check(lots: (order: Order) => readonly [visible: number, hidden: number]): void {
    let [visibleLots, hiddenLots] = [0, 0];
    let previous: Order | null = null;
    for (let order = this.first; order !== null; order = order.next) {
      assert(order.level === this && order.previous === previous, "orders at a price know their neighbours");
      const [visible, hidden] = lots(order);
      visibleLots += visible;
      hiddenLots += hidden;
      previous = order;
    }
    assert(previous !== null && this.last === previous, "a price has orders, up to its last");
    // Totals that no number holds exactly depend on the order in which they came to be.
    if (visibleLots + hiddenLots > Number.MAX_SAFE_INTEGER) return;
    assert(this.visibleLots === visibleLots && this.hiddenLots === hiddenLots, "a price has the lots of its orders");
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
