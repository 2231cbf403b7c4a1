/**
 * An order that has its funds meets the book; then run those that its trades have set off, each to
 * its end, with what it sets off itself, before the next. Interface S.9.
 */
import { isClosed } from "../entry/order-words.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";
import { meetBook } from "./meet-book.ts";
import { trigger } from "./trigger.ts";

/** Runs a new order, then everything that follows from it. */
export function executeOrder(state: ExchangeState, market: Market, order: Order): void {
  meetBook(state, market, order);
  // A stack of its own, for a chain of stops may be long.
  const waiting: Order[] = [];
  moveTriggered(state, waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // The other leg of its list may have ended it meanwhile.
    if (isClosed(next.status)) continue;
    trigger(state, market, next);
    moveTriggered(state, waiting);
  }
}

/** Onto the stack last first, so that the first is popped first. */
function moveTriggered(state: ExchangeState, waiting: Order[]): void {
  for (let order = state.triggered.pop(); order !== undefined; order = state.triggered.pop()) waiting.push(order);
}
