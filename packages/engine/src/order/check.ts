/**
 * Whether an order would be accepted, funds apart. The order in which failures are reported is
 * FACTS 1.3 and 1.5: filters first, then what the exchange refuses.
 */
import { type PlaceOrder } from "../command.ts";
import { LARGE_ORDER_LOTS, MAX_LEVEL_LOTS, MAX_OPEN_ORDERS } from "../limits.ts";
import { passesLotSize } from "../market/filters/lot-size.ts";
import { reachesNotional, reachesNotionalAtAverage } from "../market/filters/min-notional.ts";
import { passesPercentPrice } from "../market/filters/percent-price.ts";
import { passesPriceFilter } from "../market/filters/price-filter.ts";
import type { Market } from "../market/market.ts";
import type { RejectReason } from "../reject.ts";
import type { ExchangeState } from "../state.ts";
import { lotsForQuote } from "./market-order.ts";
import { opposite } from "./order.ts";

/** Null: acceptable. `nowMs` is the time to average prices at. */
export function checkOrder(state: ExchangeState, command: PlaceOrder, nowMs: number): RejectReason | null {
  const market = state.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  return (
    checkPrice(market, command, nowMs) ??
    checkQuantity(market, command, nowMs) ??
    checkCounts(state, market, command) ??
    checkAllowed(state, market, command) ??
    checkBook(state, market, command)
  );
}

/** Whether orders of this type carry a price. */
function hasPrice(command: PlaceOrder): boolean {
  return command.orderType !== "MARKET";
}

/** Whether the order can stay open. */
export function mayRest(command: PlaceOrder): boolean {
  return hasPrice(command) && command.timeInForce === "GTC";
}

function checkPrice(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  if (!hasPrice(command)) return null;
  const { priceTicks } = command;
  const { price, percentPrice } = market.filters;
  if (priceTicks <= 0) return "PRICE_FILTER";
  if (price !== null && !passesPriceFilter(price, priceTicks)) return "PRICE_FILTER";
  if (percentPrice !== null) {
    const average = market.averagePrice(percentPrice.avgPriceMins, nowMs);
    if (!passesPercentPrice(percentPrice, priceTicks, average)) return "PERCENT_PRICE";
  }
  return null;
}

function checkQuantity(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  const byQuote = command.quoteOrderQty > 0n;
  if (!byQuote && command.quantityLots === 0) return "INVALID_QUANTITY";
  const lots = byQuote ? lotsForQuote(market, command.side, command.quoteOrderQty) : command.quantityLots;
  const { lotSize, marketLotSize } = market.filters;
  const nothingToTake = byQuote && market.book.bestTicks(opposite(command.side)) === 0;
  if (!nothingToTake) {
    if (lots <= 0 || (lotSize !== null && !passesLotSize(lotSize, lots))) return "LOT_SIZE";
  }
  if (!meetsNotional(market, command, lots, nowMs)) return "MIN_NOTIONAL";
  if (command.orderType === "MARKET" && marketLotSize !== null && !nothingToTake) {
    if (!passesLotSize(marketLotSize, lots)) return "MARKET_LOT_SIZE";
  }
  return null;
}

function meetsNotional(market: Market, command: PlaceOrder, lots: number, nowMs: number): boolean {
  const { minNotional } = market.filters;
  if (minNotional === null) return true;
  if (hasPrice(command)) return reachesNotional(minNotional, market.quoteScale, command.priceTicks, lots);
  if (!minNotional.applyToMarket) return true;
  const average = market.averagePrice(minNotional.avgPriceMins, nowMs);
  if (command.quoteOrderQty > 0n) return average.denominator > 0n && command.quoteOrderQty >= minNotional.minimum;
  return reachesNotionalAtAverage(minNotional, market.quoteScale, average, lots);
}

/** MAX_NUM_ORDERS and its like count open orders, so an order that cannot stay open never meets them. */
function checkCounts(state: ExchangeState, market: Market, command: PlaceOrder): RejectReason | null {
  if (!mayRest(command)) return null;
  const onSymbol = state.orders.accountBook(command.accountId, market.symbolId);
  const { maxNumOrders } = market.filters;
  if (maxNumOrders !== null && (onSymbol?.byClientId.size ?? 0) >= maxNumOrders) return "MAX_NUM_ORDERS";
  const { maxNumOrders: onExchange } = state.exchangeFilters;
  if (onExchange !== undefined) {
    const open = state.orders.countOf(command.accountId)?.open ?? 0;
    if (open >= onExchange.maxNumOrders) return "EXCHANGE_MAX_NUM_ORDERS";
  }
  return null;
}

function checkAllowed(state: ExchangeState, market: Market, command: PlaceOrder): RejectReason | null {
  if (market.spec.status !== "TRADING") return "MARKET_CLOSED";
  if (!state.accounts.get(command.accountId)?.canTrade) return "ACCOUNT_MAY_NOT_TRADE";
  if (!market.spec.orderTypes.includes(command.orderType)) return "ORDER_TYPE_NOT_SUPPORTED";
  if (command.icebergLots !== 0 || command.stopTicks !== 0) return "UNSUPPORTED_COMBINATION";
  if (!hasPrice(command) && command.priceTicks !== 0) return "UNSUPPORTED_COMBINATION";
  if (command.orderType !== "LIMIT" && command.timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
  if (command.quoteOrderQty > 0n) {
    if (!market.spec.quoteOrderQtyMarketAllowed) return "QUOTE_ORDER_QTY_NOT_SUPPORTED";
    if (command.orderType !== "MARKET" || command.quantityLots !== 0) return "UNSUPPORTED_COMBINATION";
  }
  return null;
}

function checkBook(state: ExchangeState, market: Market, command: PlaceOrder): RejectReason | null {
  const { accountId, symbolId, clientOrderId, side, priceTicks, quantityLots } = command;
  if (state.orders.byClientId(accountId, symbolId, clientOrderId) !== undefined) return "DUPLICATE_ORDER";
  if (command.orderType === "LIMIT_MAKER" && crosses(market, command)) return "WOULD_MATCH_IMMEDIATELY";
  if (!mayRest(command)) return null;
  if (state.orders.size >= MAX_OPEN_ORDERS) return "TOO_MANY_OPEN_ORDERS";
  if (quantityLots > LARGE_ORDER_LOTS && market.book.lotsAt(side, priceTicks) + quantityLots > MAX_LEVEL_LOTS) {
    return "LOT_SIZE";
  }
  return null;
}

function crosses(market: Market, command: PlaceOrder): boolean {
  const bestTicks = market.book.bestTicks(opposite(command.side));
  if (bestTicks === 0) return false;
  return command.side === "BUY" ? bestTicks <= command.priceTicks : bestTicks >= command.priceTicks;
}
