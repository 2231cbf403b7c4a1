/** Interface 2.8 as a list of rules, in the order in which the first failure is reported (Interface 7.9). */
import type { ExchangeFilters, OrderType, RejectReason, SymbolSpec } from "@pricetime/engine";
import { type Amount, amount } from "./amount.ts";
import { averagePrice, isAlgo, isPriced, type ModelMarket, type ModelOrder } from "./market.ts";

/** An order as it was requested; null stands for a value that the symbol cannot hold. */
export interface Wanted {
  readonly accountId: number;
  readonly type: OrderType;
  /** 0n when the type has none. */
  readonly price: Amount | null;
  /** 0n when the type has none. */
  readonly stopPrice: Amount | null;
  /** The quantity for the book; with quoteOrderQty the quantity that it results in. */
  readonly quantity: Amount | null;
  readonly icebergQty: Amount | null;
  /** 0n when a quantity is given. */
  readonly quoteOrderQty: Amount;
  /** Whether it can stay open: only such orders meet the limits on open orders. */
  readonly mayRest: boolean;
  /** Whether the book has orders on the other side. */
  readonly hasDepth: boolean;
}

/** No iceberg may have more parts than this, with or without ICEBERG_PARTS. */
const MOST_PARTS = 1000;

/** Checks the filters that concern a single order. */
export function failingFilter(market: ModelMarket, wanted: Wanted, nowMs: number): RejectReason | null {
  const { filters } = market;
  const byQuote = wanted.quoteOrderQty !== 0n;
  // an order by quote on an empty book comes to nothing, and that is no failure
  const skipsQuantity = byQuote && !wanted.hasDepth;
  const isIceberg = wanted.icebergQty !== 0n;

  if (isPriced(wanted.type) && wanted.price === 0n) return "PRICE_FILTER";
  if (failsPrice(filters.priceFilter, wanted.price)) return "PRICE_FILTER";
  if (isAlgo(wanted.type) && wanted.stopPrice === 0n) return "PRICE_FILTER";
  if (failsPrice(filters.priceFilter, wanted.stopPrice)) return "PRICE_FILTER";
  if (failsPercentPrice(market, wanted, nowMs)) return "PERCENT_PRICE";
  if (!byQuote && wanted.quantity === 0n) return "INVALID_QUANTITY";
  if (!skipsQuantity && failsLot(filters.lotSize, wanted.quantity)) return "LOT_SIZE";
  if (byQuote && wanted.hasDepth && wanted.quantity === 0n) return "LOT_SIZE";
  if (isIceberg && !skipsQuantity && failsLot(filters.lotSize, wanted.icebergQty)) return "LOT_SIZE";
  if (failsMinNotional(market, wanted, nowMs)) return "MIN_NOTIONAL";
  if (isIceberg && wanted.icebergQty !== null) {
    const most = Math.min(filters.icebergParts?.limit ?? MOST_PARTS, MOST_PARTS);
    if (ceilDivide(wanted.quantity!, wanted.icebergQty) > BigInt(most)) return "ICEBERG_PARTS";
  }
  if (!isPriced(wanted.type) && !skipsQuantity && failsLot(filters.marketLotSize, wanted.quantity)) {
    return "MARKET_LOT_SIZE";
  }
  return null;
}

/** Checks how many orders of each kind an account may have open, including the new ones. */
export function failingCount(
  market: ModelMarket,
  exchange: ExchangeFilters,
  allOpen: readonly ModelOrder[],
  wanted: readonly Wanted[],
): RejectReason | null {
  const { filters } = market;
  const here = allOpen.filter((order) => order.symbolId === market.symbolId);
  const added = wanted.filter(({ mayRest }) => mayRest);
  const exceeds = (open: readonly Counted[], counts: (order: Counted) => boolean, limit: number | undefined) =>
    added.some(counts) && open.filter(counts).length + added.filter(counts).length > (limit ?? Infinity);
  const any = () => true;
  const algo = (order: Counted) => isAlgo(order.type);
  const iceberg = (order: Counted) => order.icebergQty !== 0n;
  if (exceeds(here, any, filters.maxNumOrders?.limit)) return "MAX_NUM_ORDERS";
  if (exceeds(here, algo, filters.maxNumAlgoOrders?.maxNumAlgoOrders)) return "MAX_NUM_ALGO_ORDERS";
  if (exceeds(here, iceberg, filters.maxNumIcebergOrders?.maxNumIcebergOrders)) return "MAX_NUM_ICEBERG_ORDERS";
  if (exceeds(allOpen, any, exchange.maxNumOrders?.maxNumOrders)) return "EXCHANGE_MAX_NUM_ORDERS";
  if (exceeds(allOpen, algo, exchange.maxNumAlgoOrders?.maxNumAlgoOrders)) return "EXCHANGE_MAX_NUM_ALGO_ORDERS";
  return null;
}

/** The fields that limits on open orders need. */
type Counted = Pick<Wanted, "type" | "icebergQty">;

/** Each part is off when it is 0; a price of 0n means that the order has none. */
function failsPrice(filter: ModelMarket["filters"]["priceFilter"], price: Amount | null): boolean {
  if (price === null) return true;
  if (filter === undefined || price === 0n) return false;
  const [min, max, tick] = [amount(filter.minPrice), amount(filter.maxPrice), amount(filter.tickSize)];
  if (min !== 0n && price < min) return true;
  if (max !== 0n && price > max) return true;
  return tick !== 0n && (price - min) % tick !== 0n;
}

function failsLot(filter: ModelMarket["filters"]["lotSize"], quantity: Amount | null): boolean {
  if (quantity === null) return true;
  if (filter === undefined) return false;
  const [min, max, step] = [amount(filter.minQty), amount(filter.maxQty), amount(filter.stepSize)];
  if (quantity < min || (max !== 0n && quantity > max)) return true;
  return step !== 0n && (quantity - min) % step !== 0n;
}

/** Checks the price alone, so not types without one; passes before the first trade. */
function failsPercentPrice(market: ModelMarket, wanted: Wanted, nowMs: number): boolean {
  const filter = market.filters.percentPrice;
  if (filter === undefined || wanted.price === null || wanted.price === 0n) return false;
  const average = averagePrice(market, filter.avgPriceMins, nowMs);
  if (average === null) return false;
  const [total, quantity] = average;
  // price against (total / quantity) * multiplier, cross-multiplied: exact
  const left = wanted.price * quantity * 10n ** 8n;
  return left > total * amount(filter.multiplierUp) || left < total * amount(filter.multiplierDown);
}

function failsMinNotional(market: ModelMarket, wanted: Wanted, nowMs: number): boolean {
  const filter = market.filters.minNotional;
  if (filter === undefined || wanted.quantity === null || wanted.price === null) return false;
  const least = amount(filter.minNotional) * 10n ** 8n;
  if (wanted.price !== 0n) return wanted.price * wanted.quantity < least;
  if (!filter.applyToMarket) return false;
  const average = averagePrice(market, filter.avgPriceMins, nowMs);
  // an order that waits may do so before the first trade
  if (average === null) return !isAlgo(wanted.type);
  if (wanted.quoteOrderQty !== 0n) return wanted.quoteOrderQty * 10n ** 8n < least;
  const [total, quantity] = average;
  return total * wanted.quantity < least * quantity;
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

/**
 * The basis points of the smallest trade that one unit of the quote asset is, rounded up; 0: every fill is exact. The
 * smallest trade is MIN_NOTIONAL, or the smallest quantity at the lowest price where that is more or the filter leaves
 * orders without a price alone.
 */
export function roundingBps(market: ModelMarket, { filters, orderTypes }: SymbolSpec): number {
  const { priceDecimals, quantityDecimals, quotePlaces } = market;
  if (priceDecimals + quantityDecimals <= quotePlaces) return 0;
  const step = (places: number): Amount => 10n ** BigInt(8 - places);
  const least = (min: string | undefined, by: string | undefined, places: number): Amount =>
    [min, by].map((text) => amount(text ?? "0")).find((value) => value > 0n) ?? step(places);
  const { priceFilter, lotSize, minNotional } = filters;
  const price = least(priceFilter?.minPrice, priceFilter?.tickSize, priceDecimals);
  const quantity = least(lotSize?.minQty, lotSize?.stepSize, quantityDecimals);
  const bounds = minNotional !== undefined && (minNotional.applyToMarket || orderTypes.every(isPriced));
  const notional = bounds ? amount(minNotional.minNotional) * 10n ** 8n : 0n;
  const smallest = price * quantity > notional ? price * quantity : notional;
  return Number(ceilDivide(step(quotePlaces) * 10n ** 8n * 10_000n, smallest));
}
