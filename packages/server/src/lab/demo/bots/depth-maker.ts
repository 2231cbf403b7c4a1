/**
 * Keeps the far quotes of one symbol on both sides. There are few of them, each farther out and larger than the
 * previous one, so that the book contains more than all demo accounts own together. The maker acts rarely, but
 * immediately after a side was emptied. See docs/decisions/0018-depth-of-the-demo.md.
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
/** The distance of the nearest quote, as a fraction of the mid price. */
const NEAREST = 0.005;
/** The factor of the distance from level to level: the last quote is 10 percent from the mid price. */
const TIMES_FARTHER = 1.4;
/** The value of the nearest quote, in USDT. */
const NEAREST_WORTH = 1_000_000;
/** The factor of the value from level to level: 2,659 million in total, more than all demo accounts own. */
const TIMES_LARGER = 2.25;
/** A quote that has less than this fraction of its intended size is replaced. */
const ENOUGH = 0.7;
/**
 * The maximum number of quotes placed on each side per round, because both sides together may place 10 orders a second.
 */
const MAX_PLACED = 5;
/** The levels stay until the mid price has moved this far, because moving them takes many orders. */
const MAX_DRIFT = 0.0025;

/** Returns the price at the center of the levels: `before` as long as the mid price is close to it. */
export function anchorOf(midPrice: number, before: number | undefined): number {
  if (before !== undefined && Math.abs(log(midPrice / before)) <= MAX_DRIFT) return before;
  // The center is on a fixed grid, so a restart usually finds the same one again.
  return exp(Math.round(log(midPrice) / MAX_DRIFT) * MAX_DRIFT);
}

/** Whether the mid price has moved too far from the center of the levels. */
export function isAdrift(midPrice: number, anchorPrice: number | undefined): boolean {
  return anchorPrice !== undefined && anchorOf(midPrice, anchorPrice) !== anchorPrice;
}

/**
 * Returns the wanted quantities by price in ticks, outermost first. `times` is a multiple of the usual quantities.
 * Levels on the same tick are merged, up to the maximum order size.
 */
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
  /** A multiple of the usual quantities. Default: 1. */
  readonly times?: number;
  /** Whether all quotes are canceled and placed again at once. */
  readonly isAnew?: boolean;
}

/** Cancels quotes that are misplaced or mostly filled, and places missing ones, starting from the outermost. */
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

/** Varies the quantity at random, because round numbers would look artificial. */
function uneven(grid: Grid, lots: number, random: Random): number {
  const uneven = Math.round((lots * random.between(0.85, 1.15)) / grid.step) * grid.step;
  return Math.max(grid.minLots, Math.min(uneven, mostLots(grid)));
}

function mostLots({ maxLots }: Grid): number {
  return maxLots > 0 ? maxLots : Number.POSITIVE_INFINITY;
}

/** The number of steps between rounds while all quotes are in place. */
const IDLE_STEPS = 9;
/**
 * The number of steps between rounds while quotes are missing: a round uses the orders of a whole second, which is two
 * steps.
 */
const BUSY_STEPS = 1;

export interface DepthPlans {
  readonly bids: MakerPlan;
  readonly asks: MakerPlan;
}

export interface DepthMarket {
  readonly conditions: Pick<Conditions, "price" | "depth" | "isDry">;
  /** The value of one base unit, in USDT. */
  readonly baseWorth: number;
  /** Whether a side near the price was emptied. */
  readonly wasEaten: boolean;
  /** The sides on which all quotes are replaced. */
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
  /** The number of steps until the next round. */
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

/** Returns the actions that adjust both sides. All cancels precede all new orders: see `traders.ts`. */
export function stepBack({ bids, asks }: DepthPlans): Action[] {
  return [...bids.cancel, ...asks.cancel].map((orderId) => ({ type: "cancel", job: "depth", orderId }));
}

export function stepForward({ bids, asks }: DepthPlans): Action[] {
  return [
    ...bids.place.map((quote): Action => ({ type: "quote", job: "depth", side: "BUY", quote })),
    ...asks.place.map((quote): Action => ({ type: "quote", job: "depth", side: "SELL", quote })),
  ];
}
