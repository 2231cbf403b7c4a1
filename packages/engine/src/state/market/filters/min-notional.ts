/** MIN_NOTIONAL: price * quantity must reach a minimum. Interface 2.8. */
import type { AveragePriceView } from "../../../view/engine-view.ts";
import type { QuoteScale } from "../../../number/quote-scale.ts";

export interface MinNotional {
  /** Units of the quote asset. */
  readonly minimum: bigint;
  /** The least product of ticks and lots that reaches the minimum. */
  readonly minTicksLots: bigint;
  /** `minTicksLots` as a number; Infinity when it is not a safe integer, so that no safe product reaches it. */
  readonly minSafeTicksLots: number;
  readonly applyToMarket: boolean;
  readonly avgPriceMins: number;
}

export function minNotionalOf(
  filter: Pick<MinNotional, "minimum" | "applyToMarket" | "avgPriceMins">,
  scale: QuoteScale,
): MinNotional {
  const minTicksLots = (filter.minimum * scale.divisor + scale.multiplier - 1n) / scale.multiplier;
  const isSafe = minTicksLots <= BigInt(Number.MAX_SAFE_INTEGER);
  return { ...filter, minTicksLots, minSafeTicksLots: isSafe ? Number(minTicksLots) : Number.POSITIVE_INFINITY };
}

/** Exact, because it compares before any rounding of the quote amount. */
export function reachesNotional(filter: MinNotional, priceTicks: number, lots: number): boolean {
  const product = priceTicks * lots;
  if (product <= Number.MAX_SAFE_INTEGER) return product >= filter.minSafeTicksLots;
  return BigInt(priceTicks) * BigInt(lots) >= filter.minTicksLots;
}

/** Checks an order without a price at the average price; before any trade there is none, and the order fails. */
export function reachesNotionalAtAverage(
  filter: MinNotional,
  scale: QuoteScale,
  average: AveragePriceView,
  lots: number,
): boolean {
  if (average.denominator === 0n) return false;
  return average.numerator * BigInt(lots) * scale.multiplier >= filter.minimum * scale.divisor * average.denominator;
}
