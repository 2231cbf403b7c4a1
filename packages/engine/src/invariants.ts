/** What must hold between any two commands, whatever they were. */
import { assert } from "./assert.ts";
import { FIRST_CUSTOMER_ACCOUNT } from "./ledger/posting.ts";
import type { Market } from "./market/market.ts";
import { quoteToLock } from "./market/quote-scale.ts";
import { type Order, SIDES, isClosed } from "./order/order.ts";
import type { ExchangeState } from "./state.ts";

export function checkInvariants(state: ExchangeState): void {
  for (const asset of state.assets) {
    assert(state.ledger.sum(asset.assetId) === 0n, `${asset.spec.asset} does not sum to zero`);
  }
  const lockedByOrders = new Map<string, bigint>();
  let resting = 0;
  for (const market of state.markets) resting += checkBook(state, market, lockedByOrders);
  assert(resting === state.orders.size, "every open order is on a book");
  checkBalances(state, lockedByOrders);
}

function checkBook(state: ExchangeState, market: Market, lockedByOrders: Map<string, bigint>): number {
  const bid = market.book.bestTicks("BUY");
  const ask = market.book.bestTicks("SELL");
  assert(bid === 0 || ask === 0 || bid < ask, `${market.spec.symbol} is crossed`);
  let resting = 0;
  for (const side of SIDES) {
    for (const order of market.book.orders(side)) {
      resting++;
      checkOrder(state, market, order);
      const assetId = side === "BUY" ? market.quoteAssetId : market.baseAssetId;
      const holder = `${order.accountId}:${assetId}`;
      lockedByOrders.set(holder, (lockedByOrders.get(holder) ?? 0n) + order.locked);
    }
  }
  assert(resting === market.book.size, "a book counts its orders");
  return resting;
}

function checkOrder(state: ExchangeState, market: Market, order: Order): void {
  assert(state.orders.get(order.orderId) === order, "an order on a book is open");
  assert(!isClosed(order.status) && order.isWorking, "an order on a book is working");
  const left = order.quantityLots - order.executedLots;
  assert(left > 0 && order.visibleLots > 0 && order.visibleLots <= left, "a resting order has something left");
  const needed = order.side === "BUY" ? quoteToLock(market.quoteScale, order.priceTicks, left) : market.baseOf(left);
  assert(order.locked === needed, "an order locks what it can still spend");
}

function checkBalances(state: ExchangeState, lockedByOrders: ReadonlyMap<string, bigint>): void {
  for (const account of state.accounts.all()) {
    assert(account.accountId >= FIRST_CUSTOMER_ACCOUNT, "customers' accounts start above the venue's");
    for (const asset of state.assets) {
      const { free, locked } = state.ledger.balance(account.accountId, asset.assetId);
      assert(free >= 0n && locked >= 0n, "no customer's balance is below zero");
      const byOrders = lockedByOrders.get(`${account.accountId}:${asset.assetId}`) ?? 0n;
      assert(locked === byOrders, "what is locked is locked by open orders");
    }
  }
}
