/** The ways in which the model's orders end, other than by being filled. */
import type { Ended } from "./happening.ts";
import { type ModelMarket, type ModelOrder, paidAsset } from "./market.ts";
import type { ModelState } from "./state.ts";

/** Ends an order: takes it off the book and frees what it had locked. */
export function ended(
  exchange: ModelState,
  market: ModelMarket,
  order: ModelOrder,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
): Ended {
  exchange.money.lock(order.accountId, paidAsset(market, order.side), -order.locked);
  order.locked = 0n;
  if (order.place === "book") market.touched = true;
  order.place = "over";
  market.orders = market.orders.filter((other) => other !== order);
  const { orderId, clientOrderId, executed, executedQuote } = order;
  return { kind: "ended", status, orderId, clientOrderId, executed, executedQuote, cancelClientOrderId };
}
