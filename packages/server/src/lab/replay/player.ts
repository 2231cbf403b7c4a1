/** What rows of a recording become: orders on the book. */
import type { Side, Trade } from "@pricetime/engine";
import type { MarketRow } from "../../market-files/rows.ts";
import type { KeptValue } from "../../world/kept.ts";

/** `book`: own orders take, and take away, what recorded ones would have had. `none`: recorded trades print whole beside them. */
export const IMPACTS = ["book", "none"] as const;
export type Impact = (typeof IMPACTS)[number];

/** Which rows follow each other as one order of a taker: it was several trades. */
export interface Player {
  /** Whether the row is one more trade of the order that the row before it began. */
  goesOn(row: MarketRow): boolean;
  /** Takes in a row; what it becomes is sent by `end`, or before. Throws `OffGrid`. */
  take(row: MarketRow): void;
  /** What was taken in is all there is of this order: it is queued for sending. Resolves when the next may come. */
  end(): Promise<void>;
  /** All that is due at this moment was played: what stands until the next. */
  rest(): Promise<void>;
  /** An order begins, in this file. */
  begin(file: number): void | Promise<void>;
  /** A trade of which we were the maker. */
  ownTaken(trade: Trade): void;
  /** Rows that became nothing. */
  readonly skipped: number;
  kept(): KeptValue;
}

export const opposite = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");
