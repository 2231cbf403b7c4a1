/**
 * Orders that end without being filled: cancelled by the customer, expired by an operator or a rule, or ended with
 * their order list.
 */
import { namedOrderId } from "../entry/order-id.ts";
import type { Market } from "../state/market/market.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { lockedBy, spentAssetId } from "./order-funds.ts";
import { extrasOf, type Order } from "../state/order/order.ts";
import {
  isPending,
  type OrderList,
  openOrdersOf,
  type PairList,
  type PendingList,
} from "../state/order/order-lists.ts";
import type { Command, CancelOpenOrders, CancelOrder, CancelOrderList } from "../entry/command.ts";
import type { SymbolStatus } from "../entry/symbol.ts";
import type { RejectReason } from "../entry/reject.ts";
import { type ExpiryReason, isClosed } from "../entry/order-record.ts";
import { MAX_ENDED_A_STEP } from "../limits.ts";

/** How an order ends. */
export interface Ending {
  readonly status: "CANCELED" | "EXPIRED";
  /** The client id of the cancel; "" if the order expires. */
  readonly cancelClientOrderId: string;
  /** NONE if the order is canceled. */
  readonly expiryReason: ExpiryReason;
}

function canceledBy(cancelClientOrderId: string): Ending {
  return { status: "CANCELED", cancelClientOrderId, expiryReason: "NONE" };
}

export function expiredFor(expiryReason: ExpiryReason): Ending {
  return { status: "EXPIRED", cancelClientOrderId: "", expiryReason };
}

const ENDED_BY_OPERATOR = expiredFor("EXCHANGE_CANCELED");
export const OTHER_LEG_WORKS = expiredFor("OCO_TRIGGER");
const WORKING_ORDER_EXPIRED = expiredFor("OTO_PHASE_ONE_EXPIRED");

/** Expires an order by the rules of its type. The order must be neither on the book nor waiting. */
export function expireOrder(state: ExchangeState, market: Market, order: Order, reason: ExpiryReason): void {
  end(state, market, order, expiredFor(reason));
  if (order.extras !== null) endStartedBy(state, market, order);
}

/** Ends an open order, on the book or waiting. */
export function endOpenOrder(state: ExchangeState, market: Market, order: Order, ending: Ending): void {
  if (order.isWorking) {
    market.book.remove(order);
    market.touchBook(state.seq);
  } else if (order.level !== null) {
    // An order that was just triggered no longer waits, and a pending order of a list does not wait for a price yet.
    market.triggers.remove(order);
  }
  state.orders.remove(order);
  end(state, market, order, ending);
}

function end(state: ExchangeState, market: Market, order: Order, ending: Ending): void {
  const { status, cancelClientOrderId, expiryReason } = ending;
  state.ledger.release(order.accountId, spentAssetId(market, order.side), lockedBy(market, order));
  if (order.extras !== null) order.extras.locked = 0n;
  order.change(status, state.nowMs);
  if (state.edition >= 5 && expiryReason !== "NONE") order.terms = market.termsOfExpired(order, expiryReason);
  state.emit({ type: "orderEnded", order: order.record(), status, cancelClientOrderId });
}

// How an order list ends: one leg starts to execute, and the other expires. Interface 3.5.

function otherLeg(list: PairList, leg: Order): Order {
  return leg === list.stopLeg ? list.limitLeg : list.stopLeg;
}

/**
 * Moves the funds of a pair to the leg that is about to spend them. Returns undefined if the order is in no executing
 * pair.
 */
export function claimFunds(state: ExchangeState, leg: Order): PairList | undefined {
  const list = state.orderLists.pairOf(leg);
  if (list === undefined || leg === list.stopLeg) return list;
  const holder = extrasOf(list.stopLeg);
  extrasOf(leg).locked = holder.locked;
  holder.locked = 0n;
  return list;
}

/** Like `claimFunds`, and then ends the other leg. The caller ends the list. */
export function expireSibling(state: ExchangeState, market: Market, leg: Order): PairList | undefined {
  const list = claimFunds(state, leg);
  if (list !== undefined) endOpenOrder(state, market, otherLeg(list, leg), OTHER_LEG_WORKS);
  return list;
}

export function finishList(state: ExchangeState, list: OrderList): void {
  state.orderLists.remove(list);
  state.emit({ type: "orderListChanged", list: list.record, listOrderStatus: "ALL_DONE" });
}

/** Ends the open orders of a list, in the order of its record. */
function endList(state: ExchangeState, market: Market, list: OrderList, ending: Ending): void {
  if (isPending(list)) {
    endOpenOrder(state, market, list.working, ending);
    endPending(state, market, list, ending.status === "EXPIRED" ? WORKING_ORDER_EXPIRED : ending);
    return;
  }
  for (const order of openOrdersOf(list)) endOpenOrder(state, market, order, ending);
  finishList(state, list);
}

/** Ends the list of a working order that has ended without being filled. Does nothing for other orders. */
export function endStartedBy(state: ExchangeState, market: Market, order: Order): void {
  const list = state.orderLists.startedBy(order);
  if (list !== undefined) endPending(state, market, list, WORKING_ORDER_EXPIRED);
}

function endPending(state: ExchangeState, market: Market, list: PendingList, ending: Ending): void {
  releaseHeld(state, market, list);
  for (const order of list.pending) endOpenOrder(state, market, order, ending);
  finishList(state, list);
}

/** Frees what the working order of the list has bought. */
export function releaseHeld(state: ExchangeState, market: Market, list: PendingList): void {
  state.ledger.release(list.record.accountId, market.baseAssetId, list.held);
  list.held = 0n;
}

/** Ends an open order, together with its list if it is in one. */
export function endWithList(state: ExchangeState, market: Market, order: Order, ending: Ending): void {
  const list = state.orderLists.ofLeg(order);
  if (list === undefined) endOpenOrder(state, market, order, ending);
  else endList(state, market, list, ending);
}

// Cancelling orders and order lists. Interface 3.4 and 3.5.

/** A trading halt blocks new orders but not cancels. Before and after the session, both are blocked. Interface 3.4. */
function allowsCancels(status: SymbolStatus): boolean {
  return status === "TRADING" || status === "HALT" || status === "BREAK" || status === "CANCEL_ONLY";
}

/** Cancelling one order of a list cancels the list. */
export function cancelOrder(state: ExchangeState, command: CancelOrder): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const order = findOpenOrder(state, command);
  if (typeof order === "string") return order;
  const { onlyIn = "ANY" } = command;
  if (onlyIn !== "ANY" && order.status !== onlyIn) return "CANCEL_RESTRICTED";
  endWithList(state, market, order, canceledBy(command.newClientOrderId));
  return null;
}

export function cancelOpenOrders(state: ExchangeState, command: CancelOpenOrders): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const orders = state.orders.of(command.accountId, command.symbolId);
  if (orders.length === 0) return "UNKNOWN_ORDER";
  for (const order of orders) {
    if (!isClosed(order.status)) endWithList(state, market, order, canceledBy(command.newClientOrderId));
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
  endList(state, market, list, canceledBy(command.newClientOrderId));
  return null;
}

export function marketForCancel(state: ExchangeState, symbolId: number): Market | RejectReason {
  const market = state.markets[symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.stops.stopsCancelling(state.nowMs)) return "MARKET_CLOSED";
  return allowsCancels(market.statusAt(state.nowMs)) ? market : "MARKET_CLOSED";
}

export function findOpenOrder(
  state: ExchangeState,
  command: Pick<CancelOrder, "accountId" | "symbolId" | "orderId" | "origClientOrderId">,
): Order | RejectReason {
  const { accountId, symbolId, orderId, origClientOrderId } = command;
  if (orderId === 0) return state.orders.byClientId(accountId, symbolId, origClientOrderId) ?? "UNKNOWN_ORDER";
  const order = state.orders.get(orderId);
  if (order === undefined || order.accountId !== accountId || order.symbolId !== symbolId) return "UNKNOWN_ORDER";
  if (origClientOrderId !== "" && origClientOrderId !== order.clientOrderId) return "CANCEL_IDS_DISAGREE";
  return order;
}

// Open orders that end because an operator ends them, or because their account or symbol may no longer trade. They
// expire, because their owners did not cancel them, regardless of the symbol's status and of suspensions.

export function endOrder(state: ExchangeState, { orderId, symbol }: Command<"endOrder">): RejectReason | null {
  if ((symbol !== undefined) !== (state.orderIds === "symbol")) return "INVALID_VALUE";
  const market = symbol === undefined ? undefined : state.marketsBySymbol.get(symbol);
  if (symbol !== undefined && market === undefined) return "UNKNOWN_SYMBOL";
  const order = state.orders.get(namedOrderId(state.orderIds, market?.symbolId ?? 0, orderId));
  if (order === undefined) return "UNKNOWN_ORDER";
  expire(state, order);
  return null;
}

/**
 * Ends all orders in one entry, regardless of their number, because between two steps an order of the account could be
 * filled.
 */
export function endAccountOrders(state: ExchangeState, command: Command<"endAccountOrders">): RejectReason | null {
  const { accountId, symbol } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const market = symbol === undefined ? undefined : state.marketsBySymbol.get(symbol);
  if (symbol !== undefined && market === undefined) return "UNKNOWN_SYMBOL";
  const ended = expireOrdersOf(state, accountId, market?.symbolId);
  // A repeated command, for example after a lost answer, finds nothing to end and is not an error.
  if (ended === 0) state.emit({ type: "done" });
  return null;
}

/** Ends all open orders of an account, on one symbol or on all. Returns their number. */
export function expireOrdersOf(state: ExchangeState, accountId: number, symbolId?: number): number {
  const orders = state.orders.of(accountId, symbolId);
  for (const order of orders) expire(state, order);
  return orders.length;
}

/** Allowed only if the symbol is not trading, so that no new orders are placed and the steps come to an end. */
export function endSymbolOrders(state: ExchangeState, { symbol }: Command<"endSymbolOrders">): RejectReason | null {
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (market.statusAt(state.nowMs) === "TRADING") return "SYMBOL_TRADES";
  beginEnding(state, market);
  expireFirst(state, market, MAX_ENDED_A_STEP);
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

/** From now on, each tick ends some of the symbol's open orders until none is left. */
export function beginEnding(state: ExchangeState, market: Market): void {
  market.isEndingOrders = true;
  state.dueMarkets.update(market);
}

/** Ends the next orders of all symbols whose orders are being ended, at most MAX_ENDED_A_STEP orders together. */
export function continueEndings(state: ExchangeState): void {
  let left = MAX_ENDED_A_STEP;
  for (const market of state.dueMarkets.withEndingOrders()) {
    if (left <= 0) return;
    left -= expireFirst(state, market, left);
    if (!market.isEndingOrders) state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  }
}

/**
 * Ends the first `count` orders of a symbol, or at most two more, because the orders of a list end together. Pending
 * orders end with the working order of their list. Returns the number of ended orders.
 */
function expireFirst(state: ExchangeState, market: Market, count: number): number {
  const before = state.orders.size;
  for (const order of market.firstOpenOrders(count)) {
    if (before - state.orders.size >= count) break;
    expire(state, order);
  }
  if (market.openOrderCount === 0) {
    market.isEndingOrders = false;
    state.dueMarkets.update(market);
  }
  return before - state.orders.size;
}

/** Does nothing if the order has already ended together with its list. */
function expire(state: ExchangeState, order: Order): void {
  if (!isClosed(order.status)) endWithList(state, state.marketOf(order.symbolId), order, ENDED_BY_OPERATOR);
}
