/** Levels of one side of a book put together by greater steps of the price, as far as they are shown. Pure. */
import type { Level } from "../market/port.ts";

/** A row of the book. Numbers are units of the market's last digits, as in `Level`. */
export interface Rung {
  readonly price: number;
  readonly quantity: number;
  /** From the best price up to here. */
  readonly total: number;
  /** Price times quantity, and its sum up to here: units of both digits multiplied, for drawing and for the quote view. */
  readonly value: bigint;
  readonly totalValue: bigint;
}

/** The price of the rung that this price belongs to: bids are put down, asks up, so that none looks better than it is. */
export function rungPrice(price: number, step: number, side: "bids" | "asks"): number {
  return (side === "bids" ? Math.floor(price / step) : Math.ceil(price / step)) * step;
}

/** The first `rows` rungs; `levels` best first. */
export function rungsOf(levels: readonly Level[], side: "bids" | "asks", step: number, rows: number): Rung[] {
  const rungs: Rung[] = [];
  let price = Number.NaN;
  let quantity = 0;
  let total = 0;
  let value = 0n;
  let totalValue = 0n;
  for (const level of levels) {
    const at = step === 1 ? level.price : rungPrice(level.price, step, side);
    if (at !== price) {
      if (quantity > 0) rungs.push({ price, quantity, total, value, totalValue });
      if (rungs.length === rows) return rungs;
      price = at;
      quantity = 0;
      value = 0n;
    }
    const levelValue = BigInt(level.price) * BigInt(level.quantity);
    quantity += level.quantity;
    total += level.quantity;
    value += levelValue;
    totalValue += levelValue;
  }
  if (quantity > 0 && rungs.length < rows) rungs.push({ price, quantity, total, value, totalValue });
  return rungs;
}

/** Steps that one can group by: 1, 10, 100 … ticks, as long as a step is below about a fiftieth of the price. */
export function groupingSteps(tick: number, price: number): number[] {
  const steps = [tick];
  for (let step = tick * 10; steps.length < 6 && (steps.length < 2 || step * 50 <= price); step *= 10) steps.push(step);
  return steps;
}

/**
 * Prices of rungs that stand otherwise than before, `before` being prices and quantities as they were drawn: by price,
 * since a level that comes or goes above shifts all below it. What only came into view at the far end has not changed.
 */
export function changedPrices(
  before: ReadonlyMap<number, number>,
  rungs: readonly Rung[],
  side: "bids" | "asks",
): ReadonlySet<number> {
  const changed = new Set<number>();
  if (before.size === 0) return changed;
  let farthest = Number.NaN;
  for (const price of before.keys()) farthest = price;
  for (const { price, quantity } of rungs) {
    const was = before.get(price);
    const isNew = was === undefined && (side === "bids" ? price > farthest : price < farthest);
    if (isNew || (was !== undefined && was !== quantity)) changed.add(price);
  }
  return changed;
}

/** How many of a hundred parts of what both sides show are bids; null: nothing is shown. */
export function bidShare(bids: readonly Rung[], asks: readonly Rung[]): number | null {
  const bid = bids.at(-1)?.total ?? 0;
  const ask = asks.at(-1)?.total ?? 0;
  return bid + ask === 0 ? null : Math.round((bid * 100) / (bid + ask));
}
