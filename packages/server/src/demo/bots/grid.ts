/** Prices and quantities as the bots count them: whole ticks and steps of a symbol. */
import { decimalsNeeded, fromScale, toScale, type SymbolSpec } from "@pricetime/engine";

export const DEPTH_LEVELS = 20;
/** Distance between two levels. */
const GAP_BPS = 1.5;

export interface Grid {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** Ticks and lots here are of 10^-decimals; prices are multiples of `tick`, quantities of `step`. */
  readonly tick: number;
  readonly step: number;
  readonly minLots: number;
  readonly maxLots: number;
}

/** Null when the symbol's filters give no tick or no step to work with. */
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

export const priceText = (grid: Grid, ticks: number): string => fromScale(ticks, grid.priceDecimals);
export const quantityText = (grid: Grid, lots: number): string => fromScale(lots, grid.quantityDecimals);
export const priceTicks = (grid: Grid, text: string): number => toScale(text, grid.priceDecimals);

/** About so much of the quote asset at this price, as whole steps within the filter. */
export function lotsFor(grid: Grid, notional: number, price: number): number {
  const steps = Math.round(((notional / price) * 10 ** grid.quantityDecimals) / grid.step);
  const lots = Math.max(steps * grid.step, grid.minLots);
  return grid.maxLots > 0 ? Math.min(lots, grid.maxLots) : lots;
}

/** The prices at which a bid maker (below the mid) or an ask maker (above it) wants an order, best first. */
export function quotePrices(grid: Grid, midPrice: number, side: "BUY" | "SELL"): number[] {
  const mid = (midPrice * 10 ** grid.priceDecimals) / grid.tick;
  const gap = Math.max(1, Math.round((mid * GAP_BPS) / 10_000));
  const away = side === "BUY" ? -1 : 1;
  const nearest = mid + (away * gap) / 2;
  const prices: number[] = [];
  for (let cell = Math.floor(mid / gap) - 2 * away; prices.length < DEPTH_LEVELS; cell += away) {
    const price = cell * gap + jitter(cell, gap);
    if (price <= 0) break;
    if (side === "BUY" ? price <= nearest : price >= nearest) prices.push(price * grid.tick);
  }
  return prices;
}

/** Levels stand unevenly, but each always in its place: only what the mid has passed is quoted anew. */
function jitter(cell: number, gap: number): number {
  const scrambled = Math.imul(cell ^ (cell >>> 15), 0x2c1b3c6d) >>> 0;
  return Math.floor((scrambled / 2 ** 32) * gap * 0.7);
}
