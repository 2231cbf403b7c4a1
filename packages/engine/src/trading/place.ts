/**
 * Places a single order, an OCO pair, or an order that replaces another: each order is checked, its funds are locked,
 * and then it trades or waits. Also amends an open order. Interface 3.
 */
import type { ExchangeState } from "../state/exchange-state.ts";
import type { AmendOrder, CancelReplace, ListLeg, PlaceOco, PlaceOrder } from "../entry/command.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import {
  checkAllowed,
  checkAmendedQuantity,
  checkCounts,
  checkFilters,
  checkOrder,
  checkRoom,
  checkUnique,
  countsOf,
  wouldTake,
} from "./check.ts";
import { meetBook, restOrder } from "./match.ts";
import {
  fundsFor,
  fundsToWait,
  lockedBy,
  lotsForQuote,
  mostAffordable,
  spentAssetId,
  stillNeeded,
} from "./order-funds.ts";
import { NO_ORDER_LIST, type Side, waitsForStop } from "../entry/order-record.ts";
import { reachableOffers } from "./reachable-offers.ts";
import { preventionOf } from "./prevention.ts";
import { checkPeg, checkPegged, entering, peggingOf, type Placing } from "./peg.ts";
import { extrasFor, extrasOf, Order } from "../state/order/order.ts";
import type { Event } from "../entry/event.ts";
import { cancelOrder, endWithList, expiredFor, findOpenOrder, marketForCancel } from "./end-orders.ts";
import {
  isPending,
  openOrdersOf,
  type OrderList,
  type PairList,
  type PendingList,
  pairList,
  pendingList,
} from "../state/order/order-lists.ts";

/**
 * Counts orders towards the limits of their account. Rejected orders count as well, because each costs an entry of the
 * journal.
 */
export function countPlaced(state: ExchangeState, accountId: number, orders: number): void {
  const { placedCounts } = state;
  if (placedCounts.rules.length === 0 || state.accounts.get(accountId) === undefined) return;
  placedCounts.add(accountId, orders);
}

export function placeOrder(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  return checkOrder(state, command, state.nowMs) ?? openOrder(state, command);
}

/**
 * Locks the funds of an order that has passed all other checks, and lets it trade or wait. `pending` is an order of a
 * list that was accepted earlier, and becomes this order.
 */
export function openOrder(state: ExchangeState, placed: PlaceOrder, pending: Order | null = null): RejectReason | null {
  const market = state.marketOf(placed.symbolId);
  const command = entering(market, placed);
  const assetId = spentAssetId(market, command.side);
  const { free } = state.ledger.balance(command.accountId, assetId);
  const { quantityLots, funds } =
    command.orderType === "MARKET"
      ? sizeOf(state, market, command, free)
      : {
          quantityLots: command.quantityLots,
          funds: fundsFor(market, command, command.quantityLots),
        };
  if (free < funds) return "INSUFFICIENT_BALANCE";

  const orderListId = pending === null ? NO_ORDER_LIST : pending.orderListId;
  const order = newOrder(state, market, command, quantityLots, orderListId, funds, pending);
  state.ledger.lock(order.accountId, assetId, funds);
  startOrder(state, market, order, pending === null ? "orderOpened" : "orderReleased");
  return null;
}

/** The quantity of a MARKET order, and what it needs on the book; any amount above `free` if that is too small. */
function sizeOf(
  state: ExchangeState,
  market: Market,
  command: Placing,
  free: bigint,
): { readonly quantityLots: number; readonly funds: bigint } {
  const { side, quoteOrderQty } = command;
  const range = market.rangeOf(side, state.nowMs);
  const offers = reachableOffers(state, market, command, preventionOf(state, market, command), range);
  // Reads the book only as far as the money lasts, unless own orders take lots that cost nothing.
  const tooMuch = offers?.hasOwn === true ? Number.POSITIVE_INFINITY : mostAffordable(market, side, free) + 1;
  const quantityLots =
    quoteOrderQty > 0n ? lotsForQuote(market, side, quoteOrderQty, tooMuch, offers?.sized()) : command.quantityLots;
  const funds = fundsFor(market, command, Math.min(quantityLots, tooMuch), offers, market.lastTradeTicks, free);
  return { quantityLots, funds };
}

type Opening = "orderOpened" | "orderReleased";

/** Starts an order whose funds are locked: it trades, or waits for its price. */
function startOrder(state: ExchangeState, market: Market, order: Order, type: Opening): void {
  if (!order.isWorking) return waitForPrice(state, market, order, type);
  state.emit({ type, order: order.record() });
  if (type === "orderOpened" && state.discount !== null) state.discount.fixPrices(state, market);
  meetBook(state, market, order);
}

/**
 * Starts a stop order, behind those that wait already: the sum of the symbol's last order id and the number of released
 * stop orders grows with each. A trailing stop without a stop price follows the price from now on.
 */
function waitForPrice(state: ExchangeState, market: Market, order: Order, type: Opening): void {
  const isReleased = type === "orderReleased";
  if (isReleased) state.releasedStops++;
  order.waitAt((isReleased ? state.lastOrderIdOf(market) : order.orderId) + state.releasedStops);
  order.startTrailing(market.lastTradeTicks, state.nowMs);
  state.emit({ type, order: order.record() });
  market.triggers.open(order, market.lastTradeTicks);
  state.orders.add(order);
}

/** `locked` is the amount that is locked for the order. A `pending` order of a list becomes the new order. */
export function newOrder(
  state: ExchangeState,
  market: Market,
  command: Placing,
  quantityLots: number,
  orderListId: number,
  locked: bigint,
  pending: Order | null = null,
): Order {
  const { side, orderType, timeInForce, icebergLots } = command;
  const isWorking = !waitsForStop(orderType);
  const sliceLots = icebergLots === 0 ? 0 : quantityLots;
  const pegging = peggingOf(command);
  const isPlain = pending === null && pegging === null;
  const placed = isPlain ? command : { ...command, pegging, amendCount: pending?.amendCount ?? 0 };
  const extras = extrasFor(orderType, placed, orderListId, isWorking, sliceLots, locked);
  const terms = market.termsOf(side, orderType, timeInForce, preventionOf(state, market, command));
  if (pending === null) return new Order(state.nextOrderId(market), terms, extras, command, quantityLots, state.nowMs);
  const order = new Order(pending.orderId, terms, extras, command, quantityLots, pending.timeMs);
  order.change("NEW", state.nowMs);
  if (isWorking) extrasOf(order).workedMs = state.nowMs;
  return order;
}

// A cancel and a new order in one command, with no other command between them.

/** Rejects the whole command only during maintenance. Otherwise `cancelReplaced` contains the result of each half. */
export function cancelReplace(state: ExchangeState, command: CancelReplace): RejectReason | null {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const cancelReason = cancelOrder(state, command.cancel);
  const attempts = cancelReason === null || command.mode === "ALLOW_FAILURE";
  const placeReason = attempts ? placeOrder(state, command.place) : "NOT_ATTEMPTED";
  const result: Event<"cancelReplaced"> = { type: "cancelReplaced", cancelReason, placeReason };
  state.events = [result, ...state.events];
  return null;
}

// A pair of orders of which one cancels the other. Interface 4.3, 3.5 and S.11.

export function placeOco(state: ExchangeState, command: PlaceOco): RejectReason | null {
  const stop = legOrder(command, command.stopLeg);
  const limit = legOrder(command, command.limitLeg);
  const reason = checkOco(state, command, stop, limit);
  if (reason !== null) return reason;
  const market = state.marketOf(command.symbolId);
  const entered = entering(market, limit);
  const funds = fundsOfPair(market, stop, entered);
  const assetId = spentAssetId(market, command.side);
  if (state.ledger.balance(command.accountId, assetId).free < funds) return "INSUFFICIENT_BALANCE";
  openList(state, market, command, stop, entered, funds);
  return null;
}

function openList(
  state: ExchangeState,
  market: Market,
  command: PlaceOco,
  stop: PlaceOrder,
  limit: PlaceOrder,
  funds: bigint,
): void {
  const orderListId = ++state.lastOrderListId;
  const [stopLeg, limitLeg] = openLegs(state, market, [stop, limit], orderListId, funds);
  const { listClientOrderId, accountId, symbolId } = command;
  const timeMs = state.nowMs;
  const list = pairList({ orderListId, listClientOrderId, accountId, symbolId, timeMs }, stopLeg, limitLeg);
  state.orderLists.add(list);
  state.emit({ type: "orderListChanged", list: list.record, listOrderStatus: "EXECUTING" });
}

/** Opens both legs of a pair, first the stop leg, which locks the funds of both. `pending` orders become the legs. */
export function openLegs(
  state: ExchangeState,
  market: Market,
  [stop, limit]: readonly [PlaceOrder, Placing],
  orderListId: number,
  funds: bigint,
  pending: readonly Order[] = [],
): readonly [stopLeg: Order, limitLeg: Order] {
  const [stopBefore = null, limitBefore = null] = pending;
  const stopLeg = newOrder(state, market, stop, stop.quantityLots, orderListId, funds, stopBefore);
  const limitLeg = newOrder(state, market, limit, limit.quantityLots, orderListId, 0n, limitBefore);
  state.ledger.lock(stop.accountId, spentAssetId(market, stop.side), funds);
  const type = pending.length === 0 ? "orderOpened" : "orderReleased";
  for (const leg of [stopLeg, limitLeg]) openLeg(state, market, leg, type);
  return [stopLeg, limitLeg];
}

/** The funds of a pair: the larger of the amounts that its legs need, because only one leg can spend them. */
export function fundsOfPair(market: Market, stop: PlaceOrder, limit: PlaceOrder): bigint {
  return larger(fundsFor(market, stop, stop.quantityLots), fundsFor(market, limit, limit.quantityLots));
}

/** Opens one leg. A maker leg rests immediately, because it was checked that it does not match. */
function openLeg(state: ExchangeState, market: Market, leg: Order, type: Opening): void {
  if (!leg.isWorking) return waitForPrice(state, market, leg, type);
  state.emit({ type, order: leg.record() });
  restOrder(state, market, leg);
}

/** Runs all checks of an OCO pair except funds. */
function checkOco(state: ExchangeState, command: PlaceOco, stop: PlaceOrder, placed: PlaceOrder): RejectReason | null {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const market = state.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const reason = checkPeg(state, market, stop);
  if (reason !== null) return reason;
  const limit = checkPegged(state, market, placed);
  if (typeof limit === "string") return limit;
  return (
    checkFilters(state, market, stop, state.nowMs, command.quantityLots) ??
    checkFilters(state, market, limit, state.nowMs, command.quantityLots) ??
    checkCounts(state, market, command.accountId, bothCounts(stop, limit)) ??
    checkAllowed(state, market, stop, state.nowMs) ??
    checkAllowed(state, market, limit, state.nowMs) ??
    checkPair(market, stop, limit) ??
    checkPrices(stop, limit, market) ??
    checkIds(state, command, stop, limit) ??
    (limit.orderType === "LIMIT_MAKER" && wouldTake(market, limit) ? "WOULD_MATCH_IMMEDIATELY" : null) ??
    checkRoom(state, market, stop, 2) ??
    checkRoom(state, market, limit)
  );
}

/** The numbers of open orders that the list adds. Both legs count, also towards the limit on algo orders. */
function bothCounts(stop: PlaceOrder, limit: PlaceOrder) {
  const [a, b] = [countsOf(stop), countsOf(limit)];
  return { open: 2, algo: a.algo + b.algo, iceberg: a.iceberg + b.iceberg, lists: 1 };
}

/** Checks the types of the two legs. */
export function checkPair(market: Market, stop: PlaceOrder, limit: PlaceOrder): RejectReason | null {
  if (!market.spec.ocoAllowed) return "OCO_NOT_SUPPORTED";
  const isStop = stop.orderType === "STOP_LOSS" || stop.orderType === "STOP_LOSS_LIMIT";
  const isLimit =
    limit.orderType === "LIMIT_MAKER" || limit.orderType === "TAKE_PROFIT" || limit.orderType === "TAKE_PROFIT_LIMIT";
  return isStop && isLimit ? null : "UNSUPPORTED_COMBINATION";
}

/**
 * Checks the prices. SELL: limit > last > stop; BUY: limit < last < stop. Without a last price, only limit and stop are
 * compared. A trailing stop without a stop price has nothing to compare.
 */
export function checkPrices(
  stop: PlaceOrder,
  limit: PlaceOrder,
  { lastTradeTicks: lastTicks }: Pick<Market, "lastTradeTicks">,
): RejectReason | null {
  const limitTicks = waitsForStop(limit.orderType) ? limit.stopTicks : limit.priceTicks;
  const isOrdered = [limitTicks, lastTicks, stop.stopTicks]
    .filter((ticks) => ticks !== 0)
    .every((ticks, i, all) => i === 0 || isBeyond(stop.side, all[i - 1] as number, ticks));
  return isOrdered ? null : "OCO_BAD_PRICES";
}

/** Whether a price is better for the owner than the other: higher for a SELL, lower for a BUY. */
function isBeyond(side: Side, ticks: number, otherTicks: number): boolean {
  return side === "SELL" ? ticks > otherTicks : ticks < otherTicks;
}

function checkIds(state: ExchangeState, command: PlaceOco, stop: PlaceOrder, limit: PlaceOrder): RejectReason | null {
  const { accountId, listClientOrderId } = command;
  if (stop.clientOrderId === limit.clientOrderId) return "DUPLICATE_ORDER";
  if (state.orderLists.getByClientId(accountId, listClientOrderId) !== undefined) return "DUPLICATE_ORDER";
  return checkUnique(state, stop) ?? checkUnique(state, limit);
}

/** A leg as a single order. */
export function legOrder(
  command: Pick<PlaceOrder, "accountId" | "symbolId" | "side" | "quantityLots">,
  leg: ListLeg,
): PlaceOrder {
  const { accountId, symbolId, side, quantityLots } = command;
  return { ...leg, type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

// Amends an order: reduces its quantity while it keeps its id, its price and its place in the queue. Interface 3.12,
// decision 94.

/** The interface has no reason for an order that its owner reduced to what it had executed. */
const NOTHING_LEFT = expiredFor("NONE");

/** Whoever may cancel an order may reduce it. Both orders of a pair get the new quantity. */
export function amendOrder(state: ExchangeState, command: AmendOrder): RejectReason | null {
  if (state.edition < 5) return "AMEND_NOT_SUPPORTED";
  const market = marketForCancel(state, command.symbolId);
  if (typeof market === "string") return market;
  const order = findOpenOrder(state, command);
  if (typeof order === "string") return "UNKNOWN_ORDER";
  const list = state.orderLists.ofLeg(order);
  const orders = amendedWith(list, order);
  const reason = checkAmendment(state, market, order, orders, command);
  if (reason !== null) return reason;
  const amended = orders.map((each) => replaceOrder(state, market, each, command, each === order));
  if (list !== undefined) replaceList(state, market, list, amended, order.clientOrderId !== command.newClientOrderId);
  const at = orders.indexOf(order);
  if (amended.some(({ leftLots }) => leftLots <= 0)) endWithList(state, market, amended[at] as Order, NOTHING_LEFT);
  return null;
}

/** The orders that get the new quantity: a working order alone, or both orders of a pair. */
function amendedWith(list: OrderList | undefined, order: Order): readonly Order[] {
  if (list === undefined) return [order];
  if (isPending(list)) return order === list.working ? [order] : list.pending;
  return openOrdersOf(list);
}

function checkAmendment(
  state: ExchangeState,
  market: Market,
  order: Order,
  orders: readonly Order[],
  { quantityLots, newClientOrderId }: AmendOrder,
): RejectReason | null {
  if (order.status === "PENDING_NEW" && order.quantityLots === 0) return "AMEND_PENDING_OPO";
  if (quantityLots > order.quantityLots) return "AMEND_INCREASES";
  if (quantityLots === order.quantityLots) return "AMEND_CHANGES_NOTHING";
  for (const each of orders) {
    const fault = checkAmendedQuantity(market, each, quantityLots, state.nowMs);
    if (fault !== null) return fault;
  }
  const namesake = state.orders.byClientId(order.accountId, order.symbolId, newClientOrderId);
  return namesake === undefined || namesake === order ? null : "DUPLICATE_ORDER";
}

/** Only the addressed order gets the new client id. */
function replaceOrder(
  state: ExchangeState,
  market: Market,
  order: Order,
  { quantityLots, newClientOrderId }: AmendOrder,
  isAddressed: boolean,
): Order {
  const locked = lockedBy(market, order);
  const clientOrderId = isAddressed ? newClientOrderId : order.clientOrderId;
  const amended = order.amended(quantityLots, clientOrderId, locked, state.nowMs);
  if (order.isWorking) {
    market.book.replace(order, amended);
    market.touchBook(state.seq);
  } else if (order.status !== "PENDING_NEW") market.triggers.replace(order, amended);
  state.orders.replace(order, amended);
  // The funds of a pair are those of its stop leg, and an order without a remainder releases all funds when it ends.
  const isAlone = state.orderLists.pairOf(order) === undefined && order.status !== "PENDING_NEW";
  if (isAlone && amended.leftLots > 0) {
    keepOnly(state, market, amended, amended.isWorking ? stillNeeded(market, amended) : fundsToWait(market, amended));
  }
  const { clientOrderId: origClientOrderId, quantityLots: origQuantityLots } = order;
  state.emit({ type: "orderAmended", order: amended.record(), origClientOrderId, origQuantityLots });
  return amended;
}

/** Releases what the order has locked beyond `needed`. */
function keepOnly(state: ExchangeState, market: Market, order: Order, needed: bigint): void {
  const extras = extrasOf(order);
  state.ledger.release(order.accountId, spentAssetId(market, order.side), extras.locked - needed);
  extras.locked = needed;
}

function replaceList(
  state: ExchangeState,
  market: Market,
  list: OrderList,
  amended: readonly Order[],
  isRenamed: boolean,
): void {
  const by = isPending(list) ? amendedPending(list, amended) : amendedPair(state, market, list, amended);
  state.orderLists.replace(by);
  if (!isRenamed) return;
  state.emit({ type: "orderListChanged", list: by.record, listOrderStatus: "EXECUTING", isUpdate: true });
}

function amendedPending({ record, working, pending, held }: PendingList, amended: readonly Order[]): PendingList {
  const [first] = amended;
  if (first?.orderId === working.orderId) return pendingList(record, first, pending, held);
  return pendingList(record, working, amended, held);
}

function amendedPair(state: ExchangeState, market: Market, { record }: PairList, amended: readonly Order[]): PairList {
  const [stop, limit] = amended as readonly [Order, Order];
  if (stop.leftLots > 0 && limit.leftLots > 0) {
    keepOnly(state, market, stop, larger(fundsToWait(market, stop), fundsToWait(market, limit)));
  }
  return pairList(record, stop, limit);
}
