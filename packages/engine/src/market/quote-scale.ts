/** From ticks times lots to units of the quote asset. See docs/decisions on the symbol scale. */

/** units = ticks * lots * multiplier / divisor; one of the two is 1. */
export interface QuoteScale {
  readonly multiplier: bigint;
  readonly divisor: bigint;
}

/** Rounded down: what a fill moves. Exact when the divisor is 1. */
export function quoteOf(scale: QuoteScale, priceTicks: number, lots: number): bigint {
  const units = product(priceTicks, lots) * scale.multiplier;
  return scale.divisor === 1n ? units : units / scale.divisor;
}

/** Rounded up: what a BUY locks, so that it can always pay. */
export function quoteToLock(scale: QuoteScale, priceTicks: number, lots: number): bigint {
  const units = product(priceTicks, lots) * scale.multiplier;
  return scale.divisor === 1n ? units : (units + scale.divisor - 1n) / scale.divisor;
}

/** How many lots `quote` units buy at a price, rounded down. */
export function lotsFor(scale: QuoteScale, quote: bigint, priceTicks: number): bigint {
  return (quote * scale.divisor) / (BigInt(priceTicks) * scale.multiplier);
}

function product(priceTicks: number, lots: number): bigint {
  const value = priceTicks * lots;
  return value <= Number.MAX_SAFE_INTEGER ? BigInt(value) : BigInt(priceTicks) * BigInt(lots);
}
