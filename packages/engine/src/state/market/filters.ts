/**
 * The filters of a symbol in its own units, ready for checks, and how coarse the unit of its quote asset is. Interface
 * 2.8.
 */
import type { AveragePriceView } from "../../engine-view.ts";
import {
  decimalsNeeded,
  LARGEST,
  OFF_SCALE,
  parseDecimal,
  type QuoteScale,
  quoteScaleOf,
  type SymbolScale,
  toScale,
} from "../../numbers.ts";
import { BPS_IN_WHOLE, MAX_AVERAGE_PRICE_MINS, MAX_ROUNDING_BPS, ROUNDING_WARNING_BPS } from "../../limits.ts";
import type { SymbolFilters, SymbolSpec } from "../../entry/symbol.ts";
import { hasPrice } from "../../entry/order-record.ts";

// LOT_SIZE and MARKET_LOT_SIZE: bounds and step of a quantity; a step or maximum of 0 is off.

export interface LotSize {
  readonly minLots: number;
  readonly maxLots: number;
  readonly stepLots: number;
}

export function passesLotSize(filter: LotSize, lots: number): boolean {
  if (lots < filter.minLots) return false;
  if (filter.maxLots !== 0 && lots > filter.maxLots) return false;
  return filter.stepLots <= 1 || (lots - filter.minLots) % filter.stepLots === 0;
}

/** The largest quantity of at most `lots` that is on the filter's step; 0 when there is none. */
export function roundDownToStep(filter: LotSize | null, lots: number): number {
  if (filter === null || filter.stepLots <= 1) return lots;
  return lots < filter.minLots ? 0 : floorToStep(filter, lots);
}

/** As `roundDownToStep` for executed quantities: the step applies, the minimum does not. May be below 0. */
export function floorToStep(filter: LotSize | null, lots: number): number {
  if (filter === null || filter.stepLots <= 1) return lots;
  const { minLots, stepLots } = filter;
  return minLots + Math.floor((lots - minLots) / stepLots) * stepLots;
}

// MIN_NOTIONAL: price * quantity must reach a minimum.

interface MinNotional {
  /** Units of the quote asset. */
  readonly minimum: bigint;
  /** The least product of ticks and lots that reaches the minimum. */
  readonly minTicksLots: bigint;
  /** `minTicksLots` as a number; Infinity when it is not a safe integer, so that no safe product reaches it. */
  readonly minSafeTicksLots: number;
  readonly applyToMarket: boolean;
  readonly avgPriceMins: number;
}

function minNotionalOf(
  filter: Pick<MinNotional, "minimum" | "applyToMarket" | "avgPriceMins">,
  scale: QuoteScale,
): MinNotional {
  const minTicksLots = (filter.minimum * scale.divisor + scale.multiplier - 1n) / scale.multiplier;
  const isSafe = minTicksLots <= BigInt(Number.MAX_SAFE_INTEGER);
  return { ...filter, minTicksLots, minSafeTicksLots: isSafe ? Number(minTicksLots) : Number.POSITIVE_INFINITY };
}

/** Exact, because it compares before any rounding of the quote amount. */
export function reachesNotional(filter: MinNotional, priceTicks: number, lots: number): boolean {
  const product = priceTicks * lots;
  if (product <= Number.MAX_SAFE_INTEGER) return product >= filter.minSafeTicksLots;
  return BigInt(priceTicks) * BigInt(lots) >= filter.minTicksLots;
}

/** Checks an order without a price at the average price; before any trade there is none, and the order fails. */
export function reachesNotionalAtAverage(
  filter: MinNotional,
  scale: QuoteScale,
  average: AveragePriceView,
  lots: number,
): boolean {
  if (average.denominator === 0n) return false;
  return average.numerator * BigInt(lots) * scale.multiplier >= filter.minimum * scale.divisor * average.denominator;
}

// PERCENT_PRICE: a price within multiples of the average price. Passes while there is no average.

/** Multipliers are integers of 10^-8. */
export interface PercentPrice {
  readonly multiplierUp: bigint;
  readonly multiplierDown: bigint;
  readonly avgPriceMins: number;
}

/** The prices that the filter allows at an average, both ends included. */
export interface PriceBand {
  readonly lowestTicks: number;
  readonly highestTicks: number;
}

const WHOLE = 100_000_000n;
const EVERY_PRICE: PriceBand = { lowestTicks: 0, highestTicks: LARGEST };

/** Prices are integers, so the lower end is rounded up and the upper one down. */
export function priceBand(filter: PercentPrice, average: AveragePriceView): PriceBand {
  if (average.denominator === 0n) return EVERY_PRICE;
  const denominator = average.denominator * WHOLE;
  return {
    lowestTicks: ticksOf((average.numerator * filter.multiplierDown + denominator - 1n) / denominator),
    highestTicks: ticksOf((average.numerator * filter.multiplierUp) / denominator),
  };
}

/** Caps at the largest price. */
function ticksOf(ticks: bigint): number {
  return ticks > BigInt(LARGEST) ? LARGEST + 1 : Number(ticks);
}

// PRICE_FILTER: bounds and tick of price and stopPrice; a rule with the value 0 is off.

interface PriceFilter {
  readonly minTicks: number;
  readonly maxTicks: number;
  readonly stepTicks: number;
}

export function passesPriceFilter(filter: PriceFilter, priceTicks: number): boolean {
  if (priceTicks < filter.minTicks) return false;
  if (filter.maxTicks !== 0 && priceTicks > filter.maxTicks) return false;
  return filter.stepTicks <= 1 || (priceTicks - filter.minTicks) % filter.stepTicks === 0;
}

// All filters of a symbol. Null: the filter does not apply.

export interface CompiledFilters {
  readonly price: PriceFilter | null;
  readonly percentPrice: PercentPrice | null;
  readonly lotSize: LotSize | null;
  readonly marketLotSize: LotSize | null;
  readonly minNotional: MinNotional | null;
  readonly icebergParts: number | null;
  readonly maxNumOrders: number | null;
  readonly maxNumAlgoOrders: number | null;
  readonly maxNumIcebergOrders: number | null;
}

/** Null when a value is not a decimal or cannot be held at the symbol's scale. */
export function compileFilters(
  filters: SymbolFilters,
  scale: SymbolScale,
  quotePrecision: number,
  parse: typeof parseDecimal = parseDecimal,
): CompiledFilters | null {
  const compiled = {
    price: filters.priceFilter && compilePrice(filters.priceFilter, scale),
    percentPrice: filters.percentPrice && compilePercentPrice(filters.percentPrice, parse),
    lotSize: filters.lotSize && compileLotSize(filters.lotSize, scale),
    marketLotSize: filters.marketLotSize && compileLotSize(filters.marketLotSize, scale),
    minNotional: filters.minNotional && compileMinNotional(filters.minNotional, scale, quotePrecision, parse),
    icebergParts: filters.icebergParts && count(filters.icebergParts.limit),
    maxNumOrders: filters.maxNumOrders && count(filters.maxNumOrders.limit),
    maxNumAlgoOrders: filters.maxNumAlgoOrders && count(filters.maxNumAlgoOrders.maxNumAlgoOrders),
    maxNumIcebergOrders: filters.maxNumIcebergOrders && count(filters.maxNumIcebergOrders.maxNumIcebergOrders),
  };
  if (Object.values(compiled).includes(null)) return null;
  return {
    price: compiled.price ?? null,
    percentPrice: compiled.percentPrice ?? null,
    lotSize: compiled.lotSize ?? null,
    marketLotSize: compiled.marketLotSize ?? null,
    minNotional: compiled.minNotional ?? null,
    icebergParts: compiled.icebergParts ?? null,
    maxNumOrders: compiled.maxNumOrders ?? null,
    maxNumAlgoOrders: compiled.maxNumAlgoOrders ?? null,
    maxNumIcebergOrders: compiled.maxNumIcebergOrders ?? null,
  };
}

/**
 * The coarsest units that hold every value the filters allow; without a step, the precision of the assets. Null when
 * the filters are not decimals, or finer than the assets.
 */
export function scaleFor(filters: SymbolFilters, basePrecision: number, quotePrecision: number): SymbolScale | null {
  const { priceFilter, lotSize, marketLotSize } = filters;
  const priceDecimals = stepped(priceFilter?.tickSize)
    ? mostDecimals([priceFilter?.minPrice, priceFilter?.maxPrice, priceFilter?.tickSize])
    : quotePrecision;
  const quantityDecimals = stepped(lotSize?.stepSize)
    ? mostDecimals([
        lotSize?.minQty,
        lotSize?.maxQty,
        lotSize?.stepSize,
        marketLotSize?.minQty,
        marketLotSize?.maxQty,
        marketLotSize?.stepSize,
      ])
    : basePrecision;
  if (priceDecimals === null || priceDecimals > quotePrecision) return null;
  if (quantityDecimals === null || quantityDecimals > basePrecision) return null;
  return { priceDecimals, quantityDecimals };
}

function stepped(step: string | undefined): boolean {
  return step !== undefined && /[1-9]/.test(step);
}

function mostDecimals(texts: readonly (string | undefined)[]): number | null {
  let most = 0;
  for (const text of texts) {
    if (text === undefined) continue;
    const needed = decimalsNeeded(text);
    if (needed === null) return null;
    most = Math.max(most, needed);
  }
  return most;
}

function compilePrice(filter: NonNullable<SymbolFilters["priceFilter"]>, scale: SymbolScale): PriceFilter | null {
  const minTicks = held(filter.minPrice, scale.priceDecimals);
  const maxTicks = held(filter.maxPrice, scale.priceDecimals);
  const stepTicks = held(filter.tickSize, scale.priceDecimals);
  return minTicks < 0 || maxTicks < 0 || stepTicks < 0 ? null : { minTicks, maxTicks, stepTicks };
}

function compileLotSize(filter: NonNullable<SymbolFilters["lotSize"]>, scale: SymbolScale): LotSize | null {
  const minLots = held(filter.minQty, scale.quantityDecimals);
  const maxLots = held(filter.maxQty, scale.quantityDecimals);
  const stepLots = held(filter.stepSize, scale.quantityDecimals);
  return minLots < 0 || maxLots < 0 || stepLots < 0 ? null : { minLots, maxLots, stepLots };
}

function compilePercentPrice(
  filter: NonNullable<SymbolFilters["percentPrice"]>,
  parse: typeof parseDecimal,
): PercentPrice | null {
  const multiplierUp = parse(filter.multiplierUp, 8);
  const multiplierDown = parse(filter.multiplierDown, 8);
  if (multiplierUp === null || multiplierDown === null || !minutes(filter.avgPriceMins)) return null;
  return { multiplierUp, multiplierDown, avgPriceMins: filter.avgPriceMins };
}

function compileMinNotional(
  filter: NonNullable<SymbolFilters["minNotional"]>,
  scale: SymbolScale,
  quotePrecision: number,
  parse: typeof parseDecimal,
): MinNotional | null {
  const minimum = parse(filter.minNotional, quotePrecision);
  if (minimum === null || !minutes(filter.avgPriceMins)) return null;
  const { applyToMarket, avgPriceMins } = filter;
  return minNotionalOf({ minimum, applyToMarket, avgPriceMins }, quoteScaleOf(scale, quotePrecision));
}

function minutes(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_AVERAGE_PRICE_MINS;
}

function count(value: number): number | null {
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A decimal at a scale; negative when it is not a decimal or does not fit. */
function held(text: string, decimals: number): number {
  return decimalsNeeded(text) === null ? OFF_SCALE : toScale(text, decimals);
}

// How coarse the unit of a symbol's quote asset is. Each fill is rounded down to that unit, so the loss of one fill is at
// most the unit, and splitting an order gains at most one unit a fill. Decision 70.

/** Both are products of ticks and lots, so that they compare exactly. */
export interface Rounding {
  /** One unit of the quote asset. */
  readonly unit: bigint;
  /** The smallest trade that the filters allow. */
  readonly smallestTrade: bigint;
}

type Terms = Pick<SymbolSpec, "filters" | "orderTypes">;

/** Decimals of the units of a symbol's assets. */
export interface Precisions {
  readonly base: number;
  readonly quote: number;
}

/** `scale`: of a listed symbol; absent: as a listing would choose it. Null: every fill is exact, or nothing can be listed. */
export function roundingOf(spec: Terms, precisions: Precisions, scale?: SymbolScale): Rounding | null {
  const found = scale ?? scaleFor(spec.filters, precisions.base, precisions.quote);
  const unit = found === null ? 1n : quoteScaleOf(found, precisions.quote).divisor;
  if (found === null || unit === 1n) return null;
  const filters = compileFilters(spec.filters, found, precisions.quote);
  return filters && { unit, smallestTrade: smallestTrade(filters, spec) };
}

/** Whether an operator should know of it: one unit is more than a basis point of the smallest trade. */
export function isRoundingCoarse(rounding: Rounding | null): rounding is Rounding {
  return exceeds(rounding, ROUNDING_WARNING_BPS);
}

/** Whether only an operator who accepts the rounding may list the symbol or set the filters. */
export function isRoundingTooCoarse(rounding: Rounding | null): rounding is Rounding {
  return exceeds(rounding, MAX_ROUNDING_BPS);
}

function exceeds(rounding: Rounding | null, bps: bigint): rounding is Rounding {
  return rounding !== null && rounding.unit * BPS_IN_WHOLE > rounding.smallestTrade * bps;
}

/** MIN_NOTIONAL, if it bounds orders of every type; at least the smallest quantity at the lowest price. */
function smallestTrade(filters: CompiledFilters, terms: Terms): bigint {
  const { price, lotSize } = filters;
  const ticks = leastOnStep(price?.minTicks, price?.stepTicks);
  const lots = leastOnStep(lotSize?.minLots, lotSize?.stepLots);
  const [least, notional] = [BigInt(ticks) * BigInt(lots), leastNotional(filters, terms)];
  return notional > least ? notional : least;
}

/** What no order of any type may be below, in ticks times lots. */
function leastNotional({ minNotional }: CompiledFilters, { orderTypes }: Terms): bigint {
  if (minNotional === null || !(minNotional.applyToMarket || orderTypes.every(hasPrice))) return 0n;
  return minNotional.minTicksLots;
}

/** The least value above zero that a filter with this minimum and step allows. */
function leastOnStep(min = 0, step = 0): number {
  return min > 0 ? min : Math.max(1, step);
}

/**
 * The most lots of which a BUY pays no commission at a rate, where a lot is the base asset's own unit; 0: every BUY that
 * the filters allow pays some.
 */
export function lotsWithoutCommission(spec: Terms, precisions: Precisions, scale: SymbolScale, bps: number): number {
  if (bps === 0 || scale.quantityDecimals !== precisions.base) return 0;
  const lots = Math.floor((Number(BPS_IN_WHOLE) - 1) / bps);
  const filters = compileFilters(spec.filters, scale, precisions.quote);
  if (filters === null || lots < leastOnStep(filters.lotSize?.minLots, filters.lotSize?.stepLots)) return 0;
  const maxTicks = filters.price?.maxTicks ?? 0;
  return maxTicks > 0 && BigInt(maxTicks) * BigInt(lots) < leastNotional(filters, spec) ? 0 : lots;
}
