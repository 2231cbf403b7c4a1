/**
 * The order book: one symbol's resting orders in price-time priority. There are two implementations: `LadderBook`,
 * which is fast, and `NaiveBook`, which is simple and with which tests compare the fast one.
 */
import type { QuoteScale } from "../../numbers.ts";
import type { Side } from "../../entry/order-record.ts";
import type { Order } from "../order/order.ts";
import { type BookStretch, Ladder, type Level } from "./ladder.ts";
import { assert, present } from "../../assert.ts";

/** Returns false to end the iteration. `hiddenLots` are the hidden parts of icebergs. */
export type LevelVisitor = (priceTicks: number, visibleLots: number, hiddenLots: number) => boolean;

export interface Book {
  /** Adds an order at the end of the queue at its price, showing `order.visibleLots`. */
  add(order: Order): void;
  /** Removes an order. The order must be on the book. */
  remove(order: Order): void;
  /**
   * Subtracts `lots` (at most `visibleLots`) from a resting order that trades. The caller then counts the lots as
   * executed. An order without remaining lots is removed from the book. An iceberg whose slice is used up shows its
   * next slice at the end of the queue.
   */
  fill(order: Order, lots: number): void;
  /** Puts `by` in the place of a resting order with the same price. `by` shows `by.visibleLots`. */
  replace(order: Order, by: Order): void;
  /** The order on this side that trades first. */
  best(side: Side): Order | undefined;
  /** Best price of a side, 0 if it is empty. */
  bestTicks(side: Side): number;
  /** The price `level` price levels from the best one, 0 if the side has too few. */
  levelTicks(side: Side, level: number): number;
  /** Lots at a price, including hidden ones. */
  lotsAt(side: Side, priceTicks: number): number;
  /** Visible lots at a price. */
  visibleLotsAt(side: Side, priceTicks: number): number;
  /** Visits prices from the best one outwards. */
  walk(side: Side, visit: LevelVisitor): void;
  /** Lots on a side, including hidden ones. Above 2^53 the sum is inexact but stays above 2^53. */
  lotsOn(side: Side, scale: QuoteScale): number;
  /** All prices from the best one outwards, grouped in stretches of adjacent prices. Valid until the book changes. */
  stretches(side: Side): Iterable<BookStretch>;
  /** All orders of a side in priority order, best first. */
  orders(side: Side): Iterable<Order>;
  /** Throws if totals and indices do not match the orders. Reads the whole book. */
  check(scale: QuoteScale): void;
  /** Number of resting orders on both sides. */
  readonly size: number;
}

// The fast book: a ladder for each side.

export class LadderBook implements Book {
  private readonly bids = new Ladder("highest");
  private readonly asks = new Ladder("lowest");
  size = 0;

  add(order: Order): void {
    assert(order.level === null && order.visibleLots > 0, "an order is added once, with something to show");
    const level = this.ladder(order.side).open(order.priceTicks);
    level.push(order);
    level.add(order.visibleLots, order.hiddenLots);
    this.size++;
  }

  remove(order: Order): void {
    const level = levelOf(order);
    level.add(-order.visibleLots, -order.hiddenLots);
    this.unlink(order, level);
  }

  fill(order: Order, lots: number): void {
    assert(lots > 0 && lots <= order.visibleLots, "a fill takes no more than is shown");
    const level = levelOf(order);
    const visibleLots = order.visibleLots - lots;
    const left = order.leftLots - lots;
    level.add(-lots, 0);
    order.show(visibleLots);
    if (visibleLots > 0) return;
    if (left === 0) {
      this.unlink(order, level);
      return;
    }
    const slice = Math.min(order.icebergLots, left);
    order.show(slice);
    level.add(slice, -slice);
    level.unlink(order);
    level.push(order);
  }

  replace(order: Order, by: Order): void {
    const level = levelOf(order);
    level.add(by.visibleLots - order.visibleLots, by.hiddenLots - order.hiddenLots);
    level.replace(order, by);
  }

  best(side: Side): Order | undefined {
    return this.ladder(side).best()?.first ?? undefined;
  }

  bestTicks(side: Side): number {
    return this.ladder(side).best()?.priceTicks ?? 0;
  }

  levelTicks(side: Side, level: number): number {
    return this.ladder(side).levelFromBest(level)?.priceTicks ?? 0;
  }

  lotsAt(side: Side, priceTicks: number): number {
    const level = this.ladder(side).at(priceTicks);
    return level === undefined ? 0 : level.visibleLots + level.hiddenLots;
  }

  visibleLotsAt(side: Side, priceTicks: number): number {
    return this.ladder(side).at(priceTicks)?.visibleLots ?? 0;
  }

  walk(side: Side, visit: LevelVisitor): void {
    for (const level of this.ladder(side).levels()) {
      if (!visit(level.priceTicks, level.visibleLots, level.hiddenLots)) return;
    }
  }

  lotsOn(side: Side, scale: QuoteScale): number {
    return this.ladder(side).lots(scale);
  }

  stretches(side: Side): Iterable<BookStretch> {
    return this.ladder(side).stretches();
  }

  orders(side: Side): Iterable<Order> {
    return this.ladder(side).orders();
  }

  check(scale: QuoteScale): void {
    this.bids.check("highest", ({ priceTicks }) => priceTicks, scale);
    this.asks.check("lowest", ({ priceTicks }) => priceTicks, scale);
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
