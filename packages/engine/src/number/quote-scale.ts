/** Converts ticks times lots to units of the quote asset. See docs/decisions on the symbol scale. */

import { bigOf } from "./big.ts";
import { powerOfTen } from "./decimal.ts";
import type { SymbolScale } from "./symbol-scale.ts";

/** units = ticks * lots * multiplier / divisor; either multiplier or divisor is 1. */
export interface QuoteScale {
  readonly multiplier: bigint;
  readonly divisor: bigint;
}

export function quoteScaleOf(scale: SymbolScale, quotePrecision: number): QuoteScale {
  const exponent = quotePrecision - scale.priceDecimals - scale.quantityDecimals;
  return exponent >= 0
    ? { multiplier: powerOfTen(exponent), divisor: 1n }
    : { multiplier: 1n, divisor: powerOfTen(-exponent) };
}

/** Units that a fill moves, rounded down. Exact when the divisor is 1. */
export function quoteOf(scale: QuoteScale, priceTicks: number, lots: number): bigint {
  const units = unitsBeforeDivision(scale, priceTicks, lots);
  return scale.divisor === 1n ? units : units / scale.divisor;
}

/** Units that a BUY locks, rounded up so that it can always pay. */
export function quoteToLock(scale: QuoteScale, priceTicks: number, lots: number): bigint {
  const units = unitsBeforeDivision(scale, priceTicks, lots);
  return scale.divisor === 1n ? units : (units + scale.divisor - 1n) / scale.divisor;
}

/** How many lots `quote` units buy at a price, rounded down. */
export function lotsFor(scale: QuoteScale, quote: bigint, priceTicks: number): bigint {
  return (quote * scale.divisor) / (BigInt(priceTicks) * scale.multiplier);
}

function unitsBeforeDivision({ multiplier }: QuoteScale, priceTicks: number, lots: number): bigint {
  const product = priceTicks * lots;
  const exact = product <= Number.MAX_SAFE_INTEGER ? bigOf(product) : BigInt(priceTicks) * BigInt(lots);
  return multiplier === 1n ? exact : exact * multiplier;
}
