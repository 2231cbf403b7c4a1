/**
 * Keeps the far quotes of one symbol, on both sides: few of them, each farther out and larger than the one before,
 * so that the book contains more than the demo accounts own together. It looks seldom, and at once when a side was
 * taken. See docs/decisions/0018-depth-of-the-demo.md.
 */
import { exp, log, whole } from "../exact.ts";
import {
  type Action,
  cellsOf,
  type Conditions,
  type Grid,
  lotsFor,
  type Moves,
  type OpenQuote,
  type Quote,
  type Side,
} from "./orders.ts";
import type { MakerPlan } from "./maker.ts";
import { Random } from "./random.ts";
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";

export const FAR_LEVELS = 10;
/** The distance of the nearest quote, as a part of the mid. */
const NEAREST = 0.005;
/** The growth of distance from one level to the next: the last is 10 percent from the mid. */
const TIMES_FARTHER = 1.4;
/** The value of the nearest quote, in USDT. */
const NEAREST_WORTH = 1_000_000;
/** The growth of value from one level to the next: 2,659 million in all, more than all demo accounts own. */
const TIMES_LARGER = 2.25;
/** A quote with less than this part of its intended size is placed anew. */
const ENOUGH = 0.7;
/** The most quotes placed on each side in one look: both sides together may place 10 orders a second. */
const MAX_PLACED = 5;
/** The levels stay until the mid has moved this far: moving them takes many orders, and is rare. */
const MAX_DRIFT = 0.0025;

/** Returns the price that the levels stand around: `before` as long as the mid is near it. */
export function anchorOf(midPrice: number, before: number | undefined): number {
  if (before !== undefined && Math.abs(log(midPrice / before)) <= MAX_DRIFT) return before;
  // The price is one of a fixed row, so a restart usually finds the same one again.
  return exp(Math.round(log(midPrice) / MAX_DRIFT) * MAX_DRIFT);
}

/** Whether the levels no longer stand around the mid. */
export function isAdrift(midPrice: number, anchorPrice: number | undefined): boolean {
  return anchorPrice !== undefined && anchorOf(midPrice, anchorPrice) !== anchorPrice;
}

/** Returns quantities by price in ticks, outermost first; `times` is a multiple of the usual. Levels on one tick are merged, up to the largest order. */
export function farQuotes(
  grid: Grid,
  anchorPrice: number,
  baseWorth: number,
  side: Side,
  times = 1,
): Map<number, number> {
  const most = mostLots(grid);
  const wanted = new Map<number, number>();
  for (let level = FAR_LEVELS - 1; level >= 0; level--) {
    const offset = NEAREST * whole(TIMES_FARTHER, level);
    const price = anchorPrice * (side === "BUY" ? 1 - offset : 1 + offset);
    const cells = cellsOf(grid, price);
    const ticks = (side === "BUY" ? Math.floor(cells) : Math.ceil(cells)) * grid.tick;
    const lots = lotsFor(grid, times * NEAREST_WORTH * whole(TIMES_LARGER, level), baseWorth);
    if (ticks > 0) wanted.set(ticks, Math.min(most, (wanted.get(ticks) ?? 0) + lots));
  }
  return wanted;
}

export interface DepthView {
  readonly grid: Grid;
  readonly side: Side;
  readonly anchorPrice: number;
  /** The value of one base unit, in USDT. */
  readonly baseWorth: number;
  readonly open: readonly OpenQuote[];
  /** A multiple of the usual quantities; 1 when absent. */
  readonly times?: number;
  /** All are taken back and placed anew, at once. */
  readonly isAnew?: boolean;
}

/** Takes back quotes that are misplaced or mostly eaten, and places missing ones, from the outermost inward. */
export function planDepth(view: DepthView, random: Random): MakerPlan {
  const { grid, side, anchorPrice, baseWorth, open, times = 1, isAnew = false } = view;
  const wanted = farQuotes(grid, anchorPrice, baseWorth, side, times);
  const standing = new Set<number>();
  const cancel: number[] = [];
  for (const { orderId, side: own, ticks, lots } of open) {
    if (own !== side) continue;
    const isGood = !isAnew && lots >= (wanted.get(ticks) ?? Number.POSITIVE_INFINITY) * ENOUGH;
    if (isGood && !standing.has(ticks)) standing.add(ticks);
    else cancel.push(orderId);
  }
  const missing = [...wanted].filter(([ticks]) => !standing.has(ticks)).slice(0, isAnew ? FAR_LEVELS : MAX_PLACED);
  const place = missing.map(([ticks, lots]): Quote => ({ ticks, lots: uneven(grid, lots, random) }));
  return { cancel, place };
}

/** Varies the size: round numbers would look artificial. */
function uneven(grid: Grid, lots: number, random: Random): number {
  const uneven = Math.round((lots * random.between(0.85, 1.15)) / grid.step) * grid.step;
  return Math.max(grid.minLots, Math.min(uneven, mostLots(grid)));
}

function mostLots({ maxLots }: Grid): number {
  return maxLots > 0 ? maxLots : Number.POSITIVE_INFINITY;
}

/** The steps without a look once all quotes stand. */
const IDLE_STEPS = 9;
/** The steps without a look while quotes are missing: a look uses a whole second of orders, and two steps make one. */
const BUSY_STEPS = 1;

export interface DepthPlans {
  readonly bids: MakerPlan;
  readonly asks: MakerPlan;
}

export interface DepthMarket {
  readonly conditions: Pick<Conditions, "price" | "depth" | "isDry">;
  /** The value of one base unit, in USDT. */
  readonly baseWorth: number;
  /** A near side is gone. */
  readonly wasEaten: boolean;
  /** All quotes are placed anew. */
  readonly isAnew: Readonly<Record<Side, boolean>>;
}

const NOTHING: MakerPlan = { cancel: [], place: [] };

const SAVED = z.strictObject({
  anchorPrice: z.number().nullable(),
  pause: z.number(),
  isComplete: z.boolean(),
});

export class DepthMaker {
  readonly #grid: Grid;
  readonly #random: Random;
  #anchorPrice: number | undefined;
  /** The steps until the next look. */
  #pause: number;
  #isComplete: boolean;

  constructor(grid: Grid, seed: number, symbol: string, saved: SavedState) {
    const name = `depth of ${symbol}`;
    const state = saved.restore(name, SAVED, () => {
      return { anchorPrice: this.#anchorPrice ?? null, pause: this.#pause, isComplete: this.#isComplete };
    });
    this.#grid = grid;
    this.#random = new Random(seed, name, saved);
    this.#anchorPrice = state?.anchorPrice ?? undefined;
    this.#pause = state?.pause ?? 0;
    this.#isComplete = state?.isComplete ?? false;
  }

  *plan(market: DepthMarket): Moves<DepthPlans> {
    const { price } = market.conditions;
    const { BUY, SELL } = market.isAnew;
    if ((market.wasEaten && this.#isComplete) || BUY || SELL || isAdrift(price, this.#anchorPrice)) this.#pause = 0;
    if (this.#pause > 0) {
      this.#pause--;
      return { bids: NOTHING, asks: NOTHING };
    }
    this.#anchorPrice = anchorOf(price, this.#anchorPrice);
    const [open = []] = yield { type: "look", jobs: ["depth"] };
    const bids = this.#planSide("BUY", market, open);
    const asks = this.#planSide("SELL", market, open);
    this.#isComplete = bids.place.length + asks.place.length === 0;
    this.#pause = this.#isComplete ? IDLE_STEPS : BUSY_STEPS;
    return { bids, asks };
  }

  #planSide(side: Side, { conditions, baseWorth, isAnew }: DepthMarket, open: readonly OpenQuote[]): MakerPlan {
    if (conditions.isDry[side]) {
      return { cancel: open.filter((quote) => quote.side === side).map(({ orderId }) => orderId), place: [] };
    }
    const anchorPrice = this.#anchorPrice ?? conditions.price;
    const view = { grid: this.#grid, anchorPrice, baseWorth, open, side };
    return planDepth({ ...view, times: conditions.depth, isAnew: isAnew[side] }, this.#random);
  }
}

/** All take back before anybody places: see `near-maker.ts`. */
export function stepBack({ bids, asks }: DepthPlans): Action[] {
  return [...bids.cancel, ...asks.cancel].map((orderId) => ({ type: "cancel", job: "depth", orderId }));
}

export function stepForward({ bids, asks }: DepthPlans): Action[] {
  return [
    ...bids.place.map((quote): Action => ({ type: "quote", job: "depth", side: "BUY", quote })),
    ...asks.place.map((quote): Action => ({ type: "quote", job: "depth", side: "SELL", quote })),
  ];
}
