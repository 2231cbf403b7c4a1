/**
 * How coarse the unit of a symbol's quote asset is. Each fill is rounded down to that unit, so the loss of one fill is at
 * most the unit, and splitting an order gains at most one unit a fill. Decision 70.
 */
import { hasPrice } from "../../entry/order-record.ts";
import type { SymbolSpec } from "../../entry/symbol.ts";
import { type CompiledFilters, compileFilters, scaleFor } from "../../filters.ts";
import { BPS_IN_WHOLE, MAX_ROUNDING_BPS, ROUNDING_WARNING_BPS } from "../../limits.ts";
import { quoteScaleOf, type SymbolScale } from "../../numbers.ts";

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
  const { priceFilter, lotSize } = filters;
  const ticks = leastOnStep(priceFilter?.min, priceFilter?.step);
  const lots = leastOnStep(lotSize?.min, lotSize?.step);
  const [least, notional] = [BigInt(ticks) * BigInt(lots), leastNotional(filters, terms)];
  return notional > least ? notional : least;
}

/** What no order of any type may be below, in ticks times lots. */
function leastNotional({ minNotional }: CompiledFilters, { orderTypes }: Terms): bigint {
  if (minNotional === null || !(minNotional.applyToMarket || orderTypes.every(hasPrice))) return 0n;
  return minNotional.minNotional.ticksLots;
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
  if (filters === null || lots < leastOnStep(filters.lotSize?.min, filters.lotSize?.step)) return 0;
  const maxTicks = filters.priceFilter?.max ?? 0;
  return maxTicks > 0 && BigInt(maxTicks) * BigInt(lots) < leastNotional(filters, spec) ? 0 : lots;
}
