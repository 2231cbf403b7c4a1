/** How an order list ends: one leg starts to execute and the other expires. Interface 3.5. */
import type { Market } from "../state/market/market.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { endOpenOrder } from "./end.ts";
import type { OrderList } from "../state/order/order-lists.ts";
import { type Order, extrasOf } from "../state/order/order.ts";

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
export function endList(
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
export function endWithList(
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
