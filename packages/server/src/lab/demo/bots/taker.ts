/** Decides when takers send orders and which ones: bursts of arrivals, long series of orders on one side, and sizes. */
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
/** The distance of a limit price beyond the best price. */
const REACH_BPS = 5;
/**
 * The standard deviation of the logarithm of a size; the number of deviations above the median at which a power-law
 * tail begins; and the tail's exponent. Half of all orders are small, and a few orders make up most of the volume.
 */
const SIZE_DEVIATION = 2.6;
const TAIL_FROM = 1.3;
const TAIL = 1.62;
/** The maximum order size as a multiple of the average. */
const LARGEST = 200;
/** The average of sizes with these parameters, with median 1 and the largest ones capped. */
const MEAN_SIZE = 9.94;
/** The probabilities that a quantity has one significant digit, and that it has two. */
const ROUND_CHANCE = 0.35;
const HALF_ROUND_CHANCE = 0.2;

export interface TakerView {
  readonly grid: Grid;
  readonly side: Side;
  /** The best price on the opposite side of the book, in multiples of the tick. */
  readonly opposite: number;
  readonly midPrice: number;
  /** The average and the minimum value of an order, in the quote asset. */
  readonly meanNotional: number;
  readonly minNotional: number;
  /**
   * Whether the order would be the first trade. A market order cannot be checked without an average price, so the first
   * order is a limit order.
   */
  readonly isFirstTrade: boolean;
}

/** Plans a taker's order. The same view and random numbers always lead to the same order. */
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
  /** The ids of quotes that the order fills completely. */
  readonly taken: ReadonlySet<number>;
}

/**
 * Takes stale quotes, the best first, up to a random amount of money. Returns null if not even the first quote fits.
 */
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

// Each taker order attracts others, immediately and within a minute (a Hawkes process in discrete steps), so that there
// are bursts and calm periods.

interface Echo {
  readonly memoryMs: number;
  /** The average number of orders that one order attracts in total through this echo. */
  readonly followers: number;
}

const ECHOES: readonly Echo[] = [
  { memoryMs: 150, followers: 0.6 },
  { memoryMs: 40_000, followers: 0.15 },
];
/** The fraction of orders that arrive independently; the rest is attracted by other orders. */
const UNMOVED = 1 - ECHOES.reduce((sum, { followers }) => sum + followers, 0);

const SAVED_ARRIVALS = z.strictObject({ excitement: z.array(z.number()).length(ECHOES.length) });

export interface ArrivalsParts {
  readonly seed: number;
  /** The name of the random source and of the saved state. */
  readonly name: string;
  /** The average and the maximum number of orders per step. */
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
    // The initial excitement is that of an average day.
    this.#excitement = state?.excitement ?? ECHOES.map(({ followers }) => perStep * followers);
  }

  /** Returns the number of orders in this step. `pace` multiplies only independent arrivals, `rate` all arrivals. */
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

  /**
   * Records that `count` orders arrived for any reason. They attract others, and no more of them at a higher `rate`.
   */
  excite(count: number, rate = 1): void {
    if (rate === 0) return;
    for (const [index, { kick }] of this.#echoes.entries()) {
      this.#excitement[index] = (this.#excitement[index] ?? 0) + (count / rate) * kick;
    }
  }
}

// A large intention is split into many orders of one side that are sent a few at a time, so that buys follow buys for a
// long time.

/** The probability of each active intention to send the next order. */
const SHARES = [0.84, 0.12, 0.04];
/** The tail exponent of the number of orders per intention. */
const TAIL_OF_INTENTIONS = 1.4;
const MOST_ORDERS = 1000;

interface Intention {
  side: Side;
  /** The number of orders that remain to be sent. */
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

  /** Returns the side of the next order. */
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
