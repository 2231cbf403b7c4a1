/**
 * Agents trade beside the bots of a lab's symbol. An agent receives a view of the public market and its own orders, and
 * returns actions, which its caller performs. Each agent has its own random source, so the same input leads to the same
 * actions.
 */
import type { SavedState } from "../../../platform/world/port.ts";
import {
  type Grid,
  leastLots,
  lotsFor,
  type OpenQuote,
  type Quote,
  type Side,
  type TakerOrder,
} from "../bots/orders.ts";
import type { Tape } from "./agent-market.ts";
import type { Random } from "../bots/random.ts";
import { whole } from "../exact.ts";

export interface AgentView {
  readonly nowMs: number;
  /** The best prices, in ticks of the grid. Agents do not act while a side is empty. */
  readonly bid: number;
  readonly ask: number;
  readonly tape: Pick<Tape, "last" | "returnOver" | "high" | "low">;
  /** The agent's position relative to its initial balances; negative if it is short. */
  readonly positionLots: number;
  /** The agent's resting orders. */
  readonly open: readonly OpenQuote[];
}

export type AgentAct =
  | { readonly type: "cancel"; readonly orderId: number }
  | { readonly type: "quote"; readonly side: Side; readonly quote: Quote }
  | { readonly type: "take"; readonly order: TakerOrder }
  /** Publishes the agent's news, which changes the symbol's value by `size`, a logarithm. */
  | { readonly type: "news"; readonly size: number };

export interface Agent {
  /** The time at which the agent acts next. */
  readonly nextMs: number;
  /** Returns the agent's actions and sets a later `nextMs`. */
  wake(view: AgentView): readonly AgentAct[];
}

export interface AgentParts {
  readonly seed: number;
  /** The unique name of the agent's random source and saved state. */
  readonly name: string;
  readonly saved: SavedState;
  readonly nowMs: number;
  readonly grid: Grid;
  /** The agent's average order, its position limit, and the symbol's minimum notional, in the quote asset. */
  readonly orderQuote: number;
  readonly maxPositionQuote: number;
  readonly minNotional: number;
  /** The symbol's usual daily volume, in the quote asset. */
  readonly dailyVolume: number;
}

/** Draws a random pause around `everyMs`, so that agents that start together do not stay in step. */
export const pauseMs = (random: Random, everyMs: number): number => Math.round(everyMs * random.between(0.5, 1.5));

/** The maximum distance of a taker order's limit price from the best price, so that no agent clears a book. */
const REACH_BPS = 20;

type Bounds = Pick<AgentParts, "grid" | "maxPositionQuote" | "minNotional">;

/** Returns the mid price, in the quote asset. */
export function midOf(grid: Grid, { bid, ask }: Pick<AgentView, "bid" | "ask">): number {
  return (bid + ask) / 2 / whole(10, grid.priceDecimals);
}

/**
 * Returns the size of an order with a value of `quote`, reduced to the position limit; 0 if it is below the symbol's
 * minimum.
 */
export function lotsWithin(bounds: Bounds, view: AgentView, side: Side, quote: number): number {
  const { grid, maxPositionQuote, minNotional } = bounds;
  const mid = midOf(grid, view);
  const most = lotsFor(grid, maxPositionQuote, mid);
  const resting = view.open.reduce((sum, order) => sum + (order.side === side ? order.lots : 0), 0);
  const room = most - (side === "BUY" ? view.positionLots : -view.positionLots) - resting;
  return lotsAtLeast(grid, Math.min(lotsFor(grid, quote, mid), room), minNotional, mid);
}

/** Rounds down to whole steps; returns 0 if the result is below the symbol's minimum. */
export function lotsAtLeast(grid: Grid, lots: number, minNotional: number, price: number): number {
  const steps = Math.floor(lots / grid.step) * grid.step;
  return steps < leastLots(grid, minNotional, price) ? 0 : steps;
}

/** Returns an immediate-or-cancel order for the liquidity within reach. */
export function takeLots({ grid }: Bounds, view: AgentView, side: Side, lots: number): TakerOrder {
  const opposite = side === "BUY" ? view.ask : view.bid;
  const far = Math.ceil(opposite / grid.tick / (10_000 / REACH_BPS));
  const cells = opposite / grid.tick + (side === "BUY" ? far : -far);
  return { side, lots, limitTicks: Math.max(1, Math.round(cells)) * grid.tick };
}

/**
 * Returns an order that closes the position, or a part of it with a value of `quote`. Returns undefined if there is no
 * position, or if it is too small.
 */
export function closing(bounds: Bounds, view: AgentView, quote: number): TakerOrder | undefined {
  const { grid, minNotional } = bounds;
  const mid = midOf(grid, view);
  const lots = Math.min(Math.abs(view.positionLots), lotsFor(grid, quote, mid));
  const wanted = lotsAtLeast(grid, lots, minNotional, mid);
  return wanted === 0 ? undefined : takeLots(bounds, view, view.positionLots > 0 ? "SELL" : "BUY", wanted);
}
