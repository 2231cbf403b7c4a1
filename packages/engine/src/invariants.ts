/** The invariants that hold between any two commands: orders, books, balances, the wallet, and nodes. */
import { INTERFACE_RULES } from "./entry/edition.ts";
import { assert, present } from "./assert.ts";
import { isLater } from "./entry/fields.ts";
import { DEPOSITS_ACCOUNT, FIRST_CUSTOMER_ACCOUNT, OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "./state/ledger.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import { sharePaid } from "./state/funds/deposits.ts";
import { OPEN_WITHDRAWAL_STATUSES, type WithdrawalRecord } from "./entry/wallet-record.ts";
import { masterIdOf, withdrawn } from "./funds/withdrawal-checks.ts";
import { MAX_NODES, MAX_ROLES } from "./limits.ts";
import type { Nodes } from "./state/venue.ts";
import { knownHolder } from "./access/holders.ts";
import type { Market, MarketAsset } from "./state/market/market.ts";
import { fundsToWait, lockedBy, spentAssetId, stillNeeded } from "./trading/order-funds.ts";
import { isClosed, ORDER_FIELDS, type OrderRecord, priceInEffect, SIDES } from "./entry/order-record.ts";
import { composedOrderId, ORDER_ID_SCOPES } from "./entry/order-id.ts";
import { isPending, openOrdersOf, type PendingList } from "./state/order/order-lists.ts";
import { extrasOf, type Order } from "./state/order/order.ts";
import { isTriggered } from "./state/book/triggers.ts";

// The wallet.

/** Adds the amounts that open withdrawals lock, by account and asset. */
function addWithdrawals(state: ExchangeState, locked: Map<string, bigint>): void {
  for (const { accountId, assetId, amount } of state.funds.withdrawals.all()) {
    const holder = `${accountId}:${assetId}`;
    locked.set(holder, (locked.get(holder) ?? 0n) + amount);
  }
}

function checkFunds(state: ExchangeState): void {
  checkVenueAccounts(state);
  checkDeposits(state);
  checkWithdrawals(state);
  for (const address of state.funds.addresses.all()) {
    const { accountId, network } = address;
    assert(state.funds.addresses.get(accountId, network) === address, "an account has one address on a network");
  }
  for (const account of state.accounts.all()) {
    if (account.masterId === null) continue;
    assert(state.accounts.get(account.masterId)?.masterId === null, "a sub-account's master is nobody's sub-account");
    assert(state.accounts.subsOf(account.masterId).includes(account.accountId), "a master knows its sub-accounts");
  }
}

function checkVenueAccounts(state: ExchangeState): void {
  for (const { assetId, spec } of state.assets) {
    for (let accountId = 0; accountId < FIRST_CUSTOMER_ACCOUNT; accountId++) {
      const { free, locked } = state.ledger.balance(accountId, assetId);
      assert(locked === 0n, "the venue locks nothing of its own");
      const mayOwe = accountId === OUTSIDE_ACCOUNT || accountId === TREASURY_ACCOUNT;
      assert(free >= 0n || mayOwe, `account ${accountId} owes ${spec.asset}`);
    }
  }
}

/** Pending deposits must equal the balance of a separate account. Credited deposits that are not final must be held. */
function checkDeposits(state: ExchangeState): void {
  const { deposits } = state.funds;
  const pending = new Map<number, bigint>();
  const held = new Map<string, bigint>();
  let open = 0;
  for (const deposit of deposits.all()) {
    const { status, accountId, assetId, amount, owed } = deposit;
    open++;
    assert(owed >= 0n && owed <= amount, "the treasury is owed at most the whole deposit");
    assert(!deposits.isDropped(deposit), "an open deposit is not dropped");
    assert(status === "pending" || status === "credited", "an open deposit is not over");
    assert(amount > 0n, "a deposit brings something");
    if (status === "pending") {
      pending.set(assetId, (pending.get(assetId) ?? 0n) + amount);
    } else {
      const holder = `${accountId}:${assetId}`;
      held.set(holder, (held.get(holder) ?? 0n) + sharePaid(deposit));
    }
  }
  assert(open === deposits.size, "open deposits are counted");
  for (const { assetId } of state.assets) {
    const { free } = state.ledger.balance(DEPOSITS_ACCOUNT, assetId);
    assert(free === (pending.get(assetId) ?? 0n), "the deposits account holds the pending deposits");
    for (const { accountId } of state.accounts.all()) {
      const sum = held.get(`${accountId}:${assetId}`) ?? 0n;
      assert(deposits.heldOf(accountId, assetId) === sum, "credited deposits are held until they are final");
    }
  }
}

function checkWithdrawals(state: ExchangeState): void {
  const { withdrawals } = state.funds;
  const open = new Map<number, number>();
  const counted = new Map<string, bigint>();
  let firstUnconfirmed: string | undefined;
  for (const withdrawal of withdrawals.all()) {
    const { withdrawalId, accountId, status, amount, fee, txIds, txId } = withdrawal;
    open.set(accountId, (open.get(accountId) ?? 0) + 1);
    assert(OPEN_WITHDRAWAL_STATUSES.includes(status), "an open withdrawal is not over");
    assert(amount > fee && fee >= 0n, "a withdrawal pays more than its fee");
    assert(status === "processing" || txIds.length === 0, "only a processing withdrawal is signed");
    assert(txId === (txIds.at(-1) ?? ""), "the last transaction signed counts");
    if (isCountedNow(state, withdrawal)) {
      const key = `${masterIdOf(state, accountId)}:${withdrawal.assetId}`;
      counted.set(key, (counted.get(key) ?? 0n) + amount);
    }
    if (status === "emailSent") firstUnconfirmed ??= withdrawalId;
    else
      assert(withdrawals.letter(withdrawalId) === "waiting", "only a withdrawal that waits for its link has a letter");
  }
  for (const [key, sum] of counted) {
    const [masterId = 0, assetId = 0] = key.split(":").map(Number);
    assert(withdrawn(state, masterId, assetId).per72h >= sum, "open withdrawals are in the sums over time");
  }
  assert(withdrawals.firstUnconfirmed()?.withdrawalId === firstUnconfirmed, "the oldest mail expires first");
  for (const { accountId } of state.accounts.all()) {
    assert(withdrawals.openCount(accountId) === (open.get(accountId) ?? 0), "open withdrawals are counted");
  }
}

function isCountedNow(state: ExchangeState, { accountSum24h, applyTimeMs }: WithdrawalRecord): boolean {
  return accountSum24h !== undefined && state.funds.withdrawalCounts.isRecent("per72h", applyTimeMs, state.nowMs);
}

// Nodes and tasks.

function checkNodes(nodes: Nodes): void {
  assert(nodes.size <= MAX_NODES && nodes.roleCount <= MAX_ROLES, "nodes and roles are bounded");
  for (const { node, incarnation, number } of nodes.all()) {
    assert(nodes.get(node)?.number === number && number > 0, "a node's batches count from 1");
    assert(/^[0-9a-f]{16}$/.test(incarnation), "a node's process has a name of its own");
  }
  for (const { role, number } of nodes.roles()) {
    assert(nodes.role(role)?.number === number && number > 0, "grants of a role count from 1");
  }
}

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
  open += checkLists(state, lockedByOrders);
  assert(open === state.orders.size, "every open order works, waits or is pending");
  addWithdrawals(state, lockedByOrders);
  checkBalances(state, lockedByOrders);
  checkFunds(state);
  checkNodes(state.nodes);
}

/**
 * Indices, counts and sums must match the state. A snapshot contains none of them, so the hash of the state does not
 * detect an error in them.
 */
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
  checkDiscount(state);
  checkOrderIds(state);
  for (const indexed of [funds.addresses, funds.deposits, funds.withdrawals, funds.withdrawalCounts, funds.allowed]) {
    indexed.check();
  }
  for (const market of state.markets) {
    const [base, quote] = [market.spec.baseAsset, market.spec.quoteAsset].map((name) => {
      const { assetId, spec } = present(state.assetsByName.get(name), "a market's assets are listed");
      return { assetId, precision: spec.precision };
    }) as [MarketAsset, MarketAsset];
    market.check(base, quote, state.seq, INTERFACE_RULES[state.interface].stepOrigin);
  }
}

function checkOrderIds({ orderIds, lastOrderId, markets }: ExchangeState): void {
  assert(ORDER_ID_SCOPES.includes(orderIds), "orders are numbered in a known way");
  const isUnused = orderIds === "symbol" ? lastOrderId === 0 : markets.every((market) => market.lastOrderNumber === 0);
  assert(isUnused, "orders are numbered in one way");
}

function checkDiscount({ discount, assetsByName, marketsBySymbol }: ExchangeState): void {
  if (discount === null) return;
  const { asset, excludedSymbols } = discount.rules;
  const symbolIds = excludedSymbols.map((symbol) => marketsBySymbol.get(symbol)?.symbolId);
  discount.check(assetsByName.get(asset)?.assetId, symbolIds);
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
      order.trailingMs > 0 || !isTriggered(order.type, order.side, order.stopTicks, market.lastTradeTicks),
      "an order whose stop price was reached does not wait",
    );
    checkOpenOrder(state, market, order, lockedByOrders);
  }
  assert(waiting === market.triggers.size, "waiting orders are counted");
  return waiting;
}

function checkOpenOrder(state: ExchangeState, market: Market, order: Order, lockedByOrders: Map<string, bigint>): void {
  assert(state.orders.get(order.orderId) === order && !isClosed(order.status), "an order that works or waits is open");
  const firstId = state.orderIds === "symbol" ? composedOrderId(market.symbolId, 1) : 1;
  assert(order.orderId >= firstId && order.orderId <= state.lastOrderIdOf(market), "an open order has an assigned id");
  if (order.isBare) {
    for (const [name, before] of ABSENT_IF_BARE) assert(order[name] === before, `a bare order has no ${name}`);
  }
  const { peg } = order;
  if (peg !== null) {
    assert(order.isWorking === peg.peggedTicks > 0, "an order takes its price from the book when it begins to work");
    const { sentTicks: priceTicks, peggedTicks } = peg;
    assert(order.priceTicks === priceInEffect({ ...peg, side: order.side, priceTicks, peggedTicks }), "in effect");
  }
  assert(order.icebergLots > 0 || (order.extras?.sliceLots ?? 0) === 0, "only an iceberg has slices");
  assert(lockedBy(market, order) === neededBy(state, market, order), "an order locks what it can still spend");
  const holder = `${order.accountId}:${spentAssetId(market, order.side)}`;
  lockedByOrders.set(holder, (lockedByOrders.get(holder) ?? 0n) + lockedBy(market, order));
}

/** The later fields of an order, each with its value in a bare order. */
const ABSENT_IF_BARE = Object.entries(ORDER_FIELDS).flatMap(([name, field]) =>
  isLater(field) ? [[name as keyof OrderRecord, field.before] as const] : [],
);

/** The stop leg of an executing pair locks the larger amount that the two legs need, the other leg locks nothing. */
function neededBy(state: ExchangeState, market: Market, order: Order): bigint {
  const list = state.orderLists.pairOf(order);
  if (list === undefined) return order.isWorking ? stillNeeded(market, order) : fundsToWait(market, order);
  if (order === list.limitLeg) return 0n;
  const [stop, limit] = [fundsToWait(market, list.stopLeg), fundsToWait(market, list.limitLeg)];
  return stop > limit ? stop : limit;
}

/**
 * A pair has ended exactly when one of its orders has ended or traded, a list with pending orders when its working order
 * has ended. Returns the number of pending orders.
 */
function checkLists(state: ExchangeState, lockedByOrders: Map<string, bigint>): number {
  let pendingOrders = 0;
  for (const list of state.orderLists.all()) {
    for (const order of openOrdersOf(list)) {
      assert(state.orders.get(order.orderId) === order, "the orders of a list are open");
      assert(order.orderListId === list.record.orderListId, "a leg knows its list");
      assert(order.status === "NEW" || isPending(list), "both legs of a pair are untouched");
    }
    if (isPending(list)) pendingOrders += checkPending(state, list, lockedByOrders);
  }
  return pendingOrders;
}

function checkPending(state: ExchangeState, list: PendingList, lockedByOrders: Map<string, bigint>): number {
  const { working, pending, held, record } = list;
  assert(working.isWorking && !isClosed(working.status), "a working order works");
  for (const order of pending) {
    const isUntouched = order.status === "PENDING_NEW" && !order.isWorking && order.level === null;
    const { locked, sliceLots } = extrasOf(order);
    assert(isUntouched && locked === 0n, "a pending order is nowhere, and locks nothing");
    assert(order.icebergLots > 0 || sliceLots === 0, "only an iceberg has slices");
  }
  const holder = `${record.accountId}:${state.marketOf(record.symbolId).baseAssetId}`;
  lockedByOrders.set(holder, (lockedByOrders.get(holder) ?? 0n) + held);
  return pending.length;
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
