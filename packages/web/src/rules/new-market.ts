/**
 * A market before it is listed: suggested filters for two assets and a price, what clients would see, orders that its
 * filters would reject, and warnings about values that are valid but rarely intended.
 */
import { SYMBOL_FILTERS, type SymbolFilters, scaleFor } from "@pricetime/engine/filters";
import type { StepOrigin } from "@pricetime/engine/numbers";
import { isRoundingCoarse, isRoundingTooCoarse, lotsWithoutCommission, roundingOf } from "@pricetime/engine/rounding";
import type { Market, MarketFilter } from "../market/port.ts";
import {
  compare,
  cutTo,
  type Decimal,
  divideDown,
  formatShort,
  isZero,
  multiply,
  parseDecimal,
} from "../exact/decimal.ts";
import { checkFilters } from "./check-filters.ts";
import { type Problem, valuesOf } from "./draft.ts";

/** An asset, as far as a market depends on it. */
export interface Traded {
  readonly asset: string;
  /** Decimals of its smallest unit. */
  readonly precision: number;
}

export interface NewMarket {
  readonly symbol: string;
  readonly base: Traded;
  readonly quote: Traded;
  readonly orderTypes: readonly string[];
  /** Where the venue counts steps from. */
  readonly stepOrigin: StepOrigin;
  readonly filters: SymbolFilters;
}

// Suggestions. Each value is a power of ten, so that steps and bounds fit each other.

/** Minimum order values for quote assets of another size than the usual currencies, for which 10 is used. */
const MIN_NOTIONALS: Readonly<Record<string, string>> = {
  ...{ BTC: "0.0001", ETH: "0.001", BNB: "0.01", JPY: "1000", KRW: "10000", HUF: "1000", IDR: "100000", VND: "100000" },
};
const USUAL_NOTIONAL = "10";

/** A price has this many digits after its first one. */
const PRICE_DIGITS = 5;
const MAX_OPEN_ORDERS = 200;

/** The exponent of the highest power of ten that is not above a positive value. */
function exponentOf({ units, digits }: Decimal): number {
  return units.toString().length - 1 - digits;
}

function powerOfTen(exponent: number): string {
  return exponent >= 0 ? `1${"0".repeat(exponent)}` : `0.${"0".repeat(-exponent - 1)}1`;
}

/**
 * Filters for a market that trades near `price`: about five significant digits of price, a quantity step worth about a
 * tenth of the minimum order value, and prices within five times the average. Null if the price is not a positive
 * decimal.
 */
export function suggestedFilters(
  base: Traded,
  quote: Traded,
  price: string,
): Required<Pick<SymbolFilters, "priceFilter" | "lotSize" | "minNotional" | "percentPrice" | "maxNumOrders">> | null {
  const near = parseDecimal(price);
  if (near === null || near.units <= 0n) return null;
  const magnitude = exponentOf(near);
  const tick = Math.max(magnitude - PRICE_DIGITS, -quote.precision);
  const minNotional = MIN_NOTIONALS[quote.asset] ?? USUAL_NOTIONAL;
  const lots = exponentOf(divideDown(parseDecimal(minNotional) as Decimal, near, MOST_DIGITS));
  const step = Math.max(lots - 1, -base.precision);
  return {
    priceFilter: { minPrice: powerOfTen(tick), maxPrice: powerOfTen(magnitude + 3), tickSize: powerOfTen(tick) },
    lotSize: {
      ...{ minQty: powerOfTen(step), stepSize: powerOfTen(step) },
      maxQty: powerOfTen(Math.min(Math.max(lots + 7, step + 6), step + MOST_STEPS_DIGITS)),
    },
    minNotional: { minNotional, applyToMarket: true, avgPriceMins: 5 },
    percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
    maxNumOrders: { limit: MAX_OPEN_ORDERS },
  };
}

const MOST_DIGITS = 24;
/** Quantities of at most this many steps, as a power of ten, stay exact. */
const MOST_STEPS_DIGITS = 14;

// The market as clients see it.

/** The decimals of prices and quantities; null if the filters or assets do not allow such a market. */
export function scaleOf({
  filters,
  base,
  quote,
}: NewMarket): { priceDecimals: number; quantityDecimals: number } | null {
  return scaleFor(filters, base.precision, quote.precision);
}

/** The filters by their names in `exchangeInfo`. */
export function shownFilters(filters: SymbolFilters): MarketFilter[] {
  return Object.entries(SYMBOL_FILTERS).flatMap(([key, { name }]) => {
    const values = filters[key as keyof SymbolFilters];
    return values === undefined ? [] : [{ filterType: name, ...values }];
  });
}

function marketOf(wanted: NewMarket): Market | null {
  const scale = scaleOf(wanted);
  if (scale === null) return null;
  const { symbol, base, quote, orderTypes, stepOrigin, filters } = wanted;
  return {
    ...{ symbol, baseAsset: base.asset, quoteAsset: quote.asset, orderTypes, status: "TRADING" },
    ...{ icebergAllowed: true, ocoAllowed: true, otoAllowed: true, opoAllowed: true },
    ...{ allowTrailingStop: true, pegInstructionsAllowed: true, filters: shownFilters(filters) },
    ...{ defaultSelfTradePreventionMode: "NONE", allowedSelfTradePreventionModes: [] },
    stepOrigin,
    ...{ priceDigits: scale.priceDecimals, quantityDigits: scale.quantityDecimals, quoteDigits: quote.precision },
    ...{ tickSize: filters.priceFilter?.tickSize ?? "0", stepSize: filters.lotSize?.stepSize ?? "0" },
  };
}

// An example order.

export interface Example {
  readonly price: string;
  readonly quantity: string;
}

/**
 * Why the filters would reject a limit order, when the market last traded at `lastPrice`; empty if they accept it. Null
 * if such a market cannot be listed, or a value is missing.
 */
export function rejectionsOf(wanted: NewMarket, { price, quantity }: Example, lastPrice: string): Problem[] | null {
  const market = marketOf(wanted);
  const order = { symbol: wanted.symbol, side: "BUY", type: "LIMIT", price, quantity } as const;
  const values = valuesOf(order);
  if (market === null || values.price === null || values.quantity === null) return null;
  const last = parseDecimal(lastPrice) === null ? null : lastPrice;
  return checkFilters(order, values, {
    ...{ market, averagePrice: last, referencePrice: null, lastPrice: last, book: null, openOrders: [], free: null },
    commission: null,
  });
}

/** The smallest order that the filters accept at the tick below `price`; null if there is none. */
export function smallestOrder(wanted: NewMarket, price: string): Example | null {
  const { price: onTick } = exampleFor(wanted, price);
  const least = wanted.filters.lotSize?.minQty ?? wanted.filters.lotSize?.stepSize ?? "";
  const tried = { price: onTick, quantity: least };
  const [first] = rejectionsOf(wanted, tried, price) ?? [];
  if (first === undefined) return rejectionsOf(wanted, tried, price) === null ? null : tried;
  const [nearest] = first.nearest;
  if (first.field !== "quantity" || nearest === undefined) return null;
  const wider = { price: onTick, quantity: nearest };
  return rejectionsOf(wanted, wider, price)?.length === 0 ? wider : null;
}

/** An order of ten times the smallest value, at a price on the grid of ticks. */
export function exampleFor({ filters }: Pick<NewMarket, "filters">, price: string): Example {
  const near = parseDecimal(price);
  const notional = leastValue(filters);
  const step = parseDecimal(filters.lotSize?.stepSize ?? "");
  if (near === null || isZero(near) || notional === null || step === null || isZero(step))
    return { price, quantity: filters.lotSize?.minQty ?? "" };
  const wanted = divideDown(multiply(notional, TEN), near, MOST_DIGITS);
  const steps = divideDown(wanted, step, 0);
  const quantity = multiply(isZero(steps) ? ONE : steps, step);
  const tick = parseDecimal(filters.priceFilter?.tickSize ?? "");
  const onTick = tick === null || isZero(tick) ? near : multiply(divideDown(near, tick, 0), tick);
  return { price: formatShort(onTick), quantity: formatShort(quantity) };
}

/** The smallest order value that MIN_NOTIONAL and NOTIONAL accept; null if there is none. */
function leastValue({ minNotional, notional }: SymbolFilters): Decimal | null {
  const bounds = [minNotional, notional].flatMap((filter) => parseDecimal(filter?.minNotional ?? "") ?? []);
  return bounds.sort(compare).at(-1) ?? null;
}

const ONE: Decimal = { units: 1n, digits: 0 };
const TEN: Decimal = { units: 10n, digits: 0 };

// Warnings.

/**
 * `cannotList`: the values do not fit the assets' decimals. `rounding`, `roundingTooCoarse`: one unit of the quote asset
 * is more than a basis point, or more than the limit for listing, of the smallest trade. `noTick`, `noStep`: clients
 * cannot round. `coarseTick`: a tick is a large part of the price. `outside`: the price is not within the bounds.
 * `noNotional`: orders of almost no value are accepted. `tinyNotional`: the fee of the smallest order rounds to zero.
 * `freeLots`: small purchases pay no fee.
 */
type WarningName =
  | "cannotList"
  | "rounding"
  | "roundingTooCoarse"
  | "noTick"
  | "noStep"
  | "coarseTick"
  | "outside"
  | "noNotional"
  | "tinyNotional"
  | "freeLots";

interface Warning {
  readonly name: WarningName;
  /** The figure of the warning: a share of the price in percent, or a value of the quote asset; "" if none. */
  readonly figure: string;
}

/** A tick of more than this share of the price, in percent, makes the smallest spread expensive. */
const COARSE_TICK_PERCENT: Decimal = { units: 1n, digits: 1 };
const BPS_DIGITS = 4;

export function warningsOf(wanted: NewMarket, price: string, takerBps: number): Warning[] {
  const { filters, base, quote } = wanted;
  const scale = scaleOf(wanted);
  if (scale === null) return [{ name: "cannotList", figure: "" }];
  const precisions = { base: base.precision, quote: quote.precision };
  const terms = { filters, orderTypes: wanted.orderTypes } as Parameters<typeof roundingOf>[0];
  const rounding = roundingOf(terms, precisions, scale);
  const names: readonly (WarningName | false)[] = [
    isRoundingTooCoarse(rounding) ? "roundingTooCoarse" : isRoundingCoarse(rounding) && "rounding",
    filters.priceFilter === undefined && "noTick",
    filters.lotSize === undefined && "noStep",
    leastValue(filters) === null && "noNotional",
    feeOfSmallest(filters, quote, takerBps) && "tinyNotional",
    lotsWithoutCommission(terms, precisions, scale, takerBps) > 0 && "freeLots",
  ];
  return [
    ...names.filter((name) => name !== false).map((name) => ({ name, figure: "" })),
    ...priceWarnings(filters, parseDecimal(price)),
  ];
}

/** Whether the fee of an order of the minimum value is less than one unit of the quote asset. */
function feeOfSmallest(filters: SymbolFilters, { precision }: Traded, takerBps: number): boolean {
  const least = leastValue(filters);
  if (least === null || takerBps === 0) return false;
  const fee = multiply(least, { units: BigInt(takerBps), digits: BPS_DIGITS });
  return compare(fee, { units: 1n, digits: precision }) < 0;
}

function priceWarnings({ priceFilter }: SymbolFilters, price: Decimal | null): Warning[] {
  if (priceFilter === undefined || price === null || isZero(price)) return [];
  const [tick, least, most] = [priceFilter.tickSize, priceFilter.minPrice, priceFilter.maxPrice].map(parseDecimal);
  const found: Warning[] = [];
  if (tick !== null && tick !== undefined) {
    const percent = divideDown(multiply(tick, { units: 100n, digits: 0 }), price, BPS_DIGITS);
    if (compare(percent, COARSE_TICK_PERCENT) > 0)
      found.push({ name: "coarseTick", figure: formatShort(cutTo(percent, 2)) });
  }
  const isBelow = least !== null && least !== undefined && compare(price, least) < 0;
  const isAbove = most !== null && most !== undefined && !isZero(most) && compare(price, most) > 0;
  if (isBelow || isAbove) found.push({ name: "outside", figure: "" });
  return found;
}
