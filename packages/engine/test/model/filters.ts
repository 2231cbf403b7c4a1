/** Interface 2.8 as a list of rules, in the order in which the first failure is reported (FACTS 1.5). */
import type { ExchangeFilters, OrderType, RejectReason } from "@pricetime/engine";
import { type Amount, amount } from "./amount.ts";
import { averagePrice, type ModelMarket, type ModelOrder } from "./market.ts";

/** An order as it was asked for; null stands for a value that the symbol cannot hold. */
export interface Wanted {
  readonly accountId: number;
  readonly type: OrderType;
  /** 0n when the type has none. */
  readonly price: Amount | null;
  readonly stopPrice: Amount | null;
  /** What will be asked of the book; for quoteOrderQty what it comes to. */
  readonly quantity: Amount | null;
  readonly icebergQty: Amount | null;
  /** 0n when a quantity is given. */
  readonly quoteOrderQty: Amount;
  /** Whether it can stay open: only such orders meet the limits on open orders. */
  readonly mayRest: boolean;
  /** The book has orders on the other side. */
  readonly hasDepth: boolean;
}

const ALGO_TYPES: readonly OrderType[] = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];

export function failingFilter(
  market: ModelMarket,
  exchange: ExchangeFilters,
  wanted: Wanted,
  allOpen: readonly ModelOrder[],
  nowMs: number,
): RejectReason | null {
  const { filters } = market;
  const byQuote = wanted.quoteOrderQty !== 0n;
  // an order by quote on an empty book comes to nothing, and that is no failure
  const skipsQuantity = byQuote && !wanted.hasDepth;
  const here = allOpen.filter((order) => order.symbolId === market.symbolId);
  const isAlgo = ALGO_TYPES.includes(wanted.type);
  const algos = (orders: readonly ModelOrder[]) => orders.filter((order) => ALGO_TYPES.includes(order.type)).length;
  const isIceberg = wanted.icebergQty !== 0n;

  if (wanted.type !== "MARKET" && wanted.price === 0n) return "PRICE_FILTER";
  if (failsPrice(filters.priceFilter, wanted.price)) return "PRICE_FILTER";
  if (failsPrice(filters.priceFilter, wanted.stopPrice)) return "PRICE_FILTER";
  if (failsPercentPrice(market, wanted, nowMs)) return "PERCENT_PRICE";
  if (!byQuote && wanted.quantity === 0n) return "INVALID_QUANTITY";
  if (!skipsQuantity && failsLot(filters.lotSize, wanted.quantity)) return "LOT_SIZE";
  if (byQuote && wanted.hasDepth && wanted.quantity === 0n) return "LOT_SIZE";
  if (isIceberg && failsLot(filters.lotSize, wanted.icebergQty)) return "LOT_SIZE";
  if (failsMinNotional(market, wanted, nowMs)) return "MIN_NOTIONAL";
  const parts = filters.icebergParts?.limit;
  if (isIceberg && parts !== undefined) {
    if (ceilDivide(wanted.quantity!, wanted.icebergQty!) > BigInt(parts)) return "ICEBERG_PARTS";
  }
  if (wanted.type === "MARKET" && !skipsQuantity && failsLot(filters.marketLotSize, wanted.quantity)) {
    return "MARKET_LOT_SIZE";
  }
  if (!wanted.mayRest) return null;
  if (here.length >= (filters.maxNumOrders?.limit ?? Infinity)) return "MAX_NUM_ORDERS";
  if (isAlgo && algos(here) >= (filters.maxNumAlgoOrders?.maxNumAlgoOrders ?? Infinity)) return "MAX_NUM_ALGO_ORDERS";
  const icebergs = here.filter((order) => order.icebergQty > 0n).length;
  if (isIceberg && icebergs >= (filters.maxNumIcebergOrders?.maxNumIcebergOrders ?? Infinity)) {
    return "MAX_NUM_ICEBERG_ORDERS";
  }
  if (allOpen.length >= (exchange.maxNumOrders?.maxNumOrders ?? Infinity)) return "EXCHANGE_MAX_NUM_ORDERS";
  if (isAlgo && algos(allOpen) >= (exchange.maxNumAlgoOrders?.maxNumAlgoOrders ?? Infinity)) {
    return "EXCHANGE_MAX_NUM_ALGO_ORDERS";
  }
  return null;
}

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

/** Not for MARKET; passes while there was never a trade. */
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
  if (average === null) return true;
  if (wanted.quoteOrderQty !== 0n) return wanted.quoteOrderQty * 10n ** 8n < least;
  const [total, quantity] = average;
  return total * wanted.quantity < least * quantity;
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
