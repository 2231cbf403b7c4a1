/** Decides what a taker sends: an order of a likely size, or one that sweeps quotes that the price has passed. */
import { exp, whole } from "../exact.ts";
import { type Grid, leastLots, lotsFor, roundedLots } from "./grid.ts";
import type { OpenQuote, Side, TakerOrder } from "./orders.ts";
import type { Random } from "./random.ts";

const LIMIT_CHANCE = 0.3;
/** How far a limit goes beyond the best price. */
const REACH_BPS = 5;
/**
 * The standard deviation of the logarithm of a size, and how many of them above the median a power tail begins, with its
 * exponent: half of all orders are small, and few make most of the volume.
 */
const SIZE_DEVIATION = 2.6;
const TAIL_FROM = 1.3;
const TAIL = 1.62;
/** The largest order as a multiple of the average. */
const LARGEST = 200;
/** The average of such sizes, of which the median is 1 and the largest are cut. */
const MEAN_SIZE = 9.94;
/** How often a quantity has one significant digit, and how often two. */
const ROUND_CHANCE = 0.35;
const HALF_ROUND_CHANCE = 0.2;

export interface TakerView {
  readonly grid: Grid;
  readonly side: Side;
  /** The best price of the other side, in multiples of the tick. */
  readonly opposite: number;
  readonly midPrice: number;
  /** The average and the least value of an order, in the quote asset. */
  readonly meanNotional: number;
  readonly minNotional: number;
  /** Whether nothing has traded: without an average price a market order cannot be checked, so a limit comes first. */
  readonly isFirstTrade: boolean;
}

/** Decides on an order; the same view and chance give the same order. */
export function planTake(view: TakerView, random: Random): TakerOrder {
  const { grid, side, midPrice, minNotional } = view;
  const lots = lotsFor(grid, drawNotional(view, random), midPrice);
  const isLimit = random.chance(LIMIT_CHANCE) || view.isFirstTrade;
  const luck = random.next();
  const digits = luck < ROUND_CHANCE ? 1 : 2;
  const wanted = luck < ROUND_CHANCE + HALF_ROUND_CHANCE ? roundedLots(grid, lots, digits) : lots;
  const least = leastLots(grid, minNotional, midPrice);
  return { side, lots: Math.max(wanted, least), limitTicks: isLimit ? reach(view) : 0 };
}

/** Draws an order's value with a heavy tail and the wanted average. */
function drawNotional({ meanNotional }: Pick<TakerView, "meanNotional">, random: Random): number {
  const deviations = random.normal();
  const size = exp(SIZE_DEVIATION * Math.min(deviations, TAIL_FROM));
  const drawn = deviations > TAIL_FROM ? size * random.pareto(TAIL) : size;
  return Math.min((meanNotional / MEAN_SIZE) * drawn, meanNotional * LARGEST);
}

function reach({ grid, side, opposite }: TakerView): number {
  const far = Math.ceil((opposite * REACH_BPS) / 10_000) + 1;
  return Math.max(1, side === "BUY" ? opposite + far : opposite - far) * grid.tick;
}

export interface Sweep {
  readonly order: TakerOrder;
  /** The quotes that it takes whole. */
  readonly taken: ReadonlySet<number>;
}

/** Takes quotes in the price's way, the best first, as far as a drawn sum of money goes. Null: not even one fits. */
export function planSweep(
  stale: readonly OpenQuote[],
  { grid, midPrice, meanNotional, minNotional }: Omit<TakerView, "side" | "opposite" | "isFirstTrade">,
  random: Random,
): Sweep | null {
  const money = 2 * drawNotional({ meanNotional }, random);
  const taken = new Set<number>();
  let [lots, limitTicks] = [0, 0];
  const worth = (count: number): number => (count / whole(10, grid.quantityDecimals)) * midPrice;
  for (const quote of stale) {
    if (worth(lots + quote.lots) > money) break;
    lots += quote.lots;
    limitTicks = quote.ticks;
    taken.add(quote.orderId);
  }
  const [first] = stale;
  if (first === undefined || worth(lots) < minNotional) return null;
  return { order: { side: first.side === "SELL" ? "BUY" : "SELL", lots, limitTicks }, taken };
}
