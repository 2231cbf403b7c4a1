/** PERCENT_PRICE: a price within multiples of the average price. Passes while there is no average. Interface 2.8. */
import type { AveragePriceView } from "../../view.ts";

/** Multipliers are integers of 10^-8. */
export interface PercentPrice {
  readonly multiplierUp: bigint;
  readonly multiplierDown: bigint;
  readonly avgPriceMins: number;
}

const WHOLE = 100_000_000n;

export function passesPercentPrice(filter: PercentPrice, priceTicks: number, average: AveragePriceView): boolean {
  if (average.denominator === 0n) return true;
  const price = BigInt(priceTicks) * average.denominator * WHOLE;
  return price <= average.numerator * filter.multiplierUp && price >= average.numerator * filter.multiplierDown;
}
