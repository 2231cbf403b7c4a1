/**
 * The orders of one symbol that wait for their stop price. Interface 4.2: a rising price triggers STOP_LOSS BUY and
 * TAKE_PROFIT SELL, a falling one STOP_LOSS SELL and TAKE_PROFIT BUY.
 */
import { assert, present } from "../../assert.ts";
import { Ladder, type Level } from "./ladder.ts";
import type { OrderType, Side } from "../../entry/order-record.ts";
import type { Order } from "../order/order.ts";

export class Triggers {
  private readonly rising = new Ladder("lowest");
  private readonly falling = new Ladder("highest");
  size = 0;

  add(order: Order): void {
    assert(order.level === null, "an order waits once");
    this.ladder(order).open(order.stopTicks).push(order);
    this.size++;
  }

  remove(order: Order): void {
    const level = present(order.level, "the order does not wait") as Level;
    level.unlink(order);
    if (level.first === null) this.ladder(order).close(level);
    this.size--;
  }

  /** Puts `by` in the place of a waiting order with the same stop price. */
  replace(order: Order, by: Order): void {
    (present(order.level, "the order does not wait") as Level).replace(order, by);
  }

  /** Moves the orders that a trade at this price triggers to `taken`: nearest stop price first, then oldest. */
  take(priceTicks: number, taken: Order[]): void {
    if (this.size === 0) return;
    this.takeFrom(this.rising, (stopTicks) => priceTicks >= stopTicks, taken);
    this.takeFrom(this.falling, (stopTicks) => priceTicks <= stopTicks, taken);
  }

  /** Orders that wait for a rise come first. Within each group, they are in the order of triggering. */
  *orders(): Iterable<Order> {
    yield* this.rising.orders();
    yield* this.falling.orders();
  }

  /** Throws if an order cannot be found by its stop price. */
  check(): void {
    this.rising.check("lowest", ({ stopTicks }) => stopTicks, null);
    this.falling.check("highest", ({ stopTicks }) => stopTicks, null);
    for (const order of this.orders()) {
      const isHere = this.ladder(order).at(order.stopTicks) === order.level;
      assert(isHere, "an order waits for its own movement of the price");
    }
  }

  private takeFrom(ladder: Ladder, reached: (stopTicks: number) => boolean, taken: Order[]): void {
    for (let level = ladder.best(); level !== undefined && reached(level.priceTicks); level = ladder.best()) {
      for (let order = level.first; order !== null; order = level.first) {
        this.remove(order);
        taken.push(order);
      }
    }
  }

  private ladder(order: Order): Ladder {
    return waitsForRise(order.type, order.side) ? this.rising : this.falling;
  }
}

/** Whether the order waits for the price to rise to its stop price; otherwise it waits for a fall. */
function waitsForRise(type: OrderType, side: Side): boolean {
  const isStopLoss = type === "STOP_LOSS" || type === "STOP_LOSS_LIMIT";
  return isStopLoss === (side === "BUY");
}

/** Whether the last price has already reached the stop price. */
export function isTriggered(type: OrderType, side: Side, stopTicks: number, lastTicks: number): boolean {
  if (lastTicks === 0) return false;
  return waitsForRise(type, side) ? lastTicks >= stopTicks : lastTicks <= stopTicks;
}
