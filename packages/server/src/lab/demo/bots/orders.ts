/**
 * Orders in the units of the bots: prices in ticks and quantities in lots of the symbol's grid. Also the actions of a
 * symbol's bots, and the conditions of its market.
 */
import { decimalsNeeded, formatDecimal, type SymbolSpec, toScale } from "@pricetime/engine";
import { whole } from "../exact.ts";

export const SIDES = ["BUY", "SELL"] as const;
export type Side = (typeof SIDES)[number];

export interface Quote {
  readonly ticks: number;
  readonly lots: number;
}
/** An open quote; `lots` is the remaining quantity. */
export interface OpenQuote extends Quote {
  readonly orderId: number;
  readonly side: Side;
}

export interface TakerOrder {
  readonly side: Side;
  readonly lots: number;
  /** The limit price; 0 for a market order. An order with a limit price is LIMIT IOC. */
  readonly limitTicks: number;
}

// The ticks and steps of a symbol.

export interface Grid {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** The tick and the step as multiples of 10^-decimals. Prices are multiples of `tick`, quantities of `step`. */
  readonly tick: number;
  readonly step: number;
  readonly minLots: number;
  readonly maxLots: number;
}

/** Returns null if the symbol's filters define no tick or no step. */
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

/** Formats a price with the symbol's own decimals, because zeros beyond an asset's precision are rejected. */
export const priceText = (grid: Grid, ticks: number): string => decimalText(ticks, grid.priceDecimals);
export const quantityText = (grid: Grid, lots: number): string => decimalText(lots, grid.quantityDecimals);
const decimalText = (value: number, decimals: number): string => formatDecimal(BigInt(value), decimals, decimals);
export const priceTicks = (grid: Grid, text: string): number => toScale(text, grid.priceDecimals);

/** Returns the quantity with a value of about `notional` at this price, in whole steps and within the filter. */
export function lotsFor(grid: Grid, notional: number, price: number): number {
  const steps = Math.round(((notional / price) * whole(10, grid.quantityDecimals)) / grid.step);
  const lots = Math.max(steps * grid.step, grid.minLots);
  return grid.maxLots > 0 ? Math.min(lots, grid.maxLots) : lots;
}

/** Returns the smallest quantity, in whole steps, with a value of at least `notional`. */
export function leastLots(grid: Grid, notional: number, price: number): number {
  const steps = Math.ceil(((notional / price) * whole(10, grid.quantityDecimals)) / grid.step);
  return Math.max(steps * grid.step, grid.minLots);
}

/** Converts a price to multiples of `tick`, including the fraction. */
export const cellsOf = (grid: Grid, price: number): number => (price * whole(10, grid.priceDecimals)) / grid.tick;

/** Rounds a quantity to one or two significant digits, as human traders do. */
export function roundedLots(grid: Grid, lots: number, digits: 1 | 2): number {
  const most = whole(10, digits);
  let unit = 1;
  while (lots >= unit * most) unit *= 10;
  const steps = Math.max(1, Math.round((Math.round(lots / unit) * unit) / grid.step));
  return Math.max(steps * grid.step, grid.minLots);
}

// A driver makes the market of a symbol: the demo's bots, or their replacement in a lab. Its actions are performed
// through the gateway or directly.

/** The jobs for which a symbol has accounts. */
export const JOBS = ["bids", "asks", "depth", "taker"] as const;
export type Job = (typeof JOBS)[number];

export type Action =
  | { readonly type: "cancel"; readonly job: Job; readonly orderId: number }
  | { readonly type: "quote"; readonly job: Job; readonly side: Side; readonly quote: Quote }
  | { readonly type: "take"; readonly order: TakerOrder };

/**
 * A step of a driver. A "look" requests the open quotes of each of its jobs. Actions are performed before the next
 * move.
 */
export type Move =
  | { readonly type: "look"; readonly jobs: readonly Job[] }
  | { readonly type: "act"; readonly actions: readonly Action[] };

export type Moves<T = void> = Generator<Move, T, readonly (readonly OpenQuote[])[]>;

export interface SymbolDriver {
  readonly symbol: string;
  /** Continues from this last price; 0 means that nothing has traded. Called once, before the first step. */
  begin(lastPrice: number): void;
  /** Returns the moves of a step. `nowMs`: the market's time. */
  step(nowMs: number): Moves;
}

// Market conditions other than the random draws of the bots. In a lab, the user sets them.

export interface Conditions {
  /** The value at which quotes are centered, in the quote asset. */
  readonly price: number;
  /** The lowest price at which the exchange may value an order. */
  readonly valuedAt: number;
  /** Factors by which the usual price moves, spread, quote sizes, and number of taker orders are multiplied. */
  readonly volatility: number;
  readonly spread: number;
  readonly depth: number;
  readonly tradeRate: number;
  /** The minimum spread, in basis points. */
  readonly leastSpreadBps: number;
  /** The sides on which makers place no quotes. */
  readonly isDry: Readonly<Record<Side, boolean>>;
}

export const USUAL: Omit<Conditions, "price" | "valuedAt"> = {
  volatility: 1,
  spread: 1,
  depth: 1,
  tradeRate: 1,
  leastSpreadBps: 0,
  isDry: { BUY: false, SELL: false },
};

/** Controls the markets of a lab. */
export interface MarketControl {
  /** Makes `driver` the market maker of this symbol from now on. */
  drives(symbol: string, driver: string): void;
  /** Whether the symbol's bots are paused because another driver makes its market. */
  isStoodInFor(symbol: string): boolean;
  /**
   * Begins a step of all symbols. Scheduled market changes that are due are applied first, whichever timer fired first.
   * Resolves when they are applied; returns undefined if none was due.
   */
  begin(nowMs: number): Promise<void> | undefined;
  /**
   * Called once in each step of a symbol that accepts orders. `usualPrice`: the price computed from the values of its
   * assets. Returns undefined if the user has set nothing.
   */
  conditions(symbol: string, usualPrice: number, nowMs: number): Conditions | undefined;
}
