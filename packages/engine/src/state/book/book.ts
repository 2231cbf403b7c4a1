/**
 * The port of an order book: one symbol's resting orders in price-time priority. Two implementations:
 * `LadderBook`, the fast one, and `NaiveBook`, plain and obviously right, the oracle in tests.
 */
import type { QuoteScale } from "../../number/quote-scale.ts";
import type { Side } from "../../entry/order-words.ts";
import type { Order } from "../order/order.ts";
import type { Stretch } from "./stretch.ts";

/** Return false to stop the walk. `hiddenLots` are the parts of icebergs that are not shown. */
export type LevelVisitor = (priceTicks: number, visibleLots: number, hiddenLots: number) => boolean;

export interface Book {
  /** Puts an order at the back of the queue at its price, showing `order.visibleLots`. */
  add(order: Order): void;
  /** Takes an order off. It must be on the book. */
  remove(order: Order): void;
  /**
   * Takes `lots` (at most `visibleLots`) off a resting order that trades; the caller counts them
   * as executed after that. An order with nothing left leaves the book; an iceberg whose
   * slice is used up shows its next slice at the back of the queue.
   */
  fill(order: Order, lots: number): void;
  /** The order that trades first on this side. */
  best(side: Side): Order | undefined;
  /** Best price of a side, 0 when it is empty. */
  bestTicks(side: Side): number;
  /** Lots at a price, hidden ones included. */
  lotsAt(side: Side, priceTicks: number): number;
  /** Lots that are shown at a price. */
  visibleLotsAt(side: Side, priceTicks: number): number;
  /** Prices from the best outwards. */
  walk(side: Side, visit: LevelVisitor): void;
  /** Lots of a side, hidden ones included. Above 2^53 it is not exact, but above 2^53. */
  lotsOn(side: Side, scale: QuoteScale): number;
  /** All prices from the best outwards, some at a time. Good until the book changes. */
  stretches(side: Side): Iterable<Stretch>;
  /** All orders of a side in priority order, best first. */
  orders(side: Side): Iterable<Order>;
  /** How many orders rest on both sides. */
  readonly size: number;
}
