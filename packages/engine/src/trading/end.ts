/** Ends an order other than by its last fill: money that is still locked becomes free. */
import type { Market } from "../state/market/market.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { lockedBy, spentAssetId } from "./order-funds.ts";
import type { Order } from "../state/order/order.ts";

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
