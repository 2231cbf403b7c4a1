/**
 * The orders of one symbol that wait for a price. Interface 4.2: a rising price triggers STOP_LOSS BUY and TAKE_PROFIT
 * SELL, a falling one STOP_LOSS SELL and TAKE_PROFIT BUY. A trailing stop then follows the price, or does so from its
 * placement.
 */
import { assert, present } from "../../assert.ts";
import { Followers, type Reached } from "./followers.ts";
import { Ladder, type Level } from "./ladder.ts";
import { type OrderType, type Side, waitsForRise } from "../../entry/order-record.ts";
import type { Order } from "../order/order.ts";

export class Triggers {
  private readonly rising = new Ladder("lowest");
  private readonly falling = new Ladder("highest");
  private readonly sells = new Followers("SELL");
  private readonly buys = new Followers("BUY");
  size = 0;

  /** `lastTicks` is the last price, from which a trailing stop without a stop price follows. */
  open(order: Order, lastTicks: number): void {
    this.add(order, order.stopTicks === 0 ? lastTicks : 0);
  }

  /**
   * `extremeTicks` is the extreme of a trailing stop that follows the price. 0 if there is none: an order with a stop
   * price then waits for it.
   */
  add(order: Order, extremeTicks: number): void {
    assert(order.level === null, "an order waits once");
    const follows = order.trailing !== null && (order.stopTicks === 0 || extremeTicks !== 0);
    if (follows) this.followers(order).add(order, extremeTicks);
    else this.ladder(order).open(order.stopTicks).push(order);
    this.size++;
  }

  remove(order: Order): void {
    const level = present(order.level, "the order does not wait") as Level;
    this.size--;
    if (isFollowing(order)) return this.followers(order).remove(order);
    level.unlink(order);
    if (level.first === null) this.ladder(order).close(level);
  }

  /** Puts `by` in the place of a waiting order with the same stop price. */
  replace(order: Order, by: Order): void {
    (present(order.level, "the order does not wait") as Level).replace(order, by);
  }

  /**
   * Moves the orders that a trade at this price triggers to `taken`: nearest trigger price first, then the one that
   * began to wait first. Trailing stops whose stop price it reaches begin to follow the price.
   */
  take(priceTicks: number, nowMs: number, taken: Order[]): void {
    if (this.size === 0) return;
    const { sells, buys } = this;
    if (sells.size + buys.size === 0) return this.takeStops(priceTicks, nowMs, taken);
    const reached: Reached[] = [];
    sells.take(priceTicks, reached);
    buys.take(priceTicks, reached);
    this.size -= reached.length;
    const first = taken.length;
    this.takeStops(priceTicks, nowMs, taken);
    if (reached.length > 0) mix(taken, first, reached);
  }

  /**
   * Orders that wait for a rise come first, then those that wait for a fall, in the order of triggering; then those that
   * follow the price.
   */
  *orders(): Iterable<Order> {
    yield* this.rising.orders();
    yield* this.falling.orders();
    yield* this.sells.orders();
    yield* this.buys.orders();
  }

  /** Throws if an order cannot be found by its stop price, or by its delta. */
  check(lastTicks: number): void {
    this.sells.check("SELL", lastTicks);
    this.buys.check("BUY", lastTicks);
    this.rising.check("lowest", ({ stopTicks }) => stopTicks, null);
    this.falling.check("highest", ({ stopTicks }) => stopTicks, null);
    for (const order of [...this.rising.orders(), ...this.falling.orders()]) {
      assert(!isFollowing(order), "an order that waits for its stop price does not follow the price");
      const isHere = this.ladder(order).at(order.stopTicks) === order.level;
      assert(isHere, "an order waits for its own movement of the price");
      const before = order.previous?.waitPlace ?? 0;
      assert(before < order.waitPlace, "an order waits behind those that began before it");
    }
  }

  private takeStops(priceTicks: number, nowMs: number, taken: Order[]): void {
    this.takeFrom(this.rising, priceTicks, nowMs, (stopTicks) => priceTicks >= stopTicks, taken);
    this.takeFrom(this.falling, priceTicks, nowMs, (stopTicks) => priceTicks <= stopTicks, taken);
  }

  private takeFrom(
    ladder: Ladder,
    priceTicks: number,
    nowMs: number,
    reached: (stopTicks: number) => boolean,
    taken: Order[],
  ): void {
    for (let level = ladder.best(); level !== undefined && reached(level.priceTicks); level = ladder.best()) {
      for (let order = level.first; order !== null; order = level.first) {
        this.remove(order);
        if (order.trailing === null) taken.push(order);
        else {
          order.trailing.sinceMs = nowMs;
          this.add(order, priceTicks);
        }
      }
    }
  }

  private followers(order: Order): Followers {
    return order.side === "SELL" ? this.sells : this.buys;
  }

  private ladder(order: Order): Ladder {
    return waitsForRise(order.type, order.side) ? this.rising : this.falling;
  }
}

/** Adds what has followed the price to the stop orders from `first` on, in the order in which the price passed them. */
function mix(taken: Order[], first: number, reached: readonly Reached[]): void {
  const stops = taken.splice(first).map((order) => ({ order, ticks: order.stopTicks }));
  const all = [...stops, ...reached];
  // A trade triggers followers of one side only, and stop orders of the same movement of the price.
  const sign = reached[0]?.order.side === "SELL" ? -1 : 1;
  all.sort((a, b) => sign * (a.ticks - b.ticks) || a.order.waitPlace - b.order.waitPlace);
  for (const { order } of all) taken.push(order);
}

function isFollowing(order: Order): boolean {
  return order.trailing !== null && order.trailing.extreme !== null;
}

/** Whether the last price has already reached the stop price, if there is one. */
export function isTriggered(type: OrderType, side: Side, stopTicks: number, lastTicks: number): boolean {
  if (lastTicks === 0 || stopTicks === 0) return false;
  return waitsForRise(type, side) ? lastTicks >= stopTicks : lastTicks <= stopTicks;
}
