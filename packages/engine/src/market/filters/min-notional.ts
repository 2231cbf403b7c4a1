/** MIN_NOTIONAL: price * quantity must reach a minimum. Interface 2.8. */
import type { AveragePriceView } from "../../view.ts";
import type { QuoteScale } from "../quote-scale.ts";

export interface MinNotional {
  /** Units of the quote asset. */
  readonly minimum: bigint;
  readonly applyToMarket: boolean;
  readonly avgPriceMins: number;
}

/** Exact, before any rounding of the quote amount. */
export function reachesNotional(filter: MinNotional, scale: QuoteScale, priceTicks: number, lots: number): boolean {
  return BigInt(priceTicks) * BigInt(lots) * scale.multiplier >= filter.minimum * scale.divisor;
}

/** For orders without a price: at the average price; without any trade there is none, and the order fails. */
export function reachesNotionalAtAverage(
  filter: MinNotional,
  scale: QuoteScale,
  average: AveragePriceView,
  lots: number,
): boolean {
  if (average.denominator === 0n) return false;
  return average.numerator * BigInt(lots) * scale.multiplier >= filter.minimum * scale.divisor * average.denominator;
}
