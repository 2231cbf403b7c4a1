/** PERCENT_PRICE: a price within multiples of the average price. Passes while there is no average. Interface 2.8. */
import { LARGEST } from "../../../number/scale.ts";
import type { AveragePriceView } from "../../../view/engine-view.ts";

/** Multipliers are integers of 10^-8. */
export interface PercentPrice {
  readonly multiplierUp: bigint;
  readonly multiplierDown: bigint;
  readonly avgPriceMins: number;
}

/** The prices that the filter allows at an average, both ends included. */
export interface PriceBand {
  readonly lowestTicks: number;
  readonly highestTicks: number;
}

const WHOLE = 100_000_000n;
const EVERY_PRICE: PriceBand = { lowestTicks: 0, highestTicks: LARGEST };

/** Prices are integers, so the lower end is rounded up and the upper one down. */
export function priceBand(filter: PercentPrice, average: AveragePriceView): PriceBand {
  if (average.denominator === 0n) return EVERY_PRICE;
  const denominator = average.denominator * WHOLE;
  return {
    lowestTicks: ticksOf((average.numerator * filter.multiplierDown + denominator - 1n) / denominator),
    highestTicks: ticksOf((average.numerator * filter.multiplierUp) / denominator),
  };
}

/** Caps at the largest price. */
function ticksOf(ticks: bigint): number {
  return ticks > BigInt(LARGEST) ? LARGEST + 1 : Number(ticks);
}
