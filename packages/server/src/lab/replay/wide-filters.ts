/**
 * The filters of a symbol while a recording is played. The parent's own rules let through what is recorded there, but as
 * parts of orders that we cannot see: a trade smaller than MIN_NOTIONAL is the last part of a larger order. Tick and step
 * stay, and so do the filters themselves, with bounds that hold nothing back.
 */
import type { SymbolFilters } from "@pricetime/engine";

const MANY_ORDERS = 1_000_000;

export function wideFilters({ priceFilter, lotSize, ...filters }: SymbolFilters): SymbolFilters {
  const { percentPrice, minNotional, maxNumOrders } = filters;
  return {
    ...filters,
    ...(priceFilter && { priceFilter: { ...priceFilter, minPrice: priceFilter.tickSize, maxPrice: "0" } }),
    ...(lotSize && { lotSize: { ...lotSize, minQty: lotSize.stepSize, maxQty: "0" } }),
    ...(percentPrice && { percentPrice: { ...percentPrice, multiplierUp: "1000000000", multiplierDown: "0" } }),
    ...(minNotional && { minNotional: { ...minNotional, minNotional: "0", applyToMarket: false } }),
    ...(maxNumOrders && { maxNumOrders: { limit: MANY_ORDERS } }),
  };
}
