/** Cancelling orders and order lists. Interface 3.4 and 3.5. */
import type { CancelOpenOrders, CancelOrder, CancelOrderList } from "../entry/command.ts";
import type { Market } from "../state/market/market.ts";
import type { SymbolStatus } from "../entry/symbol.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { endList, endWithList } from "./list-ends.ts";
import { isClosed } from "../entry/order-words.ts";
import type { Order } from "../state/order/order.ts";

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
