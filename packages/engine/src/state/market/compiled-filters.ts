/** The filters of a symbol in its own units, ready for checks. Null: the filter does not apply. */
import { OFF_SCALE, toScale } from "../../number/scale.ts";
import { decimalsNeeded, parseDecimal } from "../../number/decimal.ts";
import { MAX_AVERAGE_PRICE_MINS } from "../../limits.ts";
import type { LotSize } from "./filters/lot-size.ts";
import { type MinNotional, minNotionalOf } from "./filters/min-notional.ts";
import type { PercentPrice } from "./filters/percent-price.ts";
import type { PriceFilter } from "./filters/price-filter.ts";
import { quoteScaleOf } from "../../number/quote-scale.ts";
import type { SymbolScale } from "../../number/symbol-scale.ts";
import type { SymbolFilters } from "../../entry/symbol.ts";

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
