/**
 * The symbol's own units, fixed when it is listed. A tick is 10^-priceDecimals of the quote asset
 * per one of base, a lot 10^-quantityDecimals of the base asset. They are the coarsest that hold
 * every value that PRICE_FILTER and LOT_SIZE allow, or the precision of the assets without them,
 * so both fit a safe integer.
 */
export interface SymbolScale {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}
