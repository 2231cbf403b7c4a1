/**
 * Ends open orders that an operator ends, or whose account or symbol may not trade any more. They expire: their owners
 * did not cancel them. No status of a symbol and no suspension prevents it.
 */
import type { EndAccountOrders, EndOrder, EndSymbolOrders } from "../entry/command.ts";
import { isClosed } from "../entry/order-words.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_ENDED_A_STEP } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";
import { endWithList } from "./list-ends.ts";

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
