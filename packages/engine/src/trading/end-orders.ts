/**
 * Orders that end other than by their last fill: cancelled by their owner, expired by an operator or a rule, or ended with
 * their order list.
 */
import type { Market } from "../state/market/market.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { lockedBy, spentAssetId } from "./order-funds.ts";
import { extrasOf, type Order } from "../state/order/order.ts";
import type { OrderList } from "../state/order/order-lists.ts";
import type {
  CancelOpenOrders,
  CancelOrder,
  CancelOrderList,
  EndAccountOrders,
  EndOrder,
  EndSymbolOrders,
} from "../entry/command.ts";
import type { SymbolStatus } from "../entry/symbol.ts";
import type { RejectReason } from "../entry/reject.ts";
import { isClosed } from "../entry/order-record.ts";
import { MAX_ENDED_A_STEP } from "../limits.ts";

/** Ends an order by the rules of its type; it is neither on the book nor waiting. */
export function expireOrder(state: ExchangeState, market: Market, order: Order): void {
  end(state, market, order, "EXPIRED", "");
}

/** Ends an open order, wherever it is. */
export function endOpenOrder(
  state: ExchangeState,
  market: Market,
  order: Order,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
): void {
  if (order.isWorking) {
    market.book.remove(order);
    market.touchBook(state.seq);
  } else if (order.level !== null) {
    // A just triggered order no longer waits.
    market.triggers.remove(order);
  }
  state.orders.remove(order);
  end(state, market, order, status, cancelClientOrderId);
}

function end(
  state: ExchangeState,
  market: Market,
  order: Order,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
): void {
  state.ledger.release(order.accountId, spentAssetId(market, order.side), lockedBy(market, order));
  if (order.extras !== null) order.extras.locked = 0n;
  order.change(status, state.nowMs);
  state.emit({ type: "orderEnded", order: order.record(), status, cancelClientOrderId });
}

// How an order list ends: one leg starts to execute and the other expires. Interface 3.5.

function otherLeg(list: OrderList, leg: Order): Order {
  return leg === list.stopLeg ? list.limitLeg : list.stopLeg;
}

/** Gives the funds of the list to the leg about to spend them. Undefined: the order is in no executing list. */
export function claimFunds(state: ExchangeState, leg: Order): OrderList | undefined {
  const list = state.orderLists.ofLeg(leg);
  if (list === undefined || leg === list.stopLeg) return list;
  const holder = extrasOf(list.stopLeg);
  extrasOf(leg).locked = holder.locked;
  holder.locked = 0n;
  return list;
}

/** As `claimFunds`, then ends the other leg; the caller ends the list. */
export function expireSibling(state: ExchangeState, market: Market, leg: Order): OrderList | undefined {
  const list = claimFunds(state, leg);
  if (list !== undefined) endOpenOrder(state, market, otherLeg(list, leg), "EXPIRED", "");
  return list;
}

export function finishList(state: ExchangeState, list: OrderList): void {
  state.orderLists.remove(list);
  state.emit({ type: "orderListChanged", list: list.record, listOrderStatus: "ALL_DONE" });
}

/** Ends both legs, the stop leg first. */
function endList(
  state: ExchangeState,
  market: Market,
  list: OrderList,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
): void {
  endOpenOrder(state, market, list.stopLeg, status, cancelClientOrderId);
  endOpenOrder(state, market, list.limitLeg, status, cancelClientOrderId);
  finishList(state, list);
}

/** Ends an open order, and with it the list of which it is a leg. */
function endWithList(
  state: ExchangeState,
  market: Market,
  order: Order,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
): void {
  const list = state.orderLists.ofLeg(order);
  if (list === undefined) endOpenOrder(state, market, order, status, cancelClientOrderId);
  else endList(state, market, list, status, cancelClientOrderId);
}

// Cancelling orders and order lists. Interface 3.4 and 3.5.

/** A trading ban stops new orders, not cancels; before and after the session both stop. Interface 3.4. */
function allowsCancels(status: SymbolStatus): boolean {
  return status === "TRADING" || status === "HALT" || status === "BREAK";
}

/** Cancelling one leg of a list cancels the list. */
export function cancelOrder(state: ExchangeState, command: CancelOrder): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const order = find(state, command);
  if (typeof order === "string") return order;
  endWithList(state, market, order, "CANCELED", command.newClientOrderId);
  return null;
}

export function cancelOpenOrders(state: ExchangeState, command: CancelOpenOrders): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const orders = state.orders.of(command.accountId, command.symbolId);
  if (orders.length === 0) return "UNKNOWN_ORDER";
  for (const order of orders) {
    if (!isClosed(order.status)) endWithList(state, market, order, "CANCELED", command.newClientOrderId);
  }
  return null;
}

export function cancelOrderList(state: ExchangeState, command: CancelOrderList): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const { accountId, symbolId, orderListId, listClientOrderId } = command;
  const list =
    orderListId >= 0 ? state.orderLists.get(orderListId) : state.orderLists.getByClientId(accountId, listClientOrderId);
  if (list === undefined) return "UNKNOWN_ORDER";
  const { record } = list;
  if (record.accountId !== accountId || record.symbolId !== symbolId) return "UNKNOWN_ORDER";
  if (listClientOrderId !== "" && listClientOrderId !== record.listClientOrderId) return "CANCEL_IDS_DISAGREE";
  endList(state, market, list, "CANCELED", command.newClientOrderId);
  return null;
}

function marketForCancel(state: ExchangeState, symbolId: number): Market | RejectReason {
  const market = state.markets[symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.stops.stopsCancelling(state.nowMs)) return "MARKET_CLOSED";
  return allowsCancels(market.statusAt(state.nowMs)) ? market : "MARKET_CLOSED";
}

function find(state: ExchangeState, command: CancelOrder): Order | RejectReason {
  const { accountId, symbolId, orderId, origClientOrderId } = command;
  if (orderId === 0) return state.orders.byClientId(accountId, symbolId, origClientOrderId) ?? "UNKNOWN_ORDER";
  const order = state.orders.get(orderId);
  if (order === undefined || order.accountId !== accountId || order.symbolId !== symbolId) return "UNKNOWN_ORDER";
  if (origClientOrderId !== "" && origClientOrderId !== order.clientOrderId) return "CANCEL_IDS_DISAGREE";
  return order;
}

// Ends open orders that an operator ends, or whose account or symbol may not trade any more. They expire: their owners
// did not cancel them. No status of a symbol and no suspension prevents it.

export function endOrder(state: ExchangeState, { orderId }: EndOrder): RejectReason | null {
  const order = state.orders.get(orderId);
  if (order === undefined) return "UNKNOWN_ORDER";
  expire(state, order);
  return null;
}

/** In one entry, however many they are: between two steps an order of the account could fill. */
export function endAccountOrders(state: ExchangeState, command: EndAccountOrders): RejectReason | null {
  const { accountId, symbol } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const market = symbol === undefined ? undefined : state.marketsBySymbol.get(symbol);
  if (symbol !== undefined && market === undefined) return "UNKNOWN_SYMBOL";
  const ended = expireOrdersOf(state, accountId, market?.symbolId);
  // A repeat, as after an answer that got lost, finds nothing to end and is no error.
  if (ended === 0) state.emit({ type: "done" });
  return null;
}

/** Ends all open orders of an account, on one symbol or on all. Returns how many there were. */
export function expireOrdersOf(state: ExchangeState, accountId: number, symbolId?: number): number {
  const orders = state.orders.of(accountId, symbolId);
  for (const order of orders) expire(state, order);
  return orders.length;
}

/** Only while the symbol does not trade: no order is placed then, so the steps come to an end. */
export function endSymbolOrders(state: ExchangeState, { symbol }: EndSymbolOrders): RejectReason | null {
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (market.statusAt(state.nowMs) === "TRADING") return "SYMBOL_TRADES";
  beginEnding(state, market);
  expireFirst(state, market, MAX_ENDED_A_STEP);
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

/** From now on each tick ends some of the symbol's open orders, until none is left. */
export function beginEnding(state: ExchangeState, market: Market): void {
  market.isEndingOrders = true;
  state.dueMarkets.update(market);
}

/** Ends the next orders of symbols whose orders are ending; over all symbols together no more than one step allows. */
export function continueEndings(state: ExchangeState): void {
  let left = MAX_ENDED_A_STEP;
  for (const market of state.dueMarkets.withEndingOrders()) {
    if (left <= 0) return;
    left -= expireFirst(state, market, left);
    if (!market.isEndingOrders) state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  }
}

/** Ends the first `count` orders of a symbol, or one more, because a list ends at once. Returns how many ended. */
function expireFirst(state: ExchangeState, market: Market, count: number): number {
  const before = market.openOrderCount;
  for (const order of market.firstOpenOrders(count)) {
    if (before - market.openOrderCount >= count) break;
    expire(state, order);
  }
  if (market.openOrderCount === 0) {
    market.isEndingOrders = false;
    state.dueMarkets.update(market);
  }
  return before - market.openOrderCount;
}

/** The list of an order before it may have ended it. */
function expire(state: ExchangeState, order: Order): void {
  if (!isClosed(order.status)) endWithList(state, state.marketOf(order.symbolId), order, "EXPIRED", "");
}
