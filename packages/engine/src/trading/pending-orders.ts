/**
 * Order lists whose pending orders are placed when the working order is filled (OTO, OTOCO, OPO, OPOCO), and the orders
 * that follow from the trades of a command: triggered stop orders and pending orders. Decision 101.
 */
import type { PlaceOrder, PlaceOto } from "../entry/command.ts";
import { hasPair, hasPrice, isClosed, ordersOf, sellsReceived } from "../entry/order-record.ts";
import type { RejectReason } from "../entry/reject.ts";
import { floorToStep, type Range } from "../numbers.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import { isPending, pairList, type PendingList, pendingList } from "../state/order/order-lists.ts";
import type { Order } from "../state/order/order.ts";
import { assert } from "../assert.ts";
import {
  checkAllowed,
  checkCounts,
  checkFilters,
  checkFixedFilters,
  checkRoom,
  checkSide,
  checkUnique,
  countsOf,
} from "./check.ts";
import { expireOrder, finishList, releaseHeld } from "./end-orders.ts";
import { meetBook, trigger } from "./match.ts";
import { fundsFor, spentAssetId } from "./order-funds.ts";
import { checkPeg, checkPegged, entering, type Placing, priced } from "./peg.ts";
import { checkPair, checkPrices, fundsOfPair, legOrder, newOrder, openLegs, openOrder } from "./place.ts";

// Placing a list. Only the working order locks funds and goes to the book.

/** The orders of a list as single orders. */
interface Orders {
  readonly working: Placing;
  /** One order, or the stop leg and the limit leg of a pair. */
  readonly pending: readonly PlaceOrder[];
}

function ordersIn(market: Market | undefined, command: PlaceOto): Orders {
  const { accountId, symbolId, kind, working, pendingSide: side, pending, pendingLimit } = command;
  const legs = pendingLimit === null ? [pending] : [pending, pendingLimit];
  // At most, what the working order buys can be sold.
  const most = legs.reduce((lots, { orderType }) => allowedLots(market, orderType, lots), working.quantityLots);
  const quantityLots = sellsReceived(kind) ? most : command.pendingLots;
  return {
    working: legOrder({ accountId, symbolId, side: working.side, quantityLots: working.quantityLots }, working.leg),
    pending: legs.map((leg) => legOrder({ accountId, symbolId, side, quantityLots }, leg)),
  };
}

export function placeOto(state: ExchangeState, command: PlaceOto): RejectReason | null {
  if (state.edition < 5) return "OTO_NOT_SUPPORTED";
  const orders = ordersIn(state.markets[command.symbolId], command);
  const reason = checkOto(state, command, orders);
  if (reason !== null) return reason;
  const market = state.marketOf(command.symbolId);
  const working = entering(market, orders.working);
  const funds = fundsFor(market, working, working.quantityLots);
  const assetId = spentAssetId(market, working.side);
  if (state.ledger.balance(command.accountId, assetId).free < funds) return "INSUFFICIENT_BALANCE";
  state.ledger.lock(command.accountId, assetId, funds);
  openList(state, market, command, { ...orders, working }, funds);
  return null;
}

/** The list is reported before its working order trades. */
function openList(
  state: ExchangeState,
  market: Market,
  command: PlaceOto,
  { working: first, pending: others }: Orders,
  funds: bigint,
): void {
  const { kind, listClientOrderId, accountId, symbolId } = command;
  const orderListId = ++state.lastOrderListId;
  const working = newOrder(state, market, first, first.quantityLots, orderListId, funds);
  const quantityLots = sellsReceived(kind) ? 0 : command.pendingLots;
  const pending = others.map((order) => pendingOrder(state, market, order, quantityLots, orderListId));
  const placed = { orderListId, listClientOrderId, accountId, symbolId, timeMs: state.nowMs, kind };
  const list = pendingList(placed, working, pending);
  for (const order of [working, ...pending]) state.emit({ type: "orderOpened", order: order.record() });
  for (const order of pending) state.orders.add(order);
  state.orderLists.add(list);
  state.emit({ type: "orderListChanged", list: list.record, listOrderStatus: "EXECUTING" });
  if (state.discount !== null) state.discount.fixPrices(state, market);
  meetBook(state, market, working);
}

function pendingOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  quantityLots: number,
  orderListId: number,
): Order {
  const order = newOrder(state, market, command, quantityLots, orderListId, 0n);
  order.waitForList();
  return order;
}

/** Runs all checks of a list except funds. The order of failures is that of an OCO. */
function checkOto(state: ExchangeState, command: PlaceOto, { working: placed, pending }: Orders): RejectReason | null {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const market = state.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const reason = first(pending, (order) => checkPeg(state, market, order));
  const working = reason ?? checkPegged(state, market, placed);
  if (typeof working === "string") return working;
  return (
    checkFilters(state, market, working, state.nowMs) ??
    first(pending, (order) => checkFixedFilters(market, order, state.nowMs)) ??
    checkCounts(state, market, command.accountId, countsOfList([working, ...pending])) ??
    first([working, ...pending], (order) => checkAllowed(state, market, order, state.nowMs)) ??
    checkKind(market, command, working, pending) ??
    checkIds(state, command, [working, ...pending]) ??
    checkSide(market, working) ??
    checkRoom(state, market, working, 1 + pending.length)
  );
}

/** The first reason that a check has against the orders. */
function first(orders: readonly PlaceOrder[], check: (order: PlaceOrder) => RejectReason | null): RejectReason | null {
  for (const order of orders) {
    const reason = check(order);
    if (reason !== null) return reason;
  }
  return null;
}

/** All orders of the list count, also those that cannot stay open once they are placed. */
function countsOfList(orders: readonly PlaceOrder[]) {
  const counts = { open: orders.length, algo: 0, iceberg: 0, lists: 1 };
  for (const { algo, iceberg } of orders.map(countsOf)) {
    counts.algo += algo;
    counts.iceberg += iceberg;
  }
  return counts;
}

/** Checks what the kind of the list requires. The prices of a pair are compared with the last price later. */
function checkKind(
  market: Market,
  { kind, pendingLots }: PlaceOto,
  working: PlaceOrder,
  [stop, limit]: readonly PlaceOrder[],
): RejectReason | null {
  if (market.spec.otoAllowed === false) return "OTO_NOT_SUPPORTED";
  if (kind === "OCO" || (limit !== undefined) !== hasPair(kind)) return "UNSUPPORTED_COMBINATION";
  if (working.orderType !== "LIMIT" && working.orderType !== "LIMIT_MAKER") return "UNSUPPORTED_COMBINATION";
  if (sellsReceived(kind)) {
    if (market.spec.opoAllowed === false) return "OPO_NOT_SUPPORTED";
    if (working.side !== "BUY" || stop?.side !== "SELL" || pendingLots !== 0) return "UNSUPPORTED_COMBINATION";
  }
  if (stop === undefined || limit === undefined) return null;
  return checkPair(market, stop, limit) ?? checkPrices(stop, limit, { lastTradeTicks: 0 });
}

function checkIds(state: ExchangeState, command: PlaceOto, orders: readonly PlaceOrder[]): RejectReason | null {
  const ids = new Set(orders.map(({ clientOrderId }) => clientOrderId));
  if (ids.size < ordersOf(command.kind)) return "DUPLICATE_ORDER";
  const { accountId, listClientOrderId } = command;
  if (state.orderLists.getByClientId(accountId, listClientOrderId) !== undefined) return "DUPLICATE_ORDER";
  return first(orders, (order) => checkUnique(state, order));
}

// Placing the pending orders, with the checks of new orders at this time. They are counted already.

/** The working order of the list was filled. */
function release(state: ExchangeState, market: Market, list: PendingList): void {
  const { pending, held } = list;
  const lots = pending.reduce(
    (most, { type }) => allowedLots(market, type, most),
    Math.min(Number(held / market.lotUnits), Number.MAX_SAFE_INTEGER),
  );
  releaseHeld(state, market, list);
  for (const order of pending) state.orders.remove(order);
  const isOfReceived = sellsReceived(list.record.kind);
  const [stop, limit] = pending.map((order) => placedAs(order, isOfReceived ? lots : order.quantityLots));
  assert(stop !== undefined, "a list has a pending order");
  if (limit === undefined) releaseOne(state, market, list, stop);
  else releasePair(state, market, list, stop, limit);
}

function releaseOne(state: ExchangeState, market: Market, list: PendingList, command: PlaceOrder): void {
  const [order] = list.pending as readonly [Order];
  const reason = checkReleased(state, market, command) ?? openOrder(state, command, order);
  if (reason !== null) expireOrder(state, market, order, "REJECTED");
  finishList(state, list);
}

/** If one of the orders is rejected, both expire. A reason that concerns both is one of the stop leg. */
function releasePair(
  state: ExchangeState,
  market: Market,
  list: PendingList,
  stop: PlaceOrder,
  placed: PlaceOrder,
): void {
  const [stopBefore, limitBefore] = list.pending as readonly [Order, Order];
  const isStopRefused = checkReleased(state, market, stop) !== null;
  const isLimitRefused = !isStopRefused && checkReleased(state, market, placed) !== null;
  const limit = priced(market, placed) ?? placed;
  const funds = fundsOfPair(market, stop, limit);
  const { free } = state.ledger.balance(stop.accountId, spentAssetId(market, stop.side));
  if (isStopRefused || isLimitRefused || free < funds || checkPrices(stop, limit, market) !== null) {
    expireOrder(state, market, stopBefore, isLimitRefused ? "OCO_TRIGGER" : "REJECTED");
    expireOrder(state, market, limitBefore, isLimitRefused ? "REJECTED" : "OCO_TRIGGER");
    finishList(state, list);
    return;
  }
  const legs = openLegs(state, market, [stop, limit], list.record.orderListId, funds, list.pending);
  state.orderLists.replace(pairList(list.record, ...legs));
}

/** An order keeps its mode of self-trade prevention, even if the symbol no longer allows it. */
function checkReleased(state: ExchangeState, market: Market, command: PlaceOrder): RejectReason | null {
  const order = checkPegged(state, market, command);
  if (typeof order === "string") return order;
  return (
    checkFilters(state, market, order, state.nowMs) ??
    checkAllowed(state, market, { ...order, selfTradePrevention: "DEFAULT" }, state.nowMs) ??
    checkSide(market, order) ??
    checkRoom(state, market, order)
  );
}

/** A pending order as the command that would place it now. */
function placedAs(order: Order, quantityLots: number): PlaceOrder {
  const { accountId, symbolId, side, type: orderType, timeInForce, priceTicks, stopTicks, icebergLots } = order;
  const { quoteOrderQty, clientOrderId, selfTradePrevention, strategyId, strategyType, trailingDelta, peg } = order;
  return {
    type: "placeOrder",
    ...{ accountId, symbolId, side, orderType, timeInForce, priceTicks, quantityLots, stopTicks, icebergLots },
    ...{ quoteOrderQty, clientOrderId, selfTradePrevention, strategyId, strategyType, trailingDelta, peg },
  };
}

/** The largest quantity up to `lots` that LOT_SIZE, and MARKET_LOT_SIZE for orders without a price, allow; or less. */
function allowedLots(market: Market | undefined, orderType: PlaceOrder["orderType"], lots: number): number {
  if (market === undefined) return lots;
  const { lotSize, marketLotSize } = market.filters;
  const allowed = withinRange(lotSize, lots);
  return hasPrice(orderType) ? allowed : withinRange(marketLotSize, allowed);
}

function withinRange(range: Range | null, lots: number): number {
  if (range === null) return lots;
  return Math.max(0, floorToStep(range, range.max === 0 ? lots : Math.min(lots, range.max)));
}

// A command's order is matched. Then the orders that its trades triggered are executed one after the other, each
// together with all orders that it triggers itself. Interface S.9.

export function executeTriggered(state: ExchangeState): void {
  // An explicit stack, because a chain of stops may be long.
  const waiting: Order[] = [];
  moveTriggered(state, waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // The order may have ended meanwhile together with the other leg of its list.
    if (isClosed(next.status)) continue;
    execute(state, state.marketOf(next.symbolId), next);
    moveTriggered(state, waiting);
  }
}

function execute(state: ExchangeState, market: Market, order: Order): void {
  if (order.status !== "PENDING_NEW") return trigger(state, market, order);
  const list = state.orderLists.ofLeg(order);
  assert(list !== undefined && isPending(list), "a pending order waits for its list");
  release(state, market, list);
}

/** Moves the triggered orders to the stack, the last one first, so that the first one is popped first. */
function moveTriggered(state: ExchangeState, waiting: Order[]): void {
  for (let order = state.triggered.pop(); order !== undefined; order = state.triggered.pop()) waiting.push(order);
}
