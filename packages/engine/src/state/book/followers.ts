/**
 * The trailing stops of one symbol and side that follow the price. A SELL follows the highest price since it began, and
 * is triggered by a fall of its delta; a BUY follows the lowest price, and is triggered by a rise. Decision 98.
 */
import { assert, present } from "../../assert.ts";
import type { Side } from "../../entry/order-record.ts";
import { BPS_IN_WHOLE } from "../../limits.ts";
import type { Order } from "../order/order.ts";
import { type Extreme, extremeOf, type Trailing } from "../order/trailing.ts";
import { Ladder, type Level } from "./ladder.ts";

/** An order that a trade has triggered, and the first price that triggers it. */
export interface Reached {
  readonly order: Order;
  readonly ticks: number;
}

/** `Number(BPS_IN_WHOLE)`, and the largest price whose product with a delta is a safe integer. */
const WHOLE = Number(BPS_IN_WHOLE);
const SAFE_TICKS = Math.floor(Number.MAX_SAFE_INTEGER / (2 * WHOLE));

/**
 * The first price, in ticks, that triggers an order with this extreme: the highest price for a SELL, the lowest for a
 * BUY. Prices are whole ticks, so nothing is lost by rounding towards the extreme. 0 if there is no extreme yet.
 */
export function triggerTicks(side: Side, extremeTicks: number, delta: number): number {
  const share = side === "SELL" ? WHOLE - delta : WHOLE + delta;
  if (extremeTicks <= SAFE_TICKS) {
    const product = extremeTicks * share;
    const rest = product % WHOLE;
    const floor = (product - rest) / WHOLE;
    return side === "SELL" || rest === 0 ? floor : floor + 1;
  }
  const up = side === "SELL" ? 0n : BPS_IN_WHOLE - 1n;
  const ticks = (BigInt(extremeTicks) * BigInt(share) + up) / BPS_IN_WHOLE;
  return Math.min(Number(ticks), Number.MAX_SAFE_INTEGER);
}

/**
 * The extreme does not depend on the delta, so all orders that began since the same price share one, and a new extreme
 * merges those that it exceeds. Among the orders of one delta, the oldest has the farthest extreme and is triggered
 * first. A trade therefore looks at the newest extremes, and at the orders only if it triggers one.
 */
export class Followers {
  private readonly side: Side;
  /** The orders of each delta, in the order in which they began to follow the price. The best level has the lowest delta. */
  private readonly queues = new Ladder("lowest");
  /** The extremes in force, from the oldest, which is the farthest from the price, to the newest. */
  private readonly extremes: Extreme[] = [];
  /** No price before this one triggers an order; null if no price does. After an order was removed, it may be too early. */
  private nextTicks: number | null = null;
  size = 0;

  constructor(side: Side) {
    this.side = side;
  }

  /** `extremeTicks` is the price from which the order follows; 0 if there was none yet. */
  add(order: Order, extremeTicks: number): void {
    assert(order.level === null, "an order waits once");
    const trailing = trailingOf(order);
    const at = this.placeOf(extremeTicks);
    let extreme = this.extremes[at];
    if (extreme?.ticks !== extremeTicks) {
      extreme = { ticks: extremeTicks, orders: 0, into: null };
      this.extremes.splice(at, 0, extreme);
    }
    extreme.orders++;
    trailing.extreme = extreme;
    this.queues.open(trailing.delta).push(order);
    this.size++;
    if (extremeTicks !== 0) this.expect(triggerTicks(this.side, extremeTicks, trailing.delta));
  }

  remove(order: Order): void {
    const trailing = trailingOf(order);
    const level = order.level as Level;
    level.unlink(order);
    if (level.first === null) this.queues.close(level);
    const extreme = present(extremeOf(trailing), "the order follows the price");
    if (--extreme.orders === 0) this.extremes.splice(this.placeOf(extreme.ticks), 1);
    trailing.extreme = null;
    if (--this.size === 0) this.nextTicks = null;
  }

  /** Moves the orders that a trade at this price triggers to `reached`. The others take it as their extreme if it is one. */
  take(priceTicks: number, reached: Reached[]): void {
    this.follow(priceTicks);
    if (this.nextTicks === null || !this.reaches(priceTicks, this.nextTicks)) return;
    for (const level of [...this.queues.levels()]) {
      let order = level.first;
      while (order !== null) {
        const ticks = this.triggerOf(order);
        if (!this.reaches(priceTicks, ticks)) break;
        const { next }: Order = order;
        this.remove(order);
        reached.push({ order, ticks });
        order = next;
      }
    }
    this.nextTicks = null;
    for (const { first } of this.queues.levels()) if (first !== null) this.expect(this.triggerOf(first));
  }

  /** Lowest delta first; among these, in the order in which they began. */
  orders(): Iterable<Order> {
    return this.queues.orders();
  }

  /** Throws if an order has another extreme than its place says, or would have been triggered by the last price. */
  check(side: Side, lastTicks: number): void {
    assert(this.side === side, "orders follow the extreme of their side");
    this.queues.check("lowest", (order) => trailingOf(order).delta, null);
    const counts = new Map<Extreme, number>();
    let size = 0;
    for (const { first } of this.queues.levels()) {
      for (let order = first; order !== null; order = order.next) {
        const extreme = present(extremeOf(trailingOf(order)), "an order that follows has an extreme");
        counts.set(extreme, (counts.get(extreme) ?? 0) + 1);
        size++;
        assert(order.side === side, "an order follows the extreme of its side");
        const earlier = order.previous === null ? null : extremeOf(trailingOf(order.previous));
        assert(earlier === null || !this.isFarther(extreme.ticks, earlier.ticks), "an older order has seen more");
        if (extreme.ticks === 0) continue;
        const ticks = this.triggerOf(order);
        assert(!this.reaches(lastTicks, ticks), "an order whose price was reached does not follow");
        const isExpected = this.nextTicks !== null && this.reaches(ticks, this.nextTicks);
        assert(isExpected, "no order is triggered before it is expected");
      }
    }
    assert(size === this.size && counts.size === this.extremes.length, "orders that follow are counted");
    for (const [place, extreme] of this.extremes.entries()) {
      const older = this.extremes[place - 1];
      assert(older === undefined || this.isFarther(older.ticks, extreme.ticks), "extremes are in their order");
      assert(!this.isFarther(lastTicks, extreme.ticks), "the last price is not beyond an extreme");
      assert(extreme.into === null && counts.get(extreme) === extreme.orders, "an extreme counts its orders");
    }
  }

  /** The last price becomes the extreme of the orders that have not seen a farther one. */
  private follow(priceTicks: number): void {
    const { extremes } = this;
    let newest = extremes.at(-1);
    if (newest === undefined || !this.isFarther(priceTicks, newest.ticks)) return;
    for (let older = extremes.at(-2); older !== undefined; older = extremes.at(-2)) {
      if (this.isFarther(older.ticks, priceTicks)) break;
      older.orders += newest.orders;
      newest.into = older;
      extremes.pop();
      newest = older;
    }
    newest.ticks = priceTicks;
    const lowest = present(this.queues.best(), "an extreme has orders").priceTicks;
    this.expect(triggerTicks(this.side, priceTicks, lowest));
  }

  /** The place of an extreme among those in force, or where it would be. */
  private placeOf(ticks: number): number {
    const { extremes } = this;
    let low = 0;
    let high = extremes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isFarther((extremes[middle] as Extreme).ticks, ticks)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private expect(ticks: number): void {
    if (this.nextTicks === null || this.reaches(this.nextTicks, ticks)) this.nextTicks = ticks;
  }

  private triggerOf(order: Order): number {
    const trailing = trailingOf(order);
    const { ticks } = present(extremeOf(trailing), "the order follows the price");
    return triggerTicks(this.side, ticks, trailing.delta);
  }

  /** Whether a price is at the trigger price or beyond it. */
  private reaches(priceTicks: number, ticks: number): boolean {
    return this.side === "SELL" ? priceTicks <= ticks : priceTicks >= ticks;
  }

  /** Whether an extreme is beyond another one. A symbol without trades has the nearest. */
  private isFarther(ticks: number, otherTicks: number): boolean {
    if (this.side === "SELL") return ticks > otherTicks;
    return ticks !== 0 && (otherTicks === 0 || ticks < otherTicks);
  }
}

function trailingOf(order: Order): Trailing {
  return present(order.trailing, "the order is a trailing stop");
}
