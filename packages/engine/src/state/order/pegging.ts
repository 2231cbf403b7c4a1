/** The part of an order's state that pegged orders have. Decision 107. */
import type { Peg } from "../../entry/packed-command.ts";

export interface Pegging extends Peg {
  /** The price that the client sent; 0 if none. */
  readonly sentTicks: number;
  /** The price taken from the book; 0 until the order enters the market. */
  readonly peggedTicks: number;
}
