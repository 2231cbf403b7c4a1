/** An order meets the book: it trades, and the remainder rests or expires. Interface 3.1. */
import { hasPrice, isClosed, opposite } from "../entry/order-words.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";
import { overflowsLevel } from "./check.ts";
import { expireOrder } from "./end.ts";
import { matchOrder } from "./match.ts";

/** Matches an order, and rests or ends the remainder. */
export function meetBook(state: ExchangeState, market: Market, order: Order): void {
  if (order.timeInForce !== "FOK" || isFillable(market, order)) matchOrder(state, market, order);
  if (isClosed(order.status)) return;
  const rests = hasPrice(order.type) && order.timeInForce === "GTC" && !overflowsLevel(market, order);
  if (rests) restOrder(state, market, order);
  else expireOrder(state, market, order);
}

/** Adds an order to the book and to the open orders. */
export function restOrder(state: ExchangeState, market: Market, order: Order): void {
  order.show(Math.min(order.icebergLots, order.leftLots));
  market.book.add(order);
  market.touchBook(state.seq);
  state.orders.add(order);
}

/** Whether a FOK order would be filled at once. */
function isFillable(market: Market, order: Order): boolean {
  const { side, priceTicks } = order;
  const accepts = (ticks: number): boolean => (side === "BUY" ? ticks <= priceTicks : ticks >= priceTicks);
  let left = order.leftLots;
  for (const stretch of market.book.stretches(opposite(side))) {
    if (accepts(stretch.worstTicks)) left -= Math.min(left, stretch.totals(market.quoteScale).lots);
    else {
      for (const level of stretch.levels()) {
        if (!accepts(level.priceTicks)) return false;
        left -= Math.min(left, level.visibleLots + level.hiddenLots);
        if (left === 0) return true;
      }
    }
    if (left === 0) return true;
  }
  return false;
}
