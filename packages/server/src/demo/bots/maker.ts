/** One side of one symbol's market making, as decisions: what to cancel, what to place. */
import type { OpenQuote, Quote, Side } from "./desk.ts";
import { type Grid, lotsFor, quotePrices } from "./grid.ts";
import type { Random } from "./random.ts";

/** At most so many new orders a step: an account may place 10 a second, and two steps make one. */
const MAX_PLACED = 4;
/** Into an empty book: with those of the next step just what a second allows. */
const MAX_PLACED_FIRST = 6;
const MAX_CANCELED = 8;
/** How often a good order is replaced all the same, so that quantities live. */
const REFRESH_CHANCE = 0.05;

export interface MakerPlan {
  /** Order ids, the most out of place first. */
  readonly cancel: readonly number[];
  readonly place: readonly Quote[];
}

export interface MakerView {
  readonly grid: Grid;
  readonly side: Side;
  readonly midPrice: number;
  /** What a level near the top is worth, in the quote asset. */
  readonly levelNotional: number;
  readonly open: readonly Pick<OpenQuote, "orderId" | "ticks">[];
}

/** Brings the open orders a few steps nearer to the wanted ones; the same view and chance give the same plan. */
export function planQuotes({ grid, side, midPrice, levelNotional, open }: MakerView, random: Random): MakerPlan {
  const wanted = quotePrices(grid, midPrice, side);
  const isWanted = new Set(wanted);
  const away = side === "BUY" ? 1 : -1;
  const byDanger = open.toSorted((a, b) => away * (b.ticks - a.ticks) || a.orderId - b.orderId);
  const standing = new Set<number>();
  const cancel: number[] = [];
  for (const { orderId, ticks } of byDanger) {
    if (isWanted.has(ticks) && !standing.has(ticks)) standing.add(ticks);
    else if (cancel.length < MAX_CANCELED) cancel.push(orderId);
  }
  if (cancel.length === 0 && random.chance(REFRESH_CHANCE)) {
    const refreshed = byDanger[Math.floor(random.next() * byDanger.length)];
    if (refreshed !== undefined) {
      cancel.push(refreshed.orderId);
      standing.delete(refreshed.ticks);
    }
  }
  const place: Quote[] = [];
  for (const [level, ticks] of wanted.entries()) {
    if (place.length === (open.length === 0 ? MAX_PLACED_FIRST : MAX_PLACED)) break;
    if (standing.has(ticks)) continue;
    const notional = levelNotional * (1 + level / 8) * random.between(0.3, 1.7);
    place.push({ ticks, lots: lotsFor(grid, notional, midPrice) });
  }
  return { cancel, place };
}
