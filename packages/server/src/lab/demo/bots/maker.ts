/** Decides which quotes of one side of one symbol to cancel, which to place, and at which distances. */
import { power, whole } from "../exact.ts";
import {
  cellsOf,
  type Grid,
  leastLots,
  lotsFor,
  type OpenQuote,
  type Quote,
  roundedLots,
  type Side,
} from "./orders.ts";
import assert from "node:assert/strict";
import type { Random } from "./random.ts";

// The distances of a maker's quotes from its best one. The bins grow with distance, so that a book is dense near the
// price and sparse far from it.

/** The number of bins per side in a market that is not dense. */
export const NEAR_LEVELS = 20;
/** Distances from the best price: the start of the first bin and the end of the last one. */
const NEAREST_BPS = 0.15;
const FARTHEST_BPS = 40;
/**
 * A dense market has this many additional bins nearer to the price, starting at `FINEST_BPS`; quotes up to `SMALL_BPS`
 * are small.
 */
const FINE_LEVELS = 12;
const FINEST_BPS = 0.02;
const SMALL_BPS = 0.5;
/** A market is dense only if the first of the additional bins is at least this many ticks from the price. */
const FINE_TICKS = 2;

export interface Ladder {
  /**
   * The bounds of the bins: ascending distances from the best price in multiples of the tick, one more than there are
   * bins.
   */
  readonly bounds: readonly number[];
  readonly levels: number;
  /** Quotes nearer than this are small; 0 if the market is not dense. */
  readonly smallCells: number;
  /** The number of bins that begin nearer than `smallCells`. */
  readonly smallLevels: number;
}

export function ladderOf(grid: Grid, price: number, isDense: boolean): Ladder {
  const bps = cellsOf(grid, price) / 10_000;
  const hasSmall = isDense && bps * FINEST_BPS >= FINE_TICKS;
  const wanted = [
    ...(hasSmall ? spaced(FINEST_BPS, NEAREST_BPS, FINE_LEVELS).slice(0, -1) : []),
    ...spaced(NEAREST_BPS, FARTHEST_BPS, NEAR_LEVELS),
  ];
  const bounds: number[] = [];
  for (const distance of wanted) bounds.push(Math.max(Math.round(bps * distance), (bounds.at(-1) ?? 0) + 1));
  const smallCells = hasSmall ? bps * SMALL_BPS : 0;
  const smallLevels = bounds.filter((bound) => bound < smallCells).length;
  return { bounds, levels: bounds.length - 1, smallCells, smallLevels };
}

/** Returns `levels` + 1 distances in a geometric series. */
function spaced(from: number, to: number, levels: number): number[] {
  const growth = power(to / from, 1 / levels);
  return Array.from({ length: levels + 1 }, (_, level) => from * whole(growth, level));
}

/** Returns the bin of a distance; -1 before the first bin, `levels` beyond the last. */
export function binOf({ bounds }: Ladder, distance: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (distance < (bounds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** The maximum number of quotes in a bin; the smallest surplus quotes are canceled. */
const MOST_IN_BIN = 2;
/** A quote beyond this multiple of the distance of the last bin's end is canceled. */
const TOO_FAR = 1.3;
/** The probability, per bin and round of the makers, that a good quote is canceled anyway, so that the book changes. */
const CHANGE_OF_MIND = 0.01;
/** The value of a typical best quote as a multiple of the average taker order, if it is not a small quote. */
const BEST_ORDERS = 1.2;
/**
 * The value of a typical small quote as a multiple of the average taker order, so that most orders fill several quotes.
 */
const SMALL_ORDERS = 0.2;
/** The standard deviation of the logarithm of a quote's size: many quotes are small. */
const SIZE_DEVIATION = 1.1;
/** The probability that a size is a round number. */
const ROUND_CHANCE = 0.4;
/**
 * The relative value per basis point by distance from the best price, as in real books: thin in the first levels,
 * thickest up to 10 bps, thinner beyond.
 */
const DENSITIES: readonly (readonly [toBps: number, times: number])[] = [
  [1, 1.2],
  [10, 1.75],
  [25, 1],
  [Number.POSITIVE_INFINITY, 0.5],
];

export interface MakerPlan {
  /** The ids of orders to cancel, the most misplaced first. */
  readonly cancel: readonly number[];
  readonly place: readonly Quote[];
}

export interface MakerView {
  readonly grid: Grid;
  readonly ladder: Ladder;
  readonly side: Side;
  /** The wanted best price, in multiples of the tick. */
  readonly best: number;
  readonly midPrice: number;
  /** The value of a side within 10 bps of the best price, in the quote asset. */
  readonly depth: number;
  /** A multiple of the usual quote sizes. Default: 1. */
  readonly times?: number;
  /** The average and the minimum value of a taker order, in the quote asset. */
  readonly meanNotional: number;
  readonly minNotional: number;
  readonly open: readonly Pick<OpenQuote, "orderId" | "ticks" | "lots">[];
  readonly maxPlaced: number;
}

/** Returns the quotes beyond the wanted best price, the best first. */
export function inTheWay<Open extends Pick<OpenQuote, "orderId" | "ticks">>(
  open: readonly Open[],
  { grid, side, best }: Pick<MakerView, "grid" | "side" | "best">,
): Open[] {
  const away = side === "BUY" ? -1 : 1;
  const stale = open.filter(({ ticks }) => away * (ticks - best * grid.tick) < 0);
  return stale.length < 2 ? stale : stale.toSorted((a, b) => away * (a.ticks - b.ticks) || a.orderId - b.orderId);
}

/**
 * Plans how to move the open orders a few steps closer to the wanted ones. The same view and random numbers lead to the
 * same plan.
 */
export function planQuotes(view: MakerView, random: Random): MakerPlan {
  const { ladder, side, best, open } = view;
  const away = side === "BUY" ? -1 : 1;
  const cancel = inTheWay(open, view).map(({ orderId }) => orderId);
  const bins = new Bins(view);
  const tooFar = (ladder.bounds.at(-1) ?? 0) * TOO_FAR;
  cancel.push(...bins.beyond(tooFar));
  cancel.push(...bins.surplus());
  const whim = changeOfMind(bins, random);
  if (whim !== undefined) cancel.push(whim);
  const wanted = bins.hasBest ? [] : [0];
  const { empty } = bins;
  while (wanted.length < view.maxPlaced && empty.length > 0) {
    const [bin = 0] = empty.splice(Math.floor(random.next() * empty.length), 1);
    const { [bin]: from = 1, [bin + 1]: to = 2 } = ladder.bounds;
    wanted.push(from + Math.floor(random.next() * (to - from)));
  }
  const prices = wanted.map((distance) => best + away * distance).filter((cells) => cells > 0);
  return { cancel, place: prices.map((cells) => quoteAt(view, cells, random)) };
}

/**
 * The quotes of a side by bin. Quotes are counted in advance but listed only on request, because this code runs often.
 */
class Bins {
  readonly #open: MakerView["open"];
  /** The distance of each quote from the best price in multiples of the tick, and its bin; indexed like `open`. */
  readonly #distances: number[] = [];
  readonly #bins: number[] = [];
  readonly #counts: Uint16Array;
  readonly levels: number;
  /** Whether a quote is at the best price. */
  readonly hasBest: boolean = false;

  constructor({ open, grid: { tick }, best, side, ladder }: MakerView) {
    this.#open = open;
    this.levels = ladder.levels;
    this.#counts = new Uint16Array(this.levels);
    for (const { ticks } of open) {
      const beyond = ticks - best * tick;
      const distance = (side === "BUY" ? -beyond : beyond) / tick;
      // The first bin begins at the best price. A quote at a negative distance is beyond it and in no bin.
      const bin = distance < 0 ? -1 : Math.max(0, binOf(ladder, distance));
      this.#distances.push(distance);
      this.#bins.push(bin);
      if (bin >= 0 && bin < this.levels) this.#counts[bin] = this.count(bin) + 1;
      if (distance === 0) this.hasBest = true;
    }
  }

  /** Returns the ids of orders that are farther away than `distance`. */
  beyond(distance: number): number[] {
    const beyond: number[] = [];
    for (const [place, { orderId }] of this.#open.entries()) {
      if ((this.#distances[place] as number) > distance) beyond.push(orderId);
    }
    return beyond;
  }

  count(bin: number): number {
    return this.#counts[bin] as number;
  }

  get empty(): number[] {
    const empty: number[] = [];
    for (let bin = 0; bin < this.levels; bin++) if (this.#counts[bin] === 0) empty.push(bin);
    return empty;
  }

  /** Returns the quotes of a bin, without those at the best price. */
  behind(bin: number): MakerView["open"] {
    return this.#open.filter((_, place) => this.#bins[place] === bin && (this.#distances[place] as number) > 0);
  }

  /** Returns the ids of the smallest orders in overfull bins. Quotes at the best price are never included. */
  surplus(): number[] {
    const surplus: number[] = [];
    for (let bin = 0; bin < this.levels; bin++) {
      if (this.count(bin) <= MOST_IN_BIN) continue;
      const bySize = this.behind(bin).toSorted((a, b) => b.lots - a.lots);
      for (const { orderId } of bySize.slice(MOST_IN_BIN)) surplus.push(orderId);
    }
    return surplus;
  }
}

/** Picks a random quote to cancel. Quotes at the best price are not picked, because traders expect them to stay. */
function changeOfMind(bins: Bins, random: Random): number | undefined {
  if (!random.chance(CHANGE_OF_MIND * bins.levels)) return undefined;
  const bin = Math.floor(random.next() * bins.levels);
  const [one] = bins.behind(bin);
  return bins.count(bin) > MOST_IN_BIN ? undefined : one?.orderId;
}

function quoteAt(view: MakerView, cells: number, random: Random): Quote {
  const { grid, best, midPrice, minNotional, times = 1 } = view;
  const distance = Math.abs(cells - best);
  const bps = (midPrice * whole(10, grid.priceDecimals)) / grid.tick / 10_000;
  const notional = typicalAt(view, distance, bps) * times * Math.min(6, random.lognormal(SIZE_DEVIATION));
  const lots = lotsFor(grid, notional, midPrice);
  const wanted = random.chance(ROUND_CHANCE) ? roundedLots(grid, lots, 1) : lots;
  return { ticks: cells * grid.tick, lots: Math.max(wanted, leastLots(grid, minNotional, midPrice)) };
}

/**
 * The value of a typical quote at `distance` ticks from the best price, in the quote asset. `bps`: the number of ticks
 * in a basis point.
 */
function typicalAt({ ladder, depth, meanNotional }: MakerView, distance: number, bps: number): number {
  if (distance < ladder.smallCells) return meanNotional * SMALL_ORDERS;
  if (distance === 0) return meanNotional * BEST_ORDERS;
  const bin = binOf(ladder, distance);
  const width = (ladder.bounds[bin + 1] ?? 0) - (ladder.bounds[bin] ?? 0);
  // The value is proportional to the depth within 10 bps, the width of the bin, and its density.
  return ((depth * width) / bps / 10) * densityAt(distance / bps);
}

function densityAt(bps: number): number {
  for (const [toBps, times] of DENSITIES) if (bps < toBps) return times;
  assert.fail("the last density is beyond all");
}
