/**
 * The distances of a maker's quotes behind its best one: bins grow with distance, so that a book is dense near the
 * price, sparse far from it, and deeper the farther one looks.
 */
import { power, whole } from "../exact.ts";
import { cellsOf, type Grid } from "./grid.ts";

/** The bins of each side. */
export const NEAR_LEVELS = 20;
/** The first and the last bound, as distances from the best price. */
const NEAREST_BPS = 0.15;
const FARTHEST_BPS = 40;

/** Returns ascending distances from the best price in ticks, one more than there are bins; each bin holds a price. */
export function ladderOf(grid: Grid, price: number): readonly number[] {
  const bps = cellsOf(grid, price) / 10_000;
  const growth = power(FARTHEST_BPS / NEAREST_BPS, 1 / NEAR_LEVELS);
  const bounds: number[] = [];
  for (let level = 0; level <= NEAR_LEVELS; level++) {
    const wanted = Math.round(bps * NEAREST_BPS * whole(growth, level));
    bounds.push(Math.max(wanted, (bounds.at(-1) ?? 0) + 1));
  }
  return bounds;
}

/** Returns the bin of a distance; -1 nearer than the first, `NEAR_LEVELS` beyond the last. */
export function binOf(ladder: readonly number[], distance: number): number {
  let [low, high] = [0, ladder.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (distance < (ladder[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
