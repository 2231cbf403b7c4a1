/** Conditions of a market at a moment, beside its bots' own draws. In a lab, the lab's user sets them. */
import type { Side } from "./orders.ts";

export interface Conditions {
  /** The value that quotes stand around, in the quote asset. */
  readonly price: number;
  /** The least price by which the exchange may value an order. */
  readonly valuedAt: number;
  /** Multiples of the usual: of price moves, of the spread, of what quotes hold, and of takers' orders. */
  readonly volatility: number;
  readonly spread: number;
  readonly depth: number;
  readonly tradeRate: number;
  /** What makers leave between bid and ask at least. */
  readonly leastSpreadBps: number;
  /** The sides that makers leave empty. */
  readonly isDry: Readonly<Record<Side, boolean>>;
}

export const USUAL: Omit<Conditions, "price" | "valuedAt"> = {
  volatility: 1,
  spread: 1,
  depth: 1,
  tradeRate: 1,
  leastSpreadBps: 0,
  isDry: { BUY: false, SELL: false },
};

/** Controls the markets of a lab. */
export interface MarketHand {
  /** `driver` makes the market of a symbol from now on. */
  drives(symbol: string, driver: string): void;
  /** Whether somebody else makes the market of a symbol for now, and its bots stand still. */
  isStoodInFor(symbol: string): boolean;
  /**
   * A step of all symbols begins. What was asked for until now is done first, whichever timer fired first: resolves when
   * it is. Undefined: nothing was due.
   */
  begin(nowMs: number): Promise<void> | undefined;
  /**
   * Called once in each step of a symbol that trades. `usualPrice`: what the walks of its assets make of it. Undefined
   * where nothing is asked for.
   */
  conditions(symbol: string, usualPrice: number, nowMs: number): Conditions | undefined;
}
