/**
 * The course of a market's day and week, in UTC: one hump at the opening of New York, a bump at midnight, half of it at
 * weekends. Rounded from two years of public BTCUSDT candles. Part of each version of the generator: never changed.
 */
import { HOUR_MS, DAY_MS } from "../number/duration.ts";

/** Percent of a day's volume in each hour. */
const VOLUME: readonly number[] = [
  4.3, 3.6, 3.2, 2.9, 2.5, 2.3, 2.6, 3, 3.5, 3.6, 3.5, 3.6, 4.2, 6.4, 9.2, 7.6, 6, 5, 4.4, 4.2, 4.2, 4, 3.5, 2.7,
];
/** Size of returns in each hour, relative to the whole day's. */
const MOVES: readonly number[] = [
  1.13, 0.98, 0.92, 0.85, 0.75, 0.68, 0.74, 0.82, 0.9, 0.9, 0.88, 0.9, 0.98, 1.3, 1.59, 1.4, 1.2, 1.08, 1.02, 1, 1.02,
  1, 0.92, 0.8,
];
/** Volume from Sunday on, relative to an average day. */
const WEEK: readonly number[] = [0.76, 1.28, 1.16, 1.14, 1.12, 1.05, 0.49];

const MEAN_SQUARE_MOVE = MOVES.reduce((sum, move) => sum + move * move, 0) / MOVES.length;
const MEAN_VOLUME = VOLUME.reduce((sum, share) => sum + share, 0) / VOLUME.length;

/** Size of moves in the hour of `timeMs`, around 1; its square averages 1 over the day. */
export function moveSeason(timeMs: number): number {
  return (MOVES[hourOf(timeMs)] as number) / Math.sqrt(MEAN_SQUARE_MOVE);
}

/** Volume in the hour of `timeMs`, around 1. */
export function volumeSeason(timeMs: number): number {
  return (VOLUME[hourOf(timeMs)] as number) / MEAN_VOLUME;
}

/** Volume on the day of the week, around 1. The epoch was a Thursday. */
export function weekSeason(timeMs: number): number {
  return WEEK[(Math.floor(timeMs / DAY_MS) + 4) % 7] as number;
}

function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) % 24;
}
