/**
 * Whether an order would be accepted, except for funds. The order in which failures are reported is that of Interface
 * 7.8 and 7.9: filters first, then the rules of the exchange.
 */
import type { PlaceOrder } from "../entry/command.ts";
import { LARGE_ORDER_LOTS, MAX_ICEBERG_PARTS, MAX_LEVEL_LOTS, MAX_OPEN_ORDERS } from "../limits.ts";
import {
  passesLotSize,
  passesPriceFilter,
  reachesNotional,
  reachesNotionalAtAverage,
} from "../state/market/filters.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import { lotsForQuote, lotsToCheck } from "./order-funds.ts";
import { hasPrice, opposite, waitsForStop } from "../entry/order-record.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { isTriggered } from "../state/book/triggers.ts";

// The filters of prices and quantities, in the order in which failures are reported.

export function checkFilters(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  return checkPrices(market, command, nowMs) ?? checkQuantity(market, command, nowMs);
}

function checkPrices(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  const { orderType, priceTicks, stopTicks } = command;
  const { price, percentPrice } = market.filters;
  if (hasPrice(orderType)) {
    if (priceTicks <= 0 || (price !== null && !passesPriceFilter(price, priceTicks))) return "PRICE_FILTER";
  }
  if (waitsForStop(orderType)) {
    if (stopTicks <= 0 || (price !== null && !passesPriceFilter(price, stopTicks))) return "PRICE_FILTER";
  }
  if (percentPrice !== null && hasPrice(orderType)) {
    const { lowestTicks, highestTicks } = market.percentBand(percentPrice, nowMs);
    if (priceTicks < lowestTicks || priceTicks > highestTicks) return "PERCENT_PRICE";
  }
  return null;
}

function checkQuantity(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  const byQuote = command.quoteOrderQty > 0n;
  if (!byQuote && command.quantityLots === 0) return "INVALID_QUANTITY";
  const lots = byQuote ? quantityByQuote(market, command) : command.quantityLots;
  const { lotSize, marketLotSize, icebergParts } = market.filters;
  // An order by quote on an empty book has no quantity to check, and expires.
  const hasQuantity = !byQuote || market.book.bestTicks(opposite(command.side)) !== 0;
  if (hasQuantity) {
    if (lots <= 0 || (lotSize !== null && !passesLotSize(lotSize, lots))) return "LOT_SIZE";
    if (command.icebergLots !== 0 && !passesIcebergLots(market, command)) return "LOT_SIZE";
  }
  if (!meetsNotional(market, command, lots, nowMs)) return "MIN_NOTIONAL";
  if (command.icebergLots > 0) {
    const most = Math.min(icebergParts ?? MAX_ICEBERG_PARTS, MAX_ICEBERG_PARTS);
    if (partsOf(lots, command.icebergLots) > most) return "ICEBERG_PARTS";
  }
  if (marketLotSize !== null && hasQuantity && !hasPrice(command.orderType)) {
    if (!passesLotSize(marketLotSize, lots)) return "MARKET_LOT_SIZE";
  }
  return null;
}

/** The quantity for the filters: that of the order or, if every filter treats it equally, a smaller one. */
function quantityByQuote(market: Market, { orderType, side, quoteOrderQty, icebergLots }: PlaceOrder): number {
  const isSound = orderType === "MARKET" && icebergLots === 0;
  return isSound ? lotsToCheck(market, side, quoteOrderQty) : lotsForQuote(market, side, quoteOrderQty);
}

function passesIcebergLots(market: Market, command: PlaceOrder): boolean {
  const { lotSize } = market.filters;
  return command.icebergLots > 0 && (lotSize === null || passesLotSize(lotSize, command.icebergLots));
}

/** CEIL(quantity / icebergQty), in integers. */
function partsOf(lots: number, icebergLots: number): number {
  const rest = lots % icebergLots;
  return (lots - rest) / icebergLots + (rest === 0 ? 0 : 1);
}

/** Orders without a price are checked at the average price. A stop order may be placed before the first trade. */
function meetsNotional(market: Market, command: PlaceOrder, lots: number, nowMs: number): boolean {
  const { minNotional } = market.filters;
  if (minNotional === null) return true;
  if (hasPrice(command.orderType)) {
    return reachesNotional(minNotional, command.priceTicks, lots);
  }
  if (!minNotional.applyToMarket) return true;
  const average = market.averagePrice(minNotional.avgPriceMins, nowMs);
  if (average.denominator === 0n) return waitsForStop(command.orderType);
  if (command.quoteOrderQty > 0n) return command.quoteOrderQty >= minNotional.minimum;
  return reachesNotionalAtAverage(minNotional, market.quoteScale, average, lots);
}

// Limits on an account's open orders: MAX_NUM_ORDERS and similar filters.

/** The number by which new orders would increase the counts of open ones. */
interface OrderCounts {
  readonly open: number;
  readonly algo: number;
  readonly iceberg: number;
}

const NONE: OrderCounts = { open: 0, algo: 0, iceberg: 0 };
const PLAIN: OrderCounts = { open: 1, algo: 0, iceberg: 0 };

/** An order that cannot stay open is not counted. */
export function countsOf(command: Pick<PlaceOrder, "orderType" | "timeInForce" | "icebergLots">): OrderCounts {
  const algo = waitsForStop(command.orderType);
  if (!algo && (command.orderType === "MARKET" || command.timeInForce !== "GTC")) return NONE;
  if (!algo && command.icebergLots === 0) return PLAIN;
  return { open: 1, algo: algo ? 1 : 0, iceberg: command.icebergLots === 0 ? 0 : 1 };
}

export function checkCounts(
  state: ExchangeState,
  market: Market,
  accountId: number,
  adds: OrderCounts,
): RejectReason | null {
  if (adds.open === 0) return null;
  const there = state.orders.accountBook(accountId, market.symbolId);
  const { maxNumOrders, maxNumAlgoOrders, maxNumIcebergOrders } = market.filters;
  if (exceeds(there?.size, adds.open, maxNumOrders)) return "MAX_NUM_ORDERS";
  if (exceeds(there?.algoOrders, adds.algo, maxNumAlgoOrders)) return "MAX_NUM_ALGO_ORDERS";
  if (exceeds(there?.icebergOrders, adds.iceberg, maxNumIcebergOrders)) return "MAX_NUM_ICEBERG_ORDERS";
  const everywhere = state.orders.countOf(accountId);
  const { maxNumOrders: onExchange, maxNumAlgoOrders: algoOnExchange } = state.exchangeFilters;
  if (exceeds(everywhere?.open, adds.open, onExchange?.maxNumOrders)) return "EXCHANGE_MAX_NUM_ORDERS";
  if (exceeds(everywhere?.algoOrders, adds.algo, algoOnExchange?.maxNumAlgoOrders)) {
    return "EXCHANGE_MAX_NUM_ALGO_ORDERS";
  }
  return null;
}

function exceeds(there: number | undefined, adds: number, limit: number | null | undefined): boolean {
  return adds > 0 && limit !== null && limit !== undefined && (there ?? 0) + adds > limit;
}

// All checks of an order.

/** Null if acceptable. `nowMs` is the time for average prices. */
export function checkOrder(state: ExchangeState, command: PlaceOrder, nowMs: number): RejectReason | null {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const market = state.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  return (
    checkFilters(market, command, nowMs) ??
    checkCounts(state, market, command.accountId, countsOf(command)) ??
    checkAllowed(state, market, command, nowMs) ??
    checkUnique(state, command) ??
    checkSide(market, command) ??
    checkRoom(state, market, command)
  );
}

/** Checks what the symbol and the account permit. */
export function checkAllowed(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  nowMs: number,
): RejectReason | null {
  if (market.statusAt(nowMs) !== "TRADING" || state.stops.stopsPlacing(nowMs)) return "MARKET_CLOSED";
  const account = state.accounts.get(command.accountId);
  if (!account?.canTrade || !account.isEnabled) return "ACCOUNT_MAY_NOT_TRADE";
  if (state.funds.apiLocks.at(command.accountId, nowMs) !== undefined) return "API_TRADING_LOCKED";
  if (!market.spec.orderTypes.includes(command.orderType)) return "ORDER_TYPE_NOT_SUPPORTED";
  return checkIceberg(market, command) ?? checkShape(market, command);
}

function checkIceberg(market: Market, command: PlaceOrder): RejectReason | null {
  if (command.icebergLots === 0) return null;
  if (!hasPrice(command.orderType) || command.timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
  if (!market.spec.icebergAllowed) return "ICEBERG_NOT_SUPPORTED";
  return command.icebergLots >= command.quantityLots ? "ICEBERG_EXCEEDS_QUANTITY" : null;
}

/** Errors that no well-formed order of the type has. The gateway rejects them first, with the interface's messages. */
function checkShape(market: Market, command: PlaceOrder): RejectReason | null {
  const { orderType } = command;
  if (waitsForStop(orderType) !== (command.stopTicks !== 0)) return "UNSUPPORTED_COMBINATION";
  if (!hasPrice(orderType) && command.priceTicks !== 0) return "UNSUPPORTED_COMBINATION";
  if ((!hasPrice(orderType) || orderType === "LIMIT_MAKER") && command.timeInForce !== "GTC") {
    return "UNSUPPORTED_COMBINATION";
  }
  if (command.quoteOrderQty === 0n) return null;
  if (!market.spec.quoteOrderQtyMarketAllowed) return "QUOTE_ORDER_QTY_NOT_SUPPORTED";
  return orderType !== "MARKET" || command.quantityLots !== 0 ? "UNSUPPORTED_COMBINATION" : null;
}

/** Checks that no other open order of the account on the symbol has the client id. */
export function checkUnique(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  const { accountId, symbolId, clientOrderId } = command;
  return state.orders.byClientId(accountId, symbolId, clientOrderId) === undefined ? null : "DUPLICATE_ORDER";
}

/** A maker-only order must not execute immediately, and a stop price must not have been reached already. */
function checkSide(market: Market, command: PlaceOrder): RejectReason | null {
  const { orderType, side, stopTicks } = command;
  if (orderType === "LIMIT_MAKER") return wouldTake(market, command) ? "WOULD_MATCH_IMMEDIATELY" : null;
  if (waitsForStop(orderType) && isTriggered(orderType, side, stopTicks, market.lastTradeTicks)) {
    return "WOULD_TRIGGER_IMMEDIATELY";
  }
  return null;
}

export function wouldTake(market: Market, command: Pick<PlaceOrder, "side" | "priceTicks">): boolean {
  const bestTicks = market.book.bestTicks(opposite(command.side));
  if (bestTicks === 0) return false;
  return command.side === "BUY" ? bestTicks <= command.priceTicks : bestTicks >= command.priceTicks;
}

/** Checks the limits of the engine itself. */
export function checkRoom(state: ExchangeState, market: Market, command: PlaceOrder): RejectReason | null {
  const counts: OrderCounts = countsOf(command);
  if (counts.open === 0) return null;
  if (state.orders.size >= MAX_OPEN_ORDERS) return "TOO_MANY_OPEN_ORDERS";
  return overflowsLevel(market, command) ? "LOT_SIZE" : null;
}

/** Whether an order would bring its price to more lots than a safe integer holds. */
export function overflowsLevel(
  market: Market,
  order: Pick<PlaceOrder, "side" | "priceTicks" | "quantityLots">,
): boolean {
  if (order.quantityLots <= LARGE_ORDER_LOTS) return false;
  return market.book.lotsAt(order.side, order.priceTicks) + order.quantityLots > MAX_LEVEL_LOTS;
}
