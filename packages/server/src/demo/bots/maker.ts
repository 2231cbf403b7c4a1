/** Decides one side of one symbol's market making: what to cancel, what to place. */
import type { OpenQuote, Quote, Side } from "./orders.ts";
import { type Grid, leastLots, lotsFor, roundedLots } from "./grid.ts";
import { binOf, NEAR_LEVELS } from "./ladder.ts";
import type { Random } from "./random.ts";

/** The quotes that a bin may keep; of more, the smallest are taken back. */
const MOST_IN_BIN = 2;
/** A quote goes when it is this many times farther away than the end of the last bin. */
const TOO_FAR = 1.3;
/** How often a good quote is taken back anyway, so that the book lives. */
const CHANGE_OF_MIND = 0.2;
/** The value of a typical best quote, in average takers' orders. */
const BEST_ORDERS = 1.2;
/** The standard deviation of the logarithm of a quote's size: many are small. */
const SIZE_DEVIATION = 1.1;
/** How often a size is a round number. */
const ROUND_CHANCE = 0.4;

export interface MakerPlan {
  /** Order ids, the most out of place first. */
  readonly cancel: readonly number[];
  readonly place: readonly Quote[];
}

export interface MakerView {
  readonly grid: Grid;
  readonly ladder: readonly number[];
  readonly side: Side;
  /** Where the best quote belongs, in multiples of the tick. */
  readonly best: number;
  readonly midPrice: number;
  /** The value that a side should hold within 10 bps of the best price, in the quote asset. */
  readonly depth: number;
  /** The average and the least value of a taker's order, in the quote asset. */
  readonly meanNotional: number;
  readonly minNotional: number;
  readonly open: readonly Pick<OpenQuote, "orderId" | "ticks" | "lots">[];
  readonly maxPlaced: number;
}

interface Standing {
  readonly orderId: number;
  readonly lots: number;
  /** The distance from the best price, in multiples of the tick; below 0, it is in the other side's way. */
  readonly distance: number;
}

/** Returns the quotes beyond the best price, which are in the way: the best first. */
export function inTheWay<Open extends Pick<OpenQuote, "orderId" | "ticks">>(
  open: readonly Open[],
  { grid, side, best }: Pick<MakerView, "grid" | "side" | "best">,
): Open[] {
  const away = side === "BUY" ? -1 : 1;
  const stale = open.filter(({ ticks }) => away * (ticks - best * grid.tick) < 0);
  return stale.toSorted((a, b) => away * (a.ticks - b.ticks) || a.orderId - b.orderId);
}

/** Moves the open orders a few steps nearer to the wanted ones; the same view and chance give the same plan. */
export function planQuotes(view: MakerView, random: Random): MakerPlan {
  const { grid, ladder, side, best, open } = view;
  const away = side === "BUY" ? -1 : 1;
  const cancel = inTheWay(open, view).map(({ orderId }) => orderId);
  const bins: Standing[][] = Array.from({ length: NEAR_LEVELS }, () => []);
  let atBest = 0;
  for (const { orderId, ticks, lots } of open) {
    const distance = (away * (ticks - best * grid.tick)) / grid.tick;
    if (distance < 0) continue;
    if (distance === 0) atBest++;
    const bin = binOf(ladder, distance);
    if (bin < NEAR_LEVELS) bins[Math.max(0, bin)]?.push({ orderId, lots, distance });
    else if (distance > (ladder.at(-1) ?? 0) * TOO_FAR) cancel.push(orderId);
  }
  cancel.push(...bins.flatMap(surplus), ...changeOfMind(bins, random));
  const wanted = atBest === 0 ? [0] : [];
  const empty = bins.flatMap((bin, index) => (bin.length === 0 ? [index] : []));
  while (wanted.length < view.maxPlaced && empty.length > 0) {
    const [bin = 0] = empty.splice(Math.floor(random.next() * empty.length), 1);
    const [from = 1, to = 2] = ladder.slice(bin, bin + 2);
    wanted.push(from + Math.floor(random.next() * (to - from)));
  }
  const prices = wanted.map((distance) => best + away * distance).filter((cells) => cells > 0);
  return { cancel, place: prices.map((cells) => quoteAt(view, cells, random)) };
}

/** Returns all quotes of a bin but the largest; the best quotes stay. */
function surplus(bin: readonly Standing[]): number[] {
  const bySize = bin.filter(({ distance }) => distance > 0).toSorted((a, b) => b.lots - a.lots);
  return bySize.slice(MOST_IN_BIN).map(({ orderId }) => orderId);
}

/** Picks a quote to take back, but not of the best ones, which those who trade expect to stay. */
function changeOfMind(bins: readonly (readonly Standing[])[], random: Random): number[] {
  if (!random.chance(CHANGE_OF_MIND)) return [];
  const bin = bins[Math.floor(random.next() * bins.length)] ?? [];
  const [one] = bin.filter(({ distance }) => distance > 0);
  return one === undefined || bin.length > MOST_IN_BIN ? [] : [one.orderId];
}

function quoteAt(view: MakerView, cells: number, random: Random): Quote {
  const { grid, ladder, best, midPrice, depth, meanNotional, minNotional } = view;
  const distance = Math.abs(cells - best);
  const bin = binOf(ladder, distance);
  const bps = (midPrice * 10 ** grid.priceDecimals) / grid.tick / 10_000;
  const width = (ladder[bin + 1] ?? 0) - (ladder[bin] ?? 0);
  // A bin holds the part of the depth that its width is of 10 bps.
  const typical = distance === 0 ? meanNotional * BEST_ORDERS : (depth * width) / bps / 10;
  const notional = typical * Math.min(6, random.lognormal(SIZE_DEVIATION));
  const lots = lotsFor(grid, notional, midPrice);
  const wanted = random.chance(ROUND_CHANCE) ? roundedLots(grid, lots, 1) : lots;
  return { ticks: cells * grid.tick, lots: Math.max(wanted, leastLots(grid, minNotional, midPrice)) };
}
