/** What a taker does on a symbol in a step: mostly nothing, else an order that trades at once. */
import { type Grid, lotsFor } from "./grid.ts";
import type { Random } from "./random.ts";

const TRADE_CHANCE = 0.25;
const LIMIT_CHANCE = 0.3;
/** How far a limit goes beyond the mid. */
const REACH_BPS = 5;

export interface TakerOrder {
  readonly side: "BUY" | "SELL";
  readonly lots: number;
  /** 0: a market order. Else a LIMIT IOC. */
  readonly limitTicks: number;
}

export interface TakerView {
  readonly grid: Grid;
  readonly midPrice: number;
  readonly levelNotional: number;
  /** Without a trade there is no average price, and a market order cannot be checked: a limit comes first. */
  readonly isFirstTrade: boolean;
}

/** The same view and chance give the same order. */
export function planTake(view: TakerView, random: Random): TakerOrder | null {
  const { grid, midPrice, levelNotional, isFirstTrade } = view;
  if (!isFirstTrade && !random.chance(TRADE_CHANCE)) return null;
  const side = random.chance(0.5) ? "BUY" : "SELL";
  // Many small ones and a few that go through more than one level.
  const notional = levelNotional * 0.15 * Math.exp(random.normal());
  const lots = lotsFor(grid, notional, midPrice);
  const isLimit = random.chance(LIMIT_CHANCE) || isFirstTrade;
  return { side, lots, limitTicks: isLimit ? reach(grid, midPrice, side) : 0 };
}

function reach(grid: Grid, midPrice: number, side: "BUY" | "SELL"): number {
  const mid = (midPrice * 10 ** grid.priceDecimals) / grid.tick;
  const far = mid * (side === "BUY" ? 1 + REACH_BPS / 10_000 : 1 - REACH_BPS / 10_000);
  // A price of few ticks needs a whole gap and a spread besides.
  const ticks = side === "BUY" ? Math.ceil(far) + 2 : Math.floor(far) - 2;
  return Math.max(1, ticks) * grid.tick;
}
