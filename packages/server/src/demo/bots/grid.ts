/** Prices and quantities as the bots count them: whole ticks and steps of a symbol. */
import { decimalsNeeded, formatDecimal, type SymbolSpec, toScale } from "@pricetime/engine";

export const DEPTH_LEVELS = 20;
/** Looking for levels starts a little on the other side of the mid. */
const SPARE_CELLS = 6;
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
  /** From one level of the book to the next, in multiples of `tick`; fixed, so that levels keep their places. */
  readonly gap: number;
}

/** `price`: about what one costs. Null when the symbol's filters give no tick or no step to work with. */
export function gridOf({ filters }: SymbolSpec, price: number): Grid | null {
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
  const gap = Math.max(1, Math.round((price * 10 ** priceDecimals * GAP_BPS) / (tick * 10_000)));
  return { priceDecimals, quantityDecimals, tick, step, minLots, maxLots, gap };
}

/** With the symbol's own decimals: zeros beyond the precision of an asset would be refused. */
export const priceText = (grid: Grid, ticks: number): string => decimalText(ticks, grid.priceDecimals);
export const quantityText = (grid: Grid, lots: number): string => decimalText(lots, grid.quantityDecimals);
const decimalText = (value: number, decimals: number): string => formatDecimal(BigInt(value), decimals, decimals);
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
  const { gap } = grid;
  const away = side === "BUY" ? -1 : 1;
  const nearest = mid + (away * gap) / 2;
  const prices: number[] = [];
  const firstCell = Math.floor(mid / gap) - 2 * away;
  for (let i = 0; i < DEPTH_LEVELS + SPARE_CELLS && prices.length < DEPTH_LEVELS; i++) {
    const cell = firstCell + i * away;
    const price = cell * gap + jitter(cell, gap);
    if (price > 0 && (side === "BUY" ? price <= nearest : price >= nearest)) prices.push(price * grid.tick);
  }
  return prices;
}

/** Levels stand unevenly, but each always in its place: only what the mid has passed is quoted anew. */
function jitter(cell: number, gap: number): number {
  const scrambled = Math.imul(cell ^ (cell >>> 15), 0x2c1b3c6d) >>> 0;
  return Math.floor((scrambled / 2 ** 32) * gap * 0.7);
}
