/**
 * How coarse the unit of a symbol's quote asset is. Each fill is rounded down to a whole unit, so one fill loses at
 * most one unit, and splitting an order gains at most one unit per fill. Decision 70.
 */
import { hasPrice } from "../../entry/order-record.ts";
import type { SymbolSpec } from "../../entry/symbol.ts";
import { type CompiledFilters, compileFilters, scaleFor } from "../../filters.ts";
import { BPS_IN_WHOLE, MAX_ROUNDING_BPS, ROUNDING_WARNING_BPS } from "../../limits.ts";
import { quoteScaleOf, type SymbolScale } from "../../numbers.ts";

/** Both values are products of ticks and lots, so that their comparison is exact. */
export interface Rounding {
  /** One unit of the quote asset. */
  readonly unit: bigint;
  /** The smallest trade that the filters allow. */
  readonly smallestTrade: bigint;
}

type Terms = Pick<SymbolSpec, "filters" | "orderTypes">;

/** Decimals of the smallest units of a symbol's assets. */
export interface Precisions {
  readonly base: number;
  readonly quote: number;
}

/**
 * `scale` is that of a listed symbol. If absent, the scale is chosen as for a listing. Returns null if every fill is
 * exact, or the symbol cannot be listed.
 */
export function roundingOf(spec: Terms, precisions: Precisions, scale?: SymbolScale): Rounding | null {
  const found = scale ?? scaleFor(spec.filters, precisions.base, precisions.quote);
  const unit = found === null ? 1n : quoteScaleOf(found, precisions.quote).divisor;
  if (found === null || unit === 1n) return null;
  const filters = compileFilters(spec.filters, found, precisions.quote);
  return filters && { unit, smallestTrade: smallestTrade(filters, spec) };
}

/** Whether operators get a warning: one unit is more than a basis point of the smallest trade. */
export function isRoundingCoarse(rounding: Rounding | null): rounding is Rounding {
  return exceeds(rounding, ROUNDING_WARNING_BPS);
}

/** Whether the symbol can be listed, or its filters set, only if an operator accepts the rounding. */
export function isRoundingTooCoarse(rounding: Rounding | null): rounding is Rounding {
  return exceeds(rounding, MAX_ROUNDING_BPS);
}

function exceeds(rounding: Rounding | null, bps: bigint): rounding is Rounding {
  return rounding !== null && rounding.unit * BPS_IN_WHOLE > rounding.smallestTrade * bps;
}

/**
 * The smallest trade: MIN_NOTIONAL or NOTIONAL if it applies to orders of every type, but at least the smallest quantity at the
 * lowest price.
 */
function smallestTrade(filters: CompiledFilters, terms: Terms): bigint {
  const { priceFilter, lotSize } = filters;
  const ticks = leastOnStep(priceFilter?.min, priceFilter?.step);
  const lots = leastOnStep(lotSize?.min, lotSize?.step);
  const [least, notional] = [BigInt(ticks) * BigInt(lots), leastNotional(filters, terms)];
  return notional > least ? notional : least;
}

/** The minimum of every order's ticks times lots, regardless of its type; 0 if there is none. */
function leastNotional({ minNotional, notional }: CompiledFilters, { orderTypes }: Terms): bigint {
  const allHavePrices = orderTypes.every(hasPrice);
  const old = minNotional?.applyToMarket || allHavePrices ? (minNotional?.minNotional.ticksLots ?? 0n) : 0n;
  const newer = notional?.applyMinToMarket || allHavePrices ? (notional?.minNotional.ticksLots ?? 0n) : 0n;
  return old > newer ? old : newer;
}

/** The smallest value above zero that a filter with this minimum and step allows. */
function leastOnStep(min = 0, step = 0): number {
  return min > 0 ? min : Math.max(1, step);
}

/**
 * Maximum number of lots for which a BUY pays no commission at this rate, if a lot is one unit of the base asset. 0 if
 * every BUY that the filters allow pays commission.
 */
export function lotsWithoutCommission(spec: Terms, precisions: Precisions, scale: SymbolScale, bps: number): number {
  if (bps === 0 || scale.quantityDecimals !== precisions.base) return 0;
  const lots = Math.floor((Number(BPS_IN_WHOLE) - 1) / bps);
  const filters = compileFilters(spec.filters, scale, precisions.quote);
  if (filters === null || lots < leastOnStep(filters.lotSize?.min, filters.lotSize?.step)) return 0;
  const maxTicks = filters.priceFilter?.max ?? 0;
  return maxTicks > 0 && BigInt(maxTicks) * BigInt(lots) < leastNotional(filters, spec) ? 0 : lots;
}
