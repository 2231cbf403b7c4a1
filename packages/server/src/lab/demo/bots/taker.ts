/**
 * Decides when takers send orders and which: bursts of arrivals, long series of orders on one side, and sizes.
 */
import { exp, whole } from "../exact.ts";
import {
  type Grid,
  leastLots,
  lotsFor,
  type OpenQuote,
  roundedLots,
  type Side,
  SIDES,
  type TakerOrder,
} from "./orders.ts";
import { Random } from "./random.ts";
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";

const LIMIT_CHANCE = 0.3;
/** How far a limit is beyond the best price. */
const REACH_BPS = 5;
/**
 * The standard deviation of the logarithm of a size; the number of deviations above the median from which a power-law
 * tail begins; and the tail's exponent. Half of all orders are small, and few make most of the volume.
 */
const SIZE_DEVIATION = 2.6;
const TAIL_FROM = 1.3;
const TAIL = 1.62;
/** The largest order as a multiple of the average. */
const LARGEST = 200;
/** The average of such sizes, with median 1 and the largest ones capped. */
const MEAN_SIZE = 9.94;
/** How often a quantity has one significant digit, and how often two. */
const ROUND_CHANCE = 0.35;
const HALF_ROUND_CHANCE = 0.2;

export interface TakerView {
  readonly grid: Grid;
  readonly side: Side;
  /** The best price of the opposite side, in multiples of the tick. */
  readonly opposite: number;
  readonly midPrice: number;
  /** The average and the minimum value of an order, in the quote asset. */
  readonly meanNotional: number;
  readonly minNotional: number;
  /**
   * Whether nothing has traded. A market order cannot be checked without an average price, so the first order is a
   * limit order.
   */
  readonly isFirstTrade: boolean;
}

/** The same view and random numbers lead to the same order. */
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

/** Draws an order's value from a heavy-tailed distribution with the wanted average. */
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
  /** The ids of quotes that it fills completely. */
  readonly taken: ReadonlySet<number>;
}

/** Takes stale quotes, the best first, up to a random amount of money. Null if not even the first one fits. */
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

// Each taker attracts others, immediately and within a minute (a Hawkes process in steps), so that there are bursts and
// calm periods.

interface Echo {
  readonly memoryMs: number;
  /** The total number of orders that an order attracts by this echo. */
  readonly followers: number;
}

const ECHOES: readonly Echo[] = [
  { memoryMs: 150, followers: 0.6 },
  { memoryMs: 40_000, followers: 0.15 },
];
/** The fraction of orders that arrive independently; the others are attracted by them. */
const UNMOVED = 1 - ECHOES.reduce((sum, { followers }) => sum + followers, 0);

const SAVED_ARRIVALS = z.strictObject({ excitement: z.array(z.number()).length(ECHOES.length) });

export interface ArrivalsParts {
  readonly seed: number;
  /** Names the random source and the saved state. */
  readonly name: string;
  /** The average and the greatest number of orders per step. */
  readonly perStep: number;
  readonly most: number;
  readonly stepMs: number;
  readonly saved: SavedState;
}

export class Arrivals {
  readonly #random: Random;
  readonly #perStep: number;
  readonly #most: number;
  readonly #echoes: readonly { readonly keep: number; readonly kick: number }[];
  readonly #excitement: number[];

  constructor({ seed, name, perStep, most, stepMs, saved }: ArrivalsParts) {
    const state = saved.restore(name, SAVED_ARRIVALS, () => ({ excitement: [...this.#excitement] }));
    this.#random = new Random(seed, name, saved);
    this.#perStep = perStep;
    this.#most = most;
    this.#echoes = ECHOES.map(({ memoryMs, followers }) => {
      const keep = exp(-stepMs / memoryMs);
      return { keep, kick: (followers * (1 - keep)) / keep };
    });
    // Starts with the excitement of an average day.
    this.#excitement = state?.excitement ?? ECHOES.map(({ followers }) => perStep * followers);
  }

  /** The number of orders of this step. `pace` multiplies independent arrivals, `rate` all of them. */
  next(pace: number, rate = 1): number {
    const most = this.#most * Math.max(1, Math.ceil(rate));
    let mean = this.#perStep * UNMOVED * pace;
    for (const [index, { keep }] of this.#echoes.entries()) {
      const left = (this.#excitement[index] ?? 0) * keep;
      this.#excitement[index] = left;
      mean += left;
    }
    const count = Math.min(most, this.#random.poisson(Math.min(mean * rate, most)));
    this.excite(count, rate);
    return count;
  }

  /** Records that `count` orders arrived for any reason; others follow, as many as at the usual rate. */
  excite(count: number, rate = 1): void {
    if (rate === 0) return;
    for (const [index, { kick }] of this.#echoes.entries()) {
      this.#excitement[index] = (this.#excitement[index] ?? 0) + (count / rate) * kick;
    }
  }
}

// Large intentions are split into many orders of one side, sent a few at a time, so that buys follow buys for a long
// time.

/** The probability that each of the active intentions sends the next order. */
const SHARES = [0.84, 0.12, 0.04];
/** The tail exponent of the number of orders in one intention. */
const TAIL_OF_INTENTIONS = 1.4;
const MOST_ORDERS = 1000;

interface Intention {
  side: Side;
  /** The remaining orders. */
  left: number;
}

const SAVED_INTENTIONS = z.strictObject({
  underWay: z.array(z.strictObject({ side: z.enum(SIDES), left: z.number() })).length(SHARES.length),
});

export class Intentions {
  readonly #random: Random;
  readonly #underWay: Intention[];

  constructor(seed: number, name: string, saved: SavedState) {
    const state = saved.restore(name, SAVED_INTENTIONS, () => {
      return { underWay: this.#underWay.map((intention) => ({ ...intention })) };
    });
    this.#random = new Random(seed, name, saved);
    this.#underWay = state?.underWay ?? SHARES.map(() => this.#conceive());
  }

  /** The side of the next order. */
  next(): Side {
    let draw = this.#random.next();
    const index = Math.max(
      0,
      SHARES.findIndex((share) => (draw -= share) < 0),
    );
    const intention = this.#underWay[index] ?? this.#conceive();
    intention.left--;
    if (intention.left <= 0) this.#underWay[index] = this.#conceive();
    return intention.side;
  }

  #conceive(): Intention {
    const left = Math.min(MOST_ORDERS, Math.round(this.#random.pareto(TAIL_OF_INTENTIONS)));
    return { side: this.#random.chance(0.5) ? "BUY" : "SELL", left };
  }
}
