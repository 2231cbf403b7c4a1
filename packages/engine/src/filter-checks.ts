/**
 * The values of filter fields in the units of a symbol, and the checks of one order (Interface 2.8). `filters.ts` has
 * the tables of filters that use them.
 */
import { MAX_AVERAGE_PRICE_MINS, MAX_ICEBERG_PARTS, MAX_TRAILING_DELTA } from "./limits.ts";
import {
  decimalsNeeded,
  LARGEST,
  type parseDecimal,
  type QuoteScale,
  quoteScaleOf,
  type Range,
  type RangeFault,
  rangeFault,
  type SymbolScale,
  toScale,
} from "./numbers.ts";

// The values of filter fields.

/** Field values as operators write them, by kind. Prices, quantities, amounts and multipliers are decimals. */
export interface Written {
  readonly price: string;
  readonly quantity: string;
  /** An amount of the quote asset. */
  readonly amount: string;
  readonly multiplier: string;
  /** The window of the average price, in minutes; 0 means the last price. */
  readonly minutes: number;
  readonly count: number;
  readonly flag: boolean;
}

/** Field values in the symbol's units, ready for checks: prices in ticks, quantities in lots, multipliers in 10^-8. */
interface Held {
  readonly price: number;
  readonly quantity: number;
  readonly amount: Notional;
  readonly multiplier: bigint;
  readonly minutes: number;
  readonly count: number;
  readonly flag: boolean;
}

/** A bound of price times quantity. */
interface Notional {
  /** Units of the quote asset. */
  readonly units: bigint;
  /** The smallest product of ticks and lots that reaches the amount. */
  readonly ticksLots: bigint;
  /** `ticksLots` as a number; Infinity if it is not a safe integer, so that no safe product reaches it. */
  readonly safeTicksLots: number;
  /** The largest product of ticks and lots that does not exceed the amount. */
  readonly mostTicksLots: bigint;
  /** `mostTicksLots` as a number; Infinity if it is not a safe integer, so that no safe product exceeds it. */
  readonly safeMostTicksLots: number;
  readonly scale: QuoteScale;
}

export type FieldKind = keyof Written;
export type Fields = Readonly<Record<string, FieldKind>>;
export type HeldAs<F extends Fields> = { readonly [Name in keyof F]: Held[F[Name]] };

interface Units {
  readonly scale: SymbolScale;
  readonly quotePrecision: number;
  readonly parse: typeof parseDecimal;
}

/**
 * Converts a field value to the symbol's units. Returns null if the value is invalid, or the symbol's scale cannot
 * represent it.
 */
const HOLD: { readonly [Kind in FieldKind]: (value: Written[Kind], units: Units) => Held[Kind] | null } = {
  price: (text, { scale }) => atScale(text, scale.priceDecimals),
  quantity: (text, { scale }) => atScale(text, scale.quantityDecimals),
  amount: (text, { scale, quotePrecision, parse }) => {
    const units = parse(text, quotePrecision);
    return units === null ? null : notionalOf(units, quoteScaleOf(scale, quotePrecision));
  },
  multiplier: (text, { parse }) => parse(text, MULTIPLIER_DECIMALS),
  minutes: upTo(MAX_AVERAGE_PRICE_MINS),
  count: upTo(Number.MAX_SAFE_INTEGER),
  flag: (value) => value,
};

export const MULTIPLIER_DECIMALS = 8;

function upTo(most: number): (value: number) => number | null {
  return (value) => (Number.isInteger(value) && value >= 0 && value <= most ? value : null);
}

function atScale(text: string, decimals: number): number | null {
  const value = decimalsNeeded(text) === null ? -1 : toScale(text, decimals);
  return value < 0 ? null : value;
}

function notionalOf(units: bigint, scale: QuoteScale): Notional {
  const ticksLots = (units * scale.divisor + scale.multiplier - 1n) / scale.multiplier;
  const mostTicksLots = (units * scale.divisor) / scale.multiplier;
  const [safeTicksLots, safeMostTicksLots] = [safe(ticksLots), safe(mostTicksLots)];
  return { units, ticksLots, safeTicksLots, mostTicksLots, safeMostTicksLots, scale };
}

function safe(ticksLots: bigint): number {
  return ticksLots <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(ticksLots) : Number.POSITIVE_INFINITY;
}

// The data of an order and its market that checks use.

/** An average price in ticks, as a fraction. The denominator is 0 if the symbol has never traded. */
export interface AveragePriceView {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * An order in ticks and lots. A field is 0 if the order has no such value, OFF_SCALE if the scale cannot represent it.
 */
export interface FilteredOrder {
  readonly side: "BUY" | "SELL";
  readonly hasPrice: boolean;
  readonly waitsForStop: boolean;
  /** Whether a stop order waits for the price to rise; otherwise it waits for a fall. */
  readonly waitsForRise: boolean;
  readonly priceTicks: number;
  readonly stopTicks: number;
  /** In basis points; 0 if the order is no trailing stop. */
  readonly trailingDelta: number;
  readonly icebergLots: number;
  /** In units of the quote asset; 0n for an order by quantity. */
  readonly quoteOrderQty: bigint;
  /** For an order by `quoteOrderQty`, the lots that this amount buys or sells. */
  readonly lots: number;
  /** False for an order by `quoteOrderQty` that meets an empty book: it has no quantity to check, and expires. */
  readonly hasQuantity: boolean;
  readonly market: {
    /** The reference price of the symbol; if it has none, the average price. */
    filterPrice(mins: number, nowMs: number): AveragePriceView;
    percentBand(filter: PercentPrice, nowMs: number): PriceBand;
  };
  /**
   * The base asset that the account would have if all its open BUY orders on the symbol were filled, with this order:
   * lots, rounded up. Only computed for a BUY on a symbol with MAX_POSITION.
   */
  position(): bigint;
  readonly nowMs: number;
  /** The number of amendments of the order, with the one to check; 0 for a new order. */
  readonly amendCount: number;
}

/**
 * Why a value fails a check. `noQuantity`: the order has no quantity; `neverTraded`: the symbol has no average price
 * yet.
 */
export type Fault = RangeFault | "noQuantity" | "neverTraded";

/** The field of an order that a check applies to. */
export type CheckedField = "price" | "stopPrice" | "trailingDelta" | "quantity" | "icebergQty" | "amendments";

/** `filter` is null if the symbol does not have this filter; most checks then pass. */
export type Check<H> = (filter: H | null, order: FilteredOrder) => Fault | null;

// PRICE_FILTER, LOT_SIZE and MARKET_LOT_SIZE: bounds, and a step that counts from the minimum or from 0. A step or
// maximum of 0 does not apply.

export const PRICE_RANGE = { minPrice: "price", maxPrice: "price", tickSize: "price" } as const;
export const LOT_RANGE = { minQty: "quantity", maxQty: "quantity", stepSize: "quantity" } as const;

/** Like `rangeFault`, but values of 0 or less fail even without a filter. */
export function valueFault(range: Range | null, value: number): Fault | null {
  return value <= 0 ? "below" : rangeFault(range, value);
}

// PERCENT_PRICE and PERCENT_PRICE_BY_SIDE: bounds of the price, as multiples of the average price. Every price passes
// before the first trade.

export const PERCENT = { multiplierUp: "multiplier", multiplierDown: "multiplier", avgPriceMins: "minutes" } as const;
export type PercentPrice = HeldAs<typeof PERCENT>;

export const PERCENT_BY_SIDE = {
  bidMultiplierUp: "multiplier",
  bidMultiplierDown: "multiplier",
  askMultiplierUp: "multiplier",
  askMultiplierDown: "multiplier",
  avgPriceMins: "minutes",
} as const;

/** The bounds of BUY orders and of SELL orders. */
export interface PercentPriceBySide {
  readonly bid: PercentPrice;
  readonly ask: PercentPrice;
  readonly avgPriceMins: number;
}

export function percentBySide(values: HeldAs<typeof PERCENT_BY_SIDE>): PercentPriceBySide {
  const { bidMultiplierUp, bidMultiplierDown, askMultiplierUp, askMultiplierDown, avgPriceMins } = values;
  return {
    bid: { multiplierUp: bidMultiplierUp, multiplierDown: bidMultiplierDown, avgPriceMins },
    ask: { multiplierUp: askMultiplierUp, multiplierDown: askMultiplierDown, avgPriceMins },
    avgPriceMins,
  };
}

export function percentOfSide(filter: PercentPriceBySide, side: "BUY" | "SELL"): PercentPrice {
  return side === "BUY" ? filter.bid : filter.ask;
}

/** Multiples of an average price between which a price must be. A bound that is null does not apply. */
export interface PriceBounds {
  readonly multiplierUp: bigint | null;
  readonly multiplierDown: bigint | null;
}

/** The prices that the bounds allow at an average price, both included. */
export interface PriceBand {
  readonly lowestTicks: number;
  readonly highestTicks: number;
}

/** With the average price and the filter for which it was computed. */
export interface PercentBand extends PriceBand {
  readonly average: AveragePriceView;
  readonly filter: PercentPrice;
}

const WHOLE = 100_000_000n;
const EVERY_PRICE: PriceBand = { lowestTicks: 0, highestTicks: LARGEST };

/** Prices are integers, so the lower bound is rounded up and the upper bound down. */
export function priceBand({ multiplierUp, multiplierDown }: PriceBounds, average: AveragePriceView): PriceBand {
  if (average.denominator === 0n) return EVERY_PRICE;
  const { numerator } = average;
  const denominator = average.denominator * WHOLE;
  const { lowestTicks, highestTicks } = EVERY_PRICE;
  return {
    lowestTicks:
      multiplierDown === null
        ? lowestTicks
        : cappedTicks((numerator * multiplierDown + denominator - 1n) / denominator),
    highestTicks: multiplierUp === null ? highestTicks : cappedTicks((numerator * multiplierUp) / denominator),
  };
}

export function isOutside({ lowestTicks, highestTicks }: PriceBand, ticks: number): boolean {
  return ticks < lowestTicks || ticks > highestTicks;
}

function cappedTicks(ticks: bigint): number {
  return ticks > BigInt(LARGEST) ? LARGEST + 1 : Number(ticks);
}

export function bandFault(
  filter: PercentPrice | null,
  { hasPrice, priceTicks, market, nowMs }: FilteredOrder,
): Fault | null {
  if (filter === null || !hasPrice) return null;
  const { lowestTicks, highestTicks } = market.percentBand(filter, nowMs);
  if (priceTicks < lowestTicks) return "below";
  return priceTicks > highestTicks ? "above" : null;
}

export function sideBandFault(filter: PercentPriceBySide | null, order: FilteredOrder): Fault | null {
  return filter === null ? null : bandFault(percentOfSide(filter, order.side), order);
}

// MIN_NOTIONAL and NOTIONAL: bounds of price times quantity. An order without its own price is checked at the average
// price. Before the first trade, such an order passes only if it waits for a stop price.

export const MIN_NOTIONAL = { minNotional: "amount", applyToMarket: "flag", avgPriceMins: "minutes" } as const;
export type MinNotional = HeldAs<typeof MIN_NOTIONAL>;

export const NOTIONAL_RANGE = {
  minNotional: "amount",
  applyMinToMarket: "flag",
  maxNotional: "amount",
  applyMaxToMarket: "flag",
  avgPriceMins: "minutes",
} as const;
export type NotionalRange = HeldAs<typeof NOTIONAL_RANGE>;

/** The bounds that apply to an order; null if there is none. */
interface NotionalBounds {
  readonly min: Notional | null;
  readonly max: Notional | null;
  readonly avgPriceMins: number;
}

export function minNotionalFault(filter: MinNotional | null, order: FilteredOrder): Fault | null {
  if (filter === null) return null;
  const { minNotional, applyToMarket, avgPriceMins } = filter;
  return boundsFault({ min: order.hasPrice || applyToMarket ? minNotional : null, max: null, avgPriceMins }, order);
}

/** A maximum of 0 does not apply. */
export function notionalFault(filter: NotionalRange | null, order: FilteredOrder): Fault | null {
  if (filter === null) return null;
  const { minNotional, applyMinToMarket, maxNotional, applyMaxToMarket, avgPriceMins } = filter;
  const min = order.hasPrice || applyMinToMarket ? minNotional : null;
  const max = maxNotional.units > 0n && (order.hasPrice || applyMaxToMarket) ? maxNotional : null;
  return boundsFault({ min, max, avgPriceMins }, order);
}

function boundsFault({ min, max, avgPriceMins }: NotionalBounds, order: FilteredOrder): Fault | null {
  if (min === null && max === null) return null;
  const { priceTicks, lots, quoteOrderQty } = order;
  if (order.hasPrice) {
    if (min !== null && !reaches(min, priceTicks, lots)) return "below";
    return max !== null && exceeds(max, priceTicks, lots) ? "above" : null;
  }
  const average = order.market.filterPrice(avgPriceMins, order.nowMs);
  if (average.denominator === 0n) return order.waitsForStop ? null : "neverTraded";
  const isBelow = ({ units, scale }: Notional): boolean =>
    quoteOrderQty > 0n ? quoteOrderQty < units : atAverage(average, lots, scale) < exactly(units, average, scale);
  const isAbove = ({ units, scale }: Notional): boolean =>
    quoteOrderQty > 0n ? quoteOrderQty > units : atAverage(average, lots, scale) > exactly(units, average, scale);
  if (min !== null && isBelow(min)) return "below";
  return max !== null && isAbove(max) ? "above" : null;
}

/** Exact, because it compares before any rounding of the quote amount. */
export function reaches(notional: Notional, priceTicks: number, lots: number): boolean {
  const product = priceTicks * lots;
  if (product <= Number.MAX_SAFE_INTEGER) return product >= notional.safeTicksLots;
  return BigInt(priceTicks) * BigInt(lots) >= notional.ticksLots;
}

/** Exact like `reaches`. */
export function exceeds(notional: Notional, priceTicks: number, lots: number): boolean {
  const product = priceTicks * lots;
  if (product <= Number.MAX_SAFE_INTEGER) return product > notional.safeMostTicksLots;
  return BigInt(priceTicks) * BigInt(lots) > notional.mostTicksLots;
}

/** The notional value at an average price, in units that `exactly` gives an amount in. */
function atAverage(average: AveragePriceView, lots: number, scale: QuoteScale): bigint {
  return average.numerator * BigInt(lots) * scale.multiplier;
}
function exactly(units: bigint, average: AveragePriceView, scale: QuoteScale): bigint {
  return units * scale.divisor * average.denominator;
}

// TRAILING_DELTA: bounds of a trailing stop, by the movement of the price that triggers it. Each side has its own: ABOVE for
// orders that wait for a rise.

export const TRAILING = {
  minTrailingAboveDelta: "count",
  maxTrailingAboveDelta: "count",
  minTrailingBelowDelta: "count",
  maxTrailingBelowDelta: "count",
} as const;

export type TrailingDelta = HeldAs<typeof TRAILING>;

export function trailingFault(filter: TrailingDelta | null, order: FilteredOrder): Fault | null {
  const { trailingDelta, waitsForRise } = order;
  if (!order.waitsForStop || trailingDelta === 0) return null;
  const { min, max } = trailingBounds(filter, waitsForRise);
  if (trailingDelta < min) return "below";
  return trailingDelta > max ? "above" : null;
}

/** The least and greatest delta of orders that wait for a rise, or for a fall; with or without the filter. */
export function trailingBounds(filter: TrailingDelta | null, waitsForRise: boolean): { min: number; max: number } {
  if (filter === null) return { min: 1, max: MAX_TRAILING_DELTA };
  const min = waitsForRise ? filter.minTrailingAboveDelta : filter.minTrailingBelowDelta;
  const max = waitsForRise ? filter.maxTrailingAboveDelta : filter.maxTrailingBelowDelta;
  return { min: Math.max(min, 1), max: Math.min(max, MAX_TRAILING_DELTA) };
}

// MAX_POSITION: a maximum of the base asset that an account has and buys.

export const POSITION = { maxPosition: "quantity" } as const;

export function positionFault(filter: HeldAs<typeof POSITION> | null, order: FilteredOrder): Fault | null {
  if (filter === null || order.side === "SELL" || !order.hasQuantity) return null;
  return order.position() > BigInt(filter.maxPosition) ? "above" : null;
}

// ICEBERG_PARTS: the number of slices, CEIL(quantity / icebergQty), in integers.

export const PARTS = { limit: "count" } as const;

/** Maximum number of slices of an iceberg, with or without the filter. */
export function mostParts(filter: HeldAs<typeof PARTS> | null): number {
  return Math.min(filter?.limit ?? MAX_ICEBERG_PARTS, MAX_ICEBERG_PARTS);
}

export function partsFault(filter: HeldAs<typeof PARTS> | null, { icebergLots, lots }: FilteredOrder): Fault | null {
  if (icebergLots <= 0) return null;
  const rest = lots % icebergLots;
  return (lots - rest) / icebergLots + (rest === 0 ? 0 : 1) > mostParts(filter) ? "above" : null;
}

export function hold(fields: Fields, written: Readonly<Record<string, unknown>>, units: Units): HeldAs<Fields> | null {
  const held: Record<string, Held[FieldKind]> = {};
  for (const [field, kind] of Object.entries(fields)) {
    const value = HOLD[kind](written[field] as never, units);
    if (value === null) return null;
    held[field] = value;
  }
  return held;
}
