/** The invariants that hold between any two commands: orders, books, balances, the wallet, and nodes. */
import { assert, present } from "./assert.ts";
import { addWithdrawals, checkFunds } from "./funds/invariants.ts";
import { knownHolder } from "./access/holders.ts";
import { checkNodes } from "./nodes/invariants.ts";
import { FIRST_CUSTOMER_ACCOUNT } from "./state/ledger/posting.ts";
import type { Market, MarketAsset } from "./state/market/market.ts";
import { fundsToWait, lockedBy, spentAssetId, stillNeeded } from "./trading/order-funds.ts";
import { SIDES, isClosed } from "./entry/order-words.ts";
import type { Order } from "./state/order/order.ts";
import { isTriggered } from "./state/book/triggers.ts";
import type { ExchangeState } from "./state/exchange-state.ts";

// The exchange as a whole.

export function checkInvariants(state: ExchangeState): void {
  checkDerived(state);
  for (const asset of state.assets) {
    assert(state.ledger.sum(asset.assetId) === 0n, `${asset.spec.asset} does not sum to zero`);
  }
  assert(state.triggered.length === 0, "no triggered order is left over");
  const lockedByOrders = new Map<string, bigint>();
  let open = 0;
  for (const market of state.markets) {
    open += checkBook(state, market, lockedByOrders) + checkWaiting(state, market, lockedByOrders);
  }
  assert(open === state.orders.size, "every open order either works or waits");
  checkLists(state);
  addWithdrawals(state, lockedByOrders);
  checkBalances(state, lockedByOrders);
  checkFunds(state);
  checkNodes(state.nodes);
}

/** Indices, counts and sums say what the state says. A snapshot has none of them, so the state's hash sees no fault. */
function checkDerived(state: ExchangeState): void {
  state.checkIndexes();
  const { accounts, funds } = state;
  const isAccount = (accountId: number): boolean => accounts.get(accountId) !== undefined;
  accounts.check();
  state.apiKeys.check(isAccount);
  state.listenKeys.check();
  state.placedCounts.check();
  state.orders.check();
  state.orderLists.check(isAccount);
  checkVenue(state);
  for (const indexed of [funds.addresses, funds.deposits, funds.withdrawals, funds.withdrawalCounts, funds.allowed]) {
    indexed.check();
  }
  for (const market of state.markets) {
    const [base, quote] = [market.spec.baseAsset, market.spec.quoteAsset].map((name) => {
      const { assetId, spec } = present(state.assetsByName.get(name), "a market's assets are listed");
      return { assetId, precision: spec.precision };
    }) as [MarketAsset, MarketAsset];
    market.check(base, quote, state.seq);
  }
}

function checkVenue(state: ExchangeState): void {
  const isHolder = (holder: string): boolean => knownHolder(state, holder) !== undefined;
  state.operators.check();
  state.sessions.check(isHolder);
  state.invitations.check();
  state.recoveries.check(isHolder);
  state.notices.check();
  state.stops.check();
  state.proposals.check();
  state.unknownDeposits.check();
  assert(state.approvedId === null, "an approval is over with its command");
}

function checkBook(state: ExchangeState, market: Market, lockedByOrders: Map<string, bigint>): number {
  const bid = market.book.bestTicks("BUY");
  const ask = market.book.bestTicks("SELL");
  assert(bid === 0 || ask === 0 || bid < ask, `${market.spec.symbol} is crossed`);
  let resting = 0;
  for (const side of SIDES) {
    for (const order of market.book.orders(side)) {
      resting++;
      assert(order.isWorking && order.side === side, "an order on the book works");
      const left = order.leftLots;
      assert(left > 0 && order.visibleLots > 0 && order.visibleLots <= left, "a resting order has something left");
      const shown = order.icebergLots === 0 ? left : Math.min(order.icebergLots, left);
      assert(order.visibleLots <= shown, "an iceberg shows no more than its slice");
      checkOpenOrder(state, market, order, lockedByOrders);
    }
  }
  assert(resting === market.book.size, "a book counts its orders");
  return resting;
}

function checkWaiting(state: ExchangeState, market: Market, lockedByOrders: Map<string, bigint>): number {
  let waiting = 0;
  for (const order of market.triggers.orders()) {
    waiting++;
    assert(!order.isWorking && order.executedLots === 0, "a waiting order does not work");
    assert(
      !isTriggered(order.type, order.side, order.stopTicks, market.lastTradeTicks),
      "an order whose stop price was reached does not wait",
    );
    checkOpenOrder(state, market, order, lockedByOrders);
  }
  assert(waiting === market.triggers.size, "waiting orders are counted");
  return waiting;
}

function checkOpenOrder(state: ExchangeState, market: Market, order: Order, lockedByOrders: Map<string, bigint>): void {
  assert(state.orders.get(order.orderId) === order && !isClosed(order.status), "an order that works or waits is open");
  assert(order.icebergLots > 0 || (order.extras?.sliceLots ?? 0) === 0, "only an iceberg has slices");
  assert(lockedBy(market, order) === neededBy(state, market, order), "an order locks what it can still spend");
  const holder = `${order.accountId}:${spentAssetId(market, order.side)}`;
  lockedByOrders.set(holder, (lockedByOrders.get(holder) ?? 0n) + lockedBy(market, order));
}

/** The stop leg of an executing list holds the larger need of the two, its other leg nothing. */
function neededBy(state: ExchangeState, market: Market, order: Order): bigint {
  const list = state.orderLists.ofLeg(order);
  if (list === undefined) return order.isWorking ? stillNeeded(market, order) : fundsToWait(market, order);
  if (order === list.limitLeg) return 0n;
  const [stop, limit] = [fundsToWait(market, list.stopLeg), fundsToWait(market, list.limitLeg)];
  return stop > limit ? stop : limit;
}

/** A list is over exactly when one of its orders is, or has traded. */
function checkLists(state: ExchangeState): void {
  for (const list of state.orderLists.all()) {
    for (const leg of [list.stopLeg, list.limitLeg]) {
      assert(state.orders.get(leg.orderId) === leg && leg.status === "NEW", "both legs of a list are untouched");
      assert(leg.orderListId === list.record.orderListId, "a leg knows its list");
    }
  }
}

function checkBalances(state: ExchangeState, lockedBy: ReadonlyMap<string, bigint>): void {
  for (const account of state.accounts.all()) {
    assert(account.accountId >= FIRST_CUSTOMER_ACCOUNT, "customers' accounts start above the venue's");
    for (const asset of state.assets) {
      const { free, locked } = state.ledger.balance(account.accountId, asset.assetId);
      assert(free >= 0n && locked >= 0n, "no customer's balance is below zero");
      const explained = lockedBy.get(`${account.accountId}:${asset.assetId}`) ?? 0n;
      assert(locked === explained, "open orders and withdrawals account for all locked money");
    }
  }
}
