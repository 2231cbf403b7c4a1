/**
 * The fast book: for each side a sorted array of prices with the best at its end, where most of the
 * traffic is, and at each price a queue of orders linked through the orders themselves.
 * Best, fill and cancel cost O(1); a new price costs a binary search and a short move.
 */
import { assert, present } from "../assert.ts";
import type { Order, Side } from "../order/order.ts";
import type { Book, LevelVisitor } from "./book.ts";

class Level {
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

/** One side. `direction` turns prices so that the best is always the largest. */
class Ladder {
  private readonly direction: 1 | -1;
  /** Worst first, best last. */
  readonly levels: Level[] = [];
  private readonly byPrice = new Map<number, Level>();

  constructor(direction: 1 | -1) {
    this.direction = direction;
  }

  best(): Level | undefined {
    return this.levels[this.levels.length - 1];
  }

  at(priceTicks: number): Level | undefined {
    return this.byPrice.get(priceTicks);
  }

  open(priceTicks: number): Level {
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

export class LadderBook implements Book {
  private readonly bids = new Ladder(1);
  private readonly asks = new Ladder(-1);
  size = 0;

  add(order: Order): void {
    assert(order.level === null && order.visibleLots > 0, "an order is added once, with something to show");
    const ladder = this.ladder(order.side);
    const level = ladder.at(order.priceTicks) ?? ladder.open(order.priceTicks);
    level.push(order);
    level.visibleLots += order.visibleLots;
    level.hiddenLots += order.quantityLots - order.executedLots - order.visibleLots;
    this.size++;
  }

  remove(order: Order): void {
    const level = levelOf(order);
    level.visibleLots -= order.visibleLots;
    level.hiddenLots -= order.quantityLots - order.executedLots - order.visibleLots;
    this.unlink(order, level);
  }

  fill(order: Order, lots: number): void {
    assert(lots > 0 && lots <= order.visibleLots, "a fill takes no more than is shown");
    const level = levelOf(order);
    level.visibleLots -= lots;
    order.visibleLots -= lots;
    if (order.visibleLots > 0) return;
    const left = order.quantityLots - order.executedLots;
    if (left === 0) {
      this.unlink(order, level);
      return;
    }
    const slice = Math.min(order.icebergLots, left);
    order.visibleLots = slice;
    level.hiddenLots -= slice;
    level.visibleLots += slice;
    level.unlink(order);
    level.push(order);
  }

  best(side: Side): Order | undefined {
    return this.ladder(side).best()?.first ?? undefined;
  }

  bestTicks(side: Side): number {
    return this.ladder(side).best()?.priceTicks ?? 0;
  }

  lotsAt(side: Side, priceTicks: number): number {
    const level = this.ladder(side).at(priceTicks);
    return level === undefined ? 0 : level.visibleLots + level.hiddenLots;
  }

  walk(side: Side, visit: LevelVisitor): void {
    const { levels } = this.ladder(side);
    for (let i = levels.length - 1; i >= 0; i--) {
      const level = levels[i] as Level;
      if (!visit(level.priceTicks, level.visibleLots, level.hiddenLots)) return;
    }
  }

  *orders(side: Side): Iterable<Order> {
    const { levels } = this.ladder(side);
    for (let i = levels.length - 1; i >= 0; i--) {
      for (let order = (levels[i] as Level).first; order !== null; order = order.next) yield order;
    }
  }

  private ladder(side: Side): Ladder {
    return side === "BUY" ? this.bids : this.asks;
  }

  private unlink(order: Order, level: Level): void {
    level.unlink(order);
    this.size--;
    if (level.first !== null) return;
    assert(level.visibleLots === 0 && level.hiddenLots === 0, "an empty level shows nothing");
    this.ladder(order.side).close(level);
  }
}

function levelOf(order: Order): Level {
  return present(order.level, "the order is not on the book") as Level;
}
