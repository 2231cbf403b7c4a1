/** How large an agent's order is: within its position's bounds and the symbol's filters. */
import { whole } from "../exact.ts";
import { type Grid, leastLots, lotsFor } from "../bots/grid.ts";
import type { Side, TakerOrder } from "../bots/orders.ts";
import type { AgentParts, AgentView } from "./agent.ts";

/** How far the limit of an order that takes goes beyond the best price: no agent clears a book. */
const REACH_BPS = 20;

type Bounds = Pick<AgentParts, "grid" | "maxPositionQuote" | "minNotional">;

/** The middle of the book, in the quote asset. */
export function midOf(grid: Grid, { bid, ask }: Pick<AgentView, "bid" | "ask">): number {
  return (bid + ask) / 2 / whole(10, grid.priceDecimals);
}

/** The wanted lots, as far as bounds allow; 0: fewer than the symbol takes. `quote`: their value. */
export function lotsWithin(bounds: Bounds, view: AgentView, side: Side, quote: number): number {
  const { grid, maxPositionQuote, minNotional } = bounds;
  const mid = midOf(grid, view);
  const most = lotsFor(grid, maxPositionQuote, mid);
  const resting = view.open.reduce((sum, order) => sum + (order.side === side ? order.lots : 0), 0);
  const room = most - (side === "BUY" ? view.positionLots : -view.positionLots) - resting;
  return lotsAtLeast(grid, Math.min(lotsFor(grid, quote, mid), room), minNotional, mid);
}

/** Whole steps; 0: less than the symbol takes. */
export function lotsAtLeast(grid: Grid, lots: number, minNotional: number, price: number): number {
  const steps = Math.floor(lots / grid.step) * grid.step;
  return steps < leastLots(grid, minNotional, price) ? 0 : steps;
}

/** An order that takes at once what is within reach; the rest expires. */
export function takeLots({ grid }: Bounds, view: AgentView, side: Side, lots: number): TakerOrder {
  const opposite = side === "BUY" ? view.ask : view.bid;
  const far = Math.ceil(opposite / grid.tick / (10_000 / REACH_BPS));
  const cells = opposite / grid.tick + (side === "BUY" ? far : -far);
  return { side, lots, limitTicks: Math.max(1, Math.round(cells)) * grid.tick };
}

/** An order that closes at most `quote` of the position. Undefined: there is none, or too little for an order. */
export function closing(bounds: Bounds, view: AgentView, quote: number): TakerOrder | undefined {
  const { grid, minNotional } = bounds;
  const mid = midOf(grid, view);
  const lots = Math.min(Math.abs(view.positionLots), lotsFor(grid, quote, mid));
  const wanted = lotsAtLeast(grid, lots, minNotional, mid);
  return wanted === 0 ? undefined : takeLots(bounds, view, view.positionLots > 0 ? "SELL" : "BUY", wanted);
}
