/**
 * The order book: one symbol's resting orders in price-time priority. It has two implementations: `LadderBook`, the fast
 * one, and `NaiveBook`, the plain one to which tests compare it.
 */
import type { QuoteScale } from "../../number/quote-scale.ts";
import type { Side } from "../../entry/order-words.ts";
import type { Order } from "../order/order.ts";
import type { Stretch } from "./stretch.ts";

/** Return false to stop the walk. `hiddenLots` are the hidden parts of icebergs. */
export type LevelVisitor = (priceTicks: number, visibleLots: number, hiddenLots: number) => boolean;

export interface Book {
  /** Puts an order at the back of the queue at its price, showing `order.visibleLots`. */
  add(order: Order): void;
  /** Removes an order, which must be on the book. */
  remove(order: Order): void;
  /**
   * Takes `lots` (at most `visibleLots`) off a resting order that trades; the caller then counts them as executed. An
   * order with nothing left leaves the book; an iceberg whose slice is used up shows its next slice at the back of the
   * queue.
   */
  fill(order: Order, lots: number): void;
  /** The order that trades first on this side. */
  best(side: Side): Order | undefined;
  /** Best price of a side, 0 when it is empty. */
  bestTicks(side: Side): number;
  /** Lots at a price, hidden ones included. */
  lotsAt(side: Side, priceTicks: number): number;
  /** Visible lots at a price. */
  visibleLotsAt(side: Side, priceTicks: number): number;
  /** Visits prices from the best outwards. */
  walk(side: Side, visit: LevelVisitor): void;
  /** Lots on a side, hidden ones included. Above 2^53 the sum is inexact but stays above 2^53. */
  lotsOn(side: Side, scale: QuoteScale): number;
  /** All prices from the best outwards, in stretches. Valid until the book changes. */
  stretches(side: Side): Iterable<Stretch>;
  /** All orders of a side in priority order, best first. */
  orders(side: Side): Iterable<Order>;
  /** Throws when what it keeps beside its orders is not what they make of it. Walks the whole book. */
  check(scale: QuoteScale): void;
  /** Number of resting orders on both sides. */
  readonly size: number;
}
