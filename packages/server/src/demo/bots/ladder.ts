/**
 * Where a maker's quotes stand behind its best one: bins that grow with their distance, so that a book is dense near the
 * price and sparse far from it, and deeper the farther one looks.
 */
import { cellsOf, type Grid } from "./grid.ts";

/** Bins of each side. */
export const NEAR_LEVELS = 20;
/** Of the first and the last bound, from the best price. */
const NEAREST_BPS = 0.15;
const FARTHEST_BPS = 40;

/** Ascending distances from the best price in multiples of the tick, one more than bins; each bin holds a price. */
export function ladderOf(grid: Grid, price: number): readonly number[] {
  const bps = cellsOf(grid, price) / 10_000;
  const growth = (FARTHEST_BPS / NEAREST_BPS) ** (1 / NEAR_LEVELS);
  const bounds: number[] = [];
  for (let level = 0; level <= NEAR_LEVELS; level++) {
    const wanted = Math.round(bps * NEAREST_BPS * growth ** level);
    bounds.push(Math.max(wanted, (bounds.at(-1) ?? 0) + 1));
  }
  return bounds;
}

/** The bin of a distance; -1 nearer than the first, `NEAR_LEVELS` beyond the last. */
export function binOf(ladder: readonly number[], distance: number): number {
  let bin = -1;
  for (const bound of ladder) {
    if (distance < bound) return bin;
    bin++;
  }
  return bin;
}
