/** What the rules say of an open order at another price, before it is moved there. */
import { remainderOf } from "../account/moving.ts";
import type { OrderRow } from "../account/port.ts";
import { checkOrder } from "../rules/check-order.ts";
import type { Circumstances, Problem } from "../rules/problem.ts";
import type { Desk } from "./desk.ts";
import { circumstancesOf } from "./form-check.ts";

export type PricePart = "price" | "stopPrice";

/** Null: the order's market is not known. */
export function aroundOrder(desk: Desk, { symbol }: OrderRow): Circumstances | null {
  const market = desk.feed.markets.value.get(symbol);
  if (market === undefined) return null;
  const around = circumstancesOf(desk, market, desk.feed.book.peek());
  // The average is that of the market that is looked at; of others the node alone knows what depends on it.
  const isLookedAt = symbol === desk.feed.market.value?.symbol;
  return isLookedAt ? around : { ...around, averagePrice: null, lastPrice: null };
}

/** What the order holds is free again when it is moved, and it counts as no second one. */
export function checkMove(order: OrderRow, part: PricePart, to: string, around: Circumstances): readonly Problem[] {
  const { symbol, orderId } = order;
  const openOrders = around.openOrders.filter((one) => one.symbol !== symbol || one.orderId !== orderId);
  const draft = { ...remainderOf(order), [part]: to };
  return checkOrder(draft, { ...around, openOrders, free: null });
}
