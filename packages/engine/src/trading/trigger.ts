/** Triggers a waiting order: it locks the funds that it needs now, and meets the book. Interface S.9, S.10. */
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import { type Order, buysAtAnyPrice, extrasOf } from "../state/order/order.ts";
import { expireSibling, finishList } from "./list-ends.ts";
import { sweep } from "./market-order.ts";
import { meetBook } from "./meet-book.ts";
import { fundsToWait, spentAssetId } from "./order-funds.ts";

/** The last price has reached a waiting order, which has left `market.triggers`: it starts to work. */
export function trigger(state: ExchangeState, market: Market, order: Order): void {
  const list = expireSibling(state, market, order);
  state.orders.remove(order);
  startWork(order, state.nowMs);
  if (list !== undefined) keepOwnFunds(state, market, order);
  if (state.edition >= 2 && buysAtAnyPrice(order)) takeFromFree(state, market, order);
  state.emit({ type: "orderOpened", order: order.record() });
  if (list !== undefined) finishList(state, list);
  meetBook(state, market, order);
}

function startWork(order: Order, nowMs: number): void {
  extrasOf(order).isWorking = true;
  order.change(order.status, nowMs);
}

/** A leg held the funds of the dearer of the two; from here on it keeps only what it would need alone. */
function keepOwnFunds(state: ExchangeState, market: Market, leg: Order): void {
  const extras = extrasOf(leg);
  const surplus = extras.locked - fundsToWait(market, leg);
  state.ledger.release(leg.accountId, spentAssetId(market, leg.side), surplus);
  extras.locked -= surplus;
}

/**
 * The book may be dearer than the stop price: free money pays the difference as far as it goes. An account that may not
 * trade any more has only what the order locked before.
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
