/** Cancelling orders. FACTS 2.4. */
import type { CancelOpenOrders, CancelOrder } from "../command.ts";
import type { Market } from "../market/market.ts";
import type { SymbolStatus } from "../market/symbol.ts";
import type { RejectReason } from "../reject.ts";
import type { ExchangeState } from "../state.ts";
import { cancelOpenOrder } from "./end.ts";
import type { Order } from "./order.ts";

/** A trading ban stops new orders, not cancels (interface 4.2); before and after the session both stop (7.5). */
const CANCELS_ALLOWED: ReadonlySet<SymbolStatus> = new Set(["TRADING", "HALT", "BREAK"]);

export function cancelOrder(state: ExchangeState, command: CancelOrder): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const order = find(state, command);
  if (typeof order === "string") return order;
  cancelOpenOrder(state, market, order, command.newClientOrderId);
  market.bookUpdateId++;
  return null;
}

export function cancelOpenOrders(state: ExchangeState, command: CancelOpenOrders): RejectReason | null {
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const orders = state.orders.of(command.accountId, command.symbolId);
  if (orders.length === 0) return "UNKNOWN_ORDER";
  for (const order of orders) cancelOpenOrder(state, market, order, command.newClientOrderId);
  market.bookUpdateId++;
  return null;
}

function marketForCancel(state: ExchangeState, symbolId: number): Market | RejectReason {
  const market = state.markets[symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  return CANCELS_ALLOWED.has(market.spec.status) ? market : "MARKET_CLOSED";
}

function find(state: ExchangeState, command: CancelOrder): Order | RejectReason {
  const { accountId, symbolId, orderId, origClientOrderId } = command;
  if (orderId === 0) return state.orders.byClientId(accountId, symbolId, origClientOrderId) ?? "UNKNOWN_ORDER";
  const order = state.orders.get(orderId);
  if (order === undefined || order.accountId !== accountId || order.symbolId !== symbolId) return "UNKNOWN_ORDER";
  if (origClientOrderId !== "" && origClientOrderId !== order.clientOrderId) return "CANCEL_IDS_DISAGREE";
  return order;
}
