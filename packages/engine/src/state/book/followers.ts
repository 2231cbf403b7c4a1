/**
 * The trailing stops of one symbol and side that follow the price. A SELL follows the highest price since it began, and
 * is triggered by a fall of its delta; a BUY follows the lowest price, and is triggered by a rise. Decision 98.
 */
import { assert, present } from "../../assert.ts";
import type { Side } from "../../entry/order-record.ts";
import { BPS_IN_WHOLE } from "../../limits.ts";
import type { Order } from "../order/order.ts";
import { type Extreme, extremeOf, type Trailing } from "../order/trailing.ts";
import { Heap } from "./heap.ts";
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

/** The orders of one delta, in the order in which they began to follow the price. The first is triggered first. */
type Queue = Level;

/**
 * The extreme does not depend on the delta, so all orders that began since the same price share one, and a new extreme
 * merges those that it exceeds. Among the orders of one delta, the oldest has the farthest extreme and is triggered
 * first; among the queues whose first orders share an extreme, the one with the lowest delta. A trade therefore looks at
 * the nearest extremes, and at the queues that it triggers.
 */
export class Followers {
  private readonly side: Side;
  /** The best level has the lowest delta. */
  private readonly queues = new Ladder("lowest");
  /** The extremes in force by their price, and the nearest to the last price first. */
  private readonly extremes = new Map<number, Extreme>();
  private readonly nearest: Heap<Extreme>;
  /** The queues whose first order has this extreme, by their delta; and these extremes, by what they trigger next. */
  private readonly heads = new Map<Extreme, Heap<Queue>>();
  private readonly next: Heap<Extreme>;
  size = 0;

  constructor(side: Side) {
    this.side = side;
    this.nearest = new Heap((extreme, other) => this.isFarther(other.ticks, extreme.ticks));
    this.next = new Heap((extreme, other) => !this.reaches(extreme.nextTicks, other.nextTicks));
  }

  /** `extremeTicks` is the price from which the order follows; 0 if there was none yet. */
  add(order: Order, extremeTicks: number): void {
    assert(order.level === null, "an order waits once");
    const trailing = trailingOf(order);
    let extreme = this.extremes.get(extremeTicks);
    if (extreme === undefined) {
      extreme = { ticks: extremeTicks, orders: 0, into: null, nextTicks: 0 };
      this.extremes.set(extremeTicks, extreme);
      this.nearest.add(extreme);
    }
    extreme.orders++;
    trailing.extreme = extreme;
    const queue = this.queues.open(trailing.delta);
    queue.push(order);
    this.size++;
    if (queue.first === order) this.putHead(queue);
  }

  remove(order: Order): void {
    const trailing = trailingOf(order);
    const queue = order.level as Queue;
    const extreme = present(extremeOf(trailing), "the order follows the price");
    const isFirst = queue.first === order;
    if (isFirst) this.takeHead(queue, extreme);
    queue.unlink(order);
    if (queue.first === null) this.queues.close(queue);
    else if (isFirst) this.putHead(queue);
    if (--extreme.orders === 0) {
      this.extremes.delete(extreme.ticks);
      this.nearest.remove(extreme);
    }
    trailing.extreme = null;
    this.size--;
  }

  /** Moves the orders that a trade at this price triggers to `reached`. The others take it as their extreme if it is one. */
  take(priceTicks: number, reached: Reached[]): void {
    this.follow(priceTicks);
    for (let extreme = this.next.first(); extreme !== undefined; extreme = this.next.first()) {
      const ticks = extreme.nextTicks;
      if (!this.reaches(priceTicks, ticks)) break;
      const order = present(this.headsOf(extreme).first()?.first ?? null, "a queue has orders");
      this.remove(order);
      reached.push({ order, ticks });
    }
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
    let heads = 0;
    for (const queue of this.queues.levels()) {
      heads++;
      for (let order = queue.first; order !== null; order = order.next) {
        const extreme = present(extremeOf(trailingOf(order)), "an order that follows has an extreme");
        counts.set(extreme, (counts.get(extreme) ?? 0) + 1);
        size++;
        assert(order.side === side, "an order follows the extreme of its side");
        if (order.previous === null) assert(this.headsOf(extreme).has(queue), "a queue is found by its first extreme");
        const earlier = order.previous === null ? null : extremeOf(trailingOf(order.previous));
        assert(earlier === null || !this.isFarther(extreme.ticks, earlier.ticks), "an older order has seen more");
        const ticks = triggerTicks(side, extreme.ticks, queue.priceTicks);
        const isReached = extreme.ticks !== 0 && this.reaches(lastTicks, ticks);
        assert(!isReached, "an order whose price was reached does not follow");
      }
    }
    assert(size === this.size && counts.size === this.extremes.size, "orders that follow are counted");
    this.checkExtremes(lastTicks, counts, heads);
  }

  private checkExtremes(lastTicks: number, counts: ReadonlyMap<Extreme, number>, heads: number): void {
    this.nearest.check();
    this.next.check();
    for (const [ticks, extreme] of this.extremes) {
      assert(extreme.ticks === ticks && this.nearest.has(extreme), "an extreme is found by its price");
      assert(!this.isFarther(lastTicks, ticks), "the last price is not beyond an extreme");
      assert(extreme.into === null && counts.get(extreme) === extreme.orders, "an extreme counts its orders");
      const isNext = this.heads.has(extreme);
      assert(this.next.has(extreme) === isNext, "an extreme with queues triggers one");
      assert(isNext || extreme.nextTicks === 0, "an extreme without queues triggers none");
    }
    assert(this.nearest.size === this.extremes.size && this.next.size === this.heads.size, "extremes are counted");
    let found = 0;
    for (const [extreme, queues] of this.heads) {
      queues.check();
      found += queues.size;
      assert(extreme.nextTicks === this.nextOf(extreme, queues), "an extreme triggers its lowest delta next");
    }
    assert(found === heads, "each queue has one place");
  }

  /** The last price becomes the extreme of the orders that have not seen a farther one. */
  private follow(priceTicks: number): void {
    const newest = this.nearest.first();
    if (newest === undefined || !this.isFarther(priceTicks, newest.ticks)) return;
    this.extremes.delete(newest.ticks);
    newest.ticks = priceTicks;
    // No longer the nearest one, if there are others that the price has exceeded or reached.
    this.nearest.move(newest);
    for (let other = this.nearest.first(); other !== undefined; other = this.nearest.first()) {
      if (other === newest || this.isFarther(other.ticks, priceTicks)) break;
      this.merge(other, newest);
    }
    const same = this.extremes.get(priceTicks);
    if (same !== undefined) this.merge(same, newest);
    this.extremes.set(priceTicks, newest);
    this.expect(newest);
  }

  /** The caller calls `expect`. */
  private merge(extreme: Extreme, into: Extreme): void {
    into.orders += extreme.orders;
    extreme.into = into;
    this.extremes.delete(extreme.ticks);
    this.nearest.remove(extreme);
    const queues = this.heads.get(extreme);
    if (queues === undefined) return;
    this.heads.delete(extreme);
    this.next.remove(extreme);
    extreme.nextTicks = 0;
    const others = this.heads.get(into);
    if (others === undefined) this.heads.set(into, queues);
    else others.absorb(queues);
  }

  private putHead(queue: Queue): void {
    const extreme = present(extremeOf(trailingOf(queue.first as Order)), "the order follows the price");
    const queues = this.heads.get(extreme) ?? new Heap<Queue>((one, other) => one.priceTicks < other.priceTicks);
    queues.add(queue);
    this.heads.set(extreme, queues);
    this.expect(extreme);
  }

  private takeHead(queue: Queue, extreme: Extreme): void {
    const queues = this.headsOf(extreme);
    queues.remove(queue);
    if (queues.size === 0) this.heads.delete(extreme);
    this.expect(extreme);
  }

  private headsOf(extreme: Extreme): Heap<Queue> {
    return present(this.heads.get(extreme), "an extreme has queues");
  }

  /** Keeps the place of an extreme among the next ones, after its price or its queues have changed. */
  private expect(extreme: Extreme): void {
    const queues = this.heads.get(extreme);
    const isHere = this.next.has(extreme);
    if (queues === undefined) {
      if (isHere) this.next.remove(extreme);
      extreme.nextTicks = 0;
      return;
    }
    extreme.nextTicks = this.nextOf(extreme, queues);
    if (isHere) this.next.move(extreme);
    else this.next.add(extreme);
  }

  /** The first price that triggers an order of these queues. */
  private nextOf({ ticks }: Extreme, queues: Heap<Queue>): number {
    return triggerTicks(this.side, ticks, present(queues.first(), "an extreme has queues").priceTicks);
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
