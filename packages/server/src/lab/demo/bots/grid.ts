/** Prices and quantities as the bots count them, in whole ticks and steps of a symbol. */
import { decimalsNeeded, formatDecimal, type SymbolSpec, toScale } from "@pricetime/engine";
import { whole } from "../exact.ts";

export interface Grid {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** Ticks and lots are multiples of 10^-decimals; prices are multiples of `tick`, quantities of `step`. */
  readonly tick: number;
  readonly step: number;
  readonly minLots: number;
  readonly maxLots: number;
}

/** Returns null when the symbol's filters give no tick or no step to work with. */
export function gridOf({ filters }: SymbolSpec): Grid | null {
  const { priceFilter, lotSize } = filters;
  if (priceFilter === undefined || lotSize === undefined) return null;
  const priceDecimals = decimalsNeeded(priceFilter.tickSize);
  const quantityDecimals = decimalsNeeded(lotSize.stepSize);
  if (priceDecimals === null || quantityDecimals === null) return null;
  const tick = toScale(priceFilter.tickSize, priceDecimals);
  const step = toScale(lotSize.stepSize, quantityDecimals);
  if (tick <= 0 || step <= 0) return null;
  const minLots = Math.max(step, toScale(lotSize.minQty, quantityDecimals));
  const maxLots = toScale(lotSize.maxQty, quantityDecimals);
  return { priceDecimals, quantityDecimals, tick, step, minLots, maxLots };
}

/** Formats a price with the symbol's own decimals: zeros beyond an asset's precision would be refused. */
export const priceText = (grid: Grid, ticks: number): string => decimalText(ticks, grid.priceDecimals);
export const quantityText = (grid: Grid, lots: number): string => decimalText(lots, grid.quantityDecimals);
const decimalText = (value: number, decimals: number): string => formatDecimal(BigInt(value), decimals, decimals);
export const priceTicks = (grid: Grid, text: string): number => toScale(text, grid.priceDecimals);

/** Returns about this much of the quote asset at this price, as whole steps within the filter. */
export function lotsFor(grid: Grid, notional: number, price: number): number {
  const steps = Math.round(((notional / price) * whole(10, grid.quantityDecimals)) / grid.step);
  const lots = Math.max(steps * grid.step, grid.minLots);
  return grid.maxLots > 0 ? Math.min(lots, grid.maxLots) : lots;
}

/** Returns the fewest whole steps that are worth at least `notional`. */
export function leastLots(grid: Grid, notional: number, price: number): number {
  const steps = Math.ceil(((notional / price) * whole(10, grid.quantityDecimals)) / grid.step);
  return Math.max(steps * grid.step, grid.minLots);
}

/** Returns a price in multiples of `tick`, including the fraction. */
export const cellsOf = (grid: Grid, price: number): number => (price * whole(10, grid.priceDecimals)) / grid.tick;

/** Rounds a quantity as people do: to one significant digit, or two. */
export function roundedLots(grid: Grid, lots: number, digits: 1 | 2): number {
  const most = whole(10, digits);
  let unit = 1;
  while (lots >= unit * most) unit *= 10;
  const steps = Math.max(1, Math.round((Math.round(lots / unit) * unit) / grid.step));
  return Math.max(steps * grid.step, grid.minLots);
}
