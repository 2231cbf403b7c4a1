/** Warnings about listings that are allowed and seldom intended. */
import type { SymbolSpec } from "@pricetime/engine";

/** Warns of something that is configured otherwise than it is listed. */
export function differsWarning(what: string): string {
  return `${what} is configured otherwise than it is listed; it stays as listed`;
}

/** A sentence for each filter without which most clients do not know how to round. */
export function listingWarnings({ symbol, baseAsset, quoteAsset, filters }: SymbolSpec): string[] {
  const warnings: string[] = [];
  if (filters.lotSize === undefined) {
    warnings.push(
      `${symbol} has no LOT_SIZE: quantities may be of any ${baseAsset}, and clients that round by stepSize fail`,
    );
  }
  if (filters.priceFilter === undefined) {
    warnings.push(
      `${symbol} has no PRICE_FILTER: prices may be of any ${quoteAsset}, and clients that round by tickSize fail`,
    );
  }
  return warnings;
}
