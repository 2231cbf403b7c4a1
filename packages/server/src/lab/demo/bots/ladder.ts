/**
 * The distances of a maker's quotes behind its best one: bins grow with distance, so that a book is dense near the
 * price, sparse far from it, and deeper the farther one looks.
 */
import { power, whole } from "../exact.ts";
import { cellsOf, type Grid } from "./grid.ts";

/** The bins of each side, where the market is not dense. */
export const NEAR_LEVELS = 20;
/** The first and the last bound, as distances from the best price. */
const NEAREST_BPS = 0.15;
const FARTHEST_BPS = 40;
/** Where the market is dense, so many more bins lie before the others, from here on, and quotes to there are small. */
const FINE_LEVELS = 12;
const FINEST_BPS = 0.02;
const SMALL_BPS = 0.5;
/** A market is only dense where so many ticks lie before the first of these bins. */
const FINE_TICKS = 2;

export interface Ladder {
  /** Ascending distances from the best price in multiples of the tick, one more than there are bins; each bin holds a price. */
  readonly bounds: readonly number[];
  readonly levels: number;
  /** Quotes nearer than this are small; 0 where the market is not dense. */
  readonly smallCells: number;
  /** The bins that begin nearer than that. */
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

/** Returns so many distances and the last, each the same multiple of the one before. */
function spaced(from: number, to: number, levels: number): number[] {
  const growth = power(to / from, 1 / levels);
  return Array.from({ length: levels + 1 }, (_, level) => from * whole(growth, level));
}

/** Returns the bin of a distance; -1 nearer than the first, `levels` beyond the last. */
export function binOf({ bounds }: Ladder, distance: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (distance < (bounds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
