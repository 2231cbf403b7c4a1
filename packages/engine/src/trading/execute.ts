/**
 * An order that has its funds meets the book; then run those that its trades have set off, each to
 * its end, with what it sets off itself, before the next. Interface S.9.
 */
import { matchOrder } from "./match.ts";
import type { Market } from "../state/market/market.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { overflowsLevel } from "./check.ts";
import { expireOrder } from "./end.ts";
import { fundsToWait, spentAssetId } from "./order-funds.ts";
import { expireSibling, finishList } from "./list-ends.ts";
import { sweep } from "./market-order.ts";
import { hasPrice, isClosed, opposite } from "../entry/order-words.ts";
import { type Order, buysAtAnyPrice, extrasOf } from "../state/order/order.ts";

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

/** Matches an order, and rests or ends what is left of it. */
function meetBook(state: ExchangeState, market: Market, order: Order): void {
  if (order.timeInForce !== "FOK" || isFillable(market, order)) matchOrder(state, market, order);
  if (isClosed(order.status)) return;
  const rests = hasPrice(order.type) && order.timeInForce === "GTC" && !overflowsLevel(market, order);
  if (rests) restOrder(state, market, order);
  else expireOrder(state, market, order);
}

/** Puts an order on the book, and among the open ones. */
export function restOrder(state: ExchangeState, market: Market, order: Order): void {
  order.show(Math.min(order.icebergLots, order.leftLots));
  market.book.add(order);
  market.touchBook(state.seq);
  state.orders.add(order);
}

/** The last price has reached a waiting order, which has left `market.triggers`: it starts to work. */
function trigger(state: ExchangeState, market: Market, order: Order): void {
  const list = expireSibling(state, market, order);
  state.orders.remove(order);
  startWork(order, state.nowMs);
  if (list !== undefined) keepOwnFunds(state, market, order);
  if (state.edition >= 2 && buysAtAnyPrice(order)) takeFromFree(state, market, order);
  state.emit({ type: "orderOpened", order, isWorking: true });
  if (list !== undefined) finishList(state, list);
  meetBook(state, market, order);
}

function startWork(order: Order, nowMs: number): void {
  extrasOf(order).isWorking = true;
  order.change(order.status, nowMs);
}

/** A leg held what the dearer of the two needs; from here on it has what it would have alone. */
function keepOwnFunds(state: ExchangeState, market: Market, leg: Order): void {
  const extras = extrasOf(leg);
  const surplus = extras.locked - fundsToWait(market, leg);
  state.ledger.release(leg.accountId, spentAssetId(market, leg.side), surplus);
  extras.locked -= surplus;
}

/**
 * The book may be dearer than the stop price: what the walk costs beyond it is paid too, as far as free money goes.
 * Who may not trade any more has what the order locked when he might, and no more.
 */
function takeFromFree(state: ExchangeState, market: Market, order: Order): void {
  const account = state.accounts.get(order.accountId);
  if (!account?.canTrade || !account.isEnabled) return;
  const extras = extrasOf(order);
  const missing = sweep(market, order.side, order.quantityLots).quote - extras.locked;
  if (missing <= 0n) return;
  const assetId = spentAssetId(market, order.side);
  const { free } = state.ledger.balance(order.accountId, assetId);
  const taken = missing < free ? missing : free;
  state.ledger.lock(order.accountId, assetId, taken);
  extras.locked += taken;
}

/** Onto the stack last first, so that the first is popped first. */
function moveTriggered(state: ExchangeState, waiting: Order[]): void {
  for (let order = state.triggered.pop(); order !== undefined; order = state.triggered.pop()) waiting.push(order);
}

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
