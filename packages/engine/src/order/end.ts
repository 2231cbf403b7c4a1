/** How an order ends other than by its last fill: what is still locked goes back to free. */
import type { Market } from "../market/market.ts";
import type { ExchangeState } from "../state.ts";
import type { Order } from "./order.ts";

/** The rules of its type end it. It must not be on the book. */
export function expireOrder(state: ExchangeState, market: Market, order: Order): void {
  end(state, market, order, "EXPIRED", "");
}

/** Takes an open order off the book at its owner's wish. */
export function cancelOpenOrder(state: ExchangeState, market: Market, order: Order, cancelClientOrderId: string): void {
  market.book.remove(order);
  state.orders.remove(order);
  end(state, market, order, "CANCELED", cancelClientOrderId);
}

function end(
  state: ExchangeState,
  market: Market,
  order: Order,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
): void {
  const assetId = order.side === "BUY" ? market.quoteAssetId : market.baseAssetId;
  state.ledger.release(order.accountId, assetId, order.locked);
  order.locked = 0n;
  order.status = status;
  order.updateTimeMs = state.nowMs;
  const { executedLots, executedQuote } = order;
  state.emit({ type: "orderEnded", order, status, executedLots, executedQuote, cancelClientOrderId });
}
