/** Players turn rows of a recording into orders on the book. */
import type { Side, Trade } from "@pricetime/engine";
import type { MarketRow } from "../../research/market-files/rows.ts";
import type { KeptValue } from "../../platform/world/kept.ts";

/** `book`: own orders take, and take away, what recorded ones would have had. `none`: recorded trades print whole beside them. */
export const IMPACTS = ["book", "none"] as const;
export type Impact = (typeof IMPACTS)[number];

/** A player knows which rows in sequence were several trades of one taking order. */
export interface Player {
  /** Whether the row is one more trade of the order that the row before it began. */
  goesOn(row: MarketRow): boolean;
  /** Takes in a row; what it becomes is sent by `end`, or before. Throws `OffGrid`. */
  take(row: MarketRow): void;
  /** Queues the order made of the rows taken in so far. Resolves when the next may come. */
  end(): Promise<void>;
  /** Called when all rows due at this moment were played: puts into the book what stands until the next. */
  rest(): Promise<void>;
  /** An order begins, in this file. */
  begin(file: number): void | Promise<void>;
  /** A trade of which we were the maker. */
  ownTaken(trade: Trade): void;
  /** Rows that became nothing. */
  readonly skipped: number;
  kept(): KeptValue;
}

/** A player that can do without waiting. */
export interface PromptPlayer extends Player {
  /** Whether nobody else has to do with the book. Only then may the others be called. */
  readonly isAlone: boolean;
  /** Does in this turn what `end` does. */
  endNow(): void;
  /** Queues in this turn what `rest` sends. */
  restNow(): void;
}

export const opposite = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");
