/**
 * Agents trade beside the bots of a lab's symbol. An agent sees the public market and its own orders, and returns
 * its actions, which are carried out for it. It draws from a random source of its own, so the same input gives the
 * same actions.
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
  /** The best prices, in ticks of the grid; none is 0: agents sleep while a side is empty. */
  readonly bid: number;
  readonly ask: number;
  readonly tape: Pick<Tape, "last" | "returnOver" | "high" | "low">;
  /** What it owns beyond what it was given; below 0: what it owes. */
  readonly positionLots: number;
  /** Its orders that rest. */
  readonly open: readonly OpenQuote[];
}

export type AgentAct =
  | { readonly type: "cancel"; readonly orderId: number }
  | { readonly type: "quote"; readonly side: Side; readonly quote: Quote }
  | { readonly type: "take"; readonly order: TakerOrder }
  /** Its private news becomes public: the value is higher by this from now on, as a logarithm. */
  | { readonly type: "news"; readonly size: number };

export interface Agent {
  /** When it wakes next. */
  readonly nextMs: number;
  /** `nextMs` is later afterwards. */
  wake(view: AgentView): readonly AgentAct[];
}

/** What an agent is made with. */
export interface AgentParts {
  readonly seed: number;
  /** Its own among all, for its random source and its saved state. */
  readonly name: string;
  readonly saved: SavedState;
  readonly nowMs: number;
  readonly grid: Grid;
  /** In the quote asset: its average order, what it may own or owe, and the least that the symbol takes. */
  readonly orderQuote: number;
  readonly maxPositionQuote: number;
  readonly minNotional: number;
  /** What is usually traded in a day, in the quote asset. */
  readonly dailyVolume: number;
}

/** Around `everyMs`: agents that began together do not stay so. */
export const pauseMs = (random: Random, everyMs: number): number => Math.round(everyMs * random.between(0.5, 1.5));

// How large an agent's order is: within its position's bounds and the symbol's filters.

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
