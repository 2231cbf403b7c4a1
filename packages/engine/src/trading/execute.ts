/**
 * An order with its funds locked meets the book; then the orders that its trades triggered run, each to its end and
 * with those that it triggers itself, before the next. Interface S.9.
 */
import { isClosed } from "../entry/order-words.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";
import { meetBook } from "./meet-book.ts";
import { trigger } from "./trigger.ts";

/** Runs a new order, then everything that it triggers. */
export function executeOrder(state: ExchangeState, market: Market, order: Order): void {
  meetBook(state, market, order);
  if (state.triggered.length === 0) return;
  // An explicit stack, because a chain of stops may be long.
  const waiting: Order[] = [];
  moveTriggered(state, waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // The other leg of its list may have ended it in between.
    if (isClosed(next.status)) continue;
    trigger(state, market, next);
    moveTriggered(state, waiting);
  }
}

/** Pushes the last first, so that the first is popped first. */
function moveTriggered(state: ExchangeState, waiting: Order[]): void {
  for (let order = state.triggered.pop(); order !== undefined; order = state.triggered.pop()) waiting.push(order);
}
