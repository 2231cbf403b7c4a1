/**
 * Why the model rejects a new order (filters, the rules of the exchange, then book and funds), how it places an order
 * list, and how it amends an order. Interface 7.8, 4.3, 3.5, 3.12.
 */
import {
  type AmendOrder,
  type ExchangeFilters,
  type ListLeg,
  OFF_SCALE,
  type PlaceOco,
  type PlaceOrder,
  type RejectReason,
} from "@pricetime/engine";
import { type Amount, scaled } from "./money.ts";
import type { ModelList, ModelOto } from "./lists.ts";
import {
  failingAmendment,
  isAlgo,
  isPriced,
  isReached,
  lastPrice,
  lots,
  type ModelMarket,
  type ModelOrder,
  opposite,
  paidAsset,
  price,
  remaining,
  type Wanted,
} from "./market.ts";
import { marketNeed, newOrder, openedOf, rest } from "./matching.ts";
import { quantityForQuote, sizedBy } from "./reachable.ts";
import { entered, failingPegged, refusedPeg } from "./peg.ts";
import { takerOf } from "./prevention.ts";
import {
  afterExpiry,
  amountToLock,
  closeList,
  dearest,
  ended,
  listedOf,
  liveList,
  otoOf,
  statusOf,
} from "./order-ends.ts";
import type { ModelState } from "./state.ts";
import { isLocked } from "./wallet.ts";
import { type Answer, type Happening } from "./happening.ts";

export function refusal(exchange: ModelState, command: PlaceOrder): RejectReason | null {
  if (exchange.wallet.isInMaintenance) return "MAINTENANCE";
  const market = exchange.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!exchange.accounts.has(command.accountId)) return "UNKNOWN_ACCOUNT";
  const order = wanted(exchange, market, command);
  return (
    refusedPeg(exchange, market, command) ??
    failingPegged(market, command, order, exchange.nowMs) ??
    failingCount(market, exchange.exchangeFilters, exchange.openOrders(command.accountId), [order]) ??
    forbidden(exchange, market, command) ??
    duplicate(market, command) ??
    refusedByMarket(market, command) ??
    unaffordable(exchange, market, command, needOf(exchange, market, command))
  );
}

export function forbidden(exchange: ModelState, market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const { orderType, timeInForce, icebergLots } = command;
  const { venue } = exchange;
  if (venue.isStopped("trading") || venue.isStopped("placing")) return "MARKET_CLOSED";
  const status = statusOf(market, exchange.nowMs);
  if (status !== "TRADING") return status === "CANCEL_ONLY" ? status : "MARKET_CLOSED";
  const account = exchange.accounts.get(command.accountId)!;
  if (!account.canTrade || !account.isEnabled) return "ACCOUNT_MAY_NOT_TRADE";
  if (isLocked(exchange, command.accountId)) return "API_TRADING_LOCKED";
  if (!market.spec.orderTypes.includes(orderType)) return "ORDER_TYPE_NOT_SUPPORTED";
  if (!mayPrevent(exchange, market, command)) return "SELF_TRADE_PREVENTION_NOT_ALLOWED";
  const { trailingDelta = 0 } = command;
  const mayTrail = exchange.edition >= 5 && market.spec.allowTrailingStop !== false;
  if (trailingDelta !== 0 && !mayTrail) return "TRAILING_STOP_NOT_SUPPORTED";
  if (icebergLots !== 0) {
    if (!isPriced(orderType) || timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
    if (!market.spec.icebergAllowed) return "ICEBERG_NOT_SUPPORTED";
    if (icebergLots >= command.quantityLots) return "ICEBERG_EXCEEDS_QUANTITY";
  }
  const waits = command.stopTicks !== 0 || trailingDelta !== 0;
  if (isAlgo(orderType) !== waits) return "UNSUPPORTED_COMBINATION";
  if (!isPriced(orderType) && command.priceTicks !== 0) return "UNSUPPORTED_COMBINATION";
  // A time in force may be chosen only for an order that has its own price and may take liquidity.
  const maySayHowLong = isPriced(orderType) && orderType !== "LIMIT_MAKER";
  if (timeInForce !== "GTC" && !maySayHowLong) return "UNSUPPORTED_COMBINATION";
  if (command.quoteOrderQty === 0n) return null;
  if (!market.spec.quoteOrderQtyMarketAllowed) return "QUOTE_ORDER_QTY_NOT_SUPPORTED";
  return orderType === "MARKET" && command.quantityLots === 0 ? null : "UNSUPPORTED_COMBINATION";
}

function mayPrevent({ edition }: ModelState, { spec }: ModelMarket, command: PlaceOrder): boolean {
  const { selfTradePrevention: mode = "DEFAULT" } = command;
  const allowed = spec.selfTradePrevention?.allowedModes;
  return edition < 5 || mode === "DEFAULT" || allowed === undefined || allowed.includes(mode);
}

export function wanted(exchange: ModelState, market: ModelMarket, command: PlaceOrder): Wanted {
  const { orderType, accountId, side } = command;
  const byQuote = command.quoteOrderQty !== 0n;
  const orNull = (value: number, read: (market: ModelMarket, value: number) => Amount) =>
    value === OFF_SCALE ? null : read(market, value);
  const quantity = byQuote ? quantityForQuote(exchange, market, command) : orNull(command.quantityLots, lots);
  return {
    accountId,
    side,
    type: orderType,
    // The filters ignore a price that the order type must not have.
    price: isPriced(orderType) ? orNull(command.priceTicks, price) : 0n,
    stopPrice: isAlgo(orderType) ? orNull(command.stopTicks, price) : 0n,
    trailingDelta: command.trailingDelta ?? 0,
    quantity,
    icebergQty: orNull(command.icebergLots, lots),
    quoteOrderQty: scaled(command.quoteOrderQty, market.quotePlaces),
    mayRest: isAlgo(orderType) || (orderType !== "MARKET" && command.timeInForce === "GTC"),
    hasDepth: sizedBy(exchange, market, takerOf(exchange, market, command)).length > 0,
    position: positionOf(exchange, market, accountId),
    placed: quantity ?? 0n,
    isUnpriced: false,
  };
}

/** The balance in the base asset, and the quantities that the account's open orders on the symbol still buy. */
function positionOf(exchange: ModelState, market: ModelMarket, accountId: number): Amount {
  const { free, locked } = exchange.money.of(accountId, market.base);
  const buys = market.orders.filter((order) => order.accountId === accountId && order.side === "BUY");
  return buys.reduce((sum, order) => sum + remaining(order), free + locked);
}

/** Checks the limits on an account's open orders of each kind, including the new ones. */
export function failingCount(
  market: ModelMarket,
  exchange: ExchangeFilters,
  allOpen: readonly ModelOrder[],
  wanted: readonly Wanted[],
  openLists: readonly Pick<ModelList, "symbolId">[] = [],
): RejectReason | null {
  const { filters } = market;
  const here = allOpen.filter((order) => order.symbolId === market.symbolId);
  const added = wanted.filter(({ mayRest }) => mayRest);
  const exceeds = (open: readonly Counted[], counts: (order: Counted) => boolean, limit: number | undefined) =>
    added.some(counts) && open.filter(counts).length + added.filter(counts).length > (limit ?? Infinity);
  const any = () => true;
  const algo = (order: Counted) => isAlgo(order.type);
  const iceberg = (order: Counted) => order.icebergQty !== 0n;
  if (exceeds(here, any, filters.maxNumOrders?.limit)) return "MAX_NUM_ORDERS";
  if (exceeds(here, algo, filters.maxNumAlgoOrders?.maxNumAlgoOrders)) return "MAX_NUM_ALGO_ORDERS";
  if (exceeds(here, iceberg, filters.maxNumIcebergOrders?.maxNumIcebergOrders)) return "MAX_NUM_ICEBERG_ORDERS";
  const isList = wanted.length > 1;
  const listsHere = openLists.filter((list) => list.symbolId === market.symbolId).length;
  if (isList && listsHere + 1 > (filters.maxNumOrderLists?.maxNumOrderLists ?? Infinity)) return "MAX_NUM_ORDER_LISTS";
  if (exceeds(allOpen, any, exchange.maxNumOrders?.maxNumOrders)) return "EXCHANGE_MAX_NUM_ORDERS";
  if (exceeds(allOpen, algo, exchange.maxNumAlgoOrders?.maxNumAlgoOrders)) return "EXCHANGE_MAX_NUM_ALGO_ORDERS";
  const { maxNumIcebergOrders: icebergs, maxNumOrderLists: lists } = exchange;
  if (exceeds(allOpen, iceberg, icebergs?.maxNumIcebergOrders)) return "EXCHANGE_MAX_NUM_ICEBERG_ORDERS";
  if (isList && openLists.length + 1 > (lists?.maxNumOrderLists ?? Infinity)) return "EXCHANGE_MAX_NUM_ORDER_LISTS";
  return null;
}

/** The fields that the limits on open orders need. */
type Counted = Pick<Wanted, "type" | "icebergQty">;

export function duplicate(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const isSame = (order: ModelOrder) =>
    order.accountId === command.accountId && order.clientOrderId === command.clientOrderId;
  return market.orders.some(isSame) ? "DUPLICATE_ORDER" : null;
}

/**
 * Rejects a maker-only order that would execute immediately, and a stop order whose stop price has already been passed.
 */
export function refusedByMarket(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  if (command.orderType === "LIMIT_MAKER") return wouldTake(market, command);
  const last = lastPrice(market);
  if (!isAlgo(command.orderType) || last === null) return null;
  const stop = { type: command.orderType, side: command.side, stopPrice: price(market, command.stopTicks) };
  return isReached(stop, last) ? "WOULD_TRIGGER_IMMEDIATELY" : null;
}

function wouldTake(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const meets = opposite(market, command.side, price(market, entered(market, command).priceTicks));
  return meets.length > 0 ? "WOULD_MATCH_IMMEDIATELY" : null;
}

export function unaffordable(
  exchange: ModelState,
  market: ModelMarket,
  command: Pick<PlaceOrder, "accountId" | "side">,
  need: Amount,
): RejectReason | null {
  const { free } = exchange.money.of(command.accountId, paidAsset(market, command.side));
  return free < need ? "INSUFFICIENT_BALANCE" : null;
}

/** Returns the free balance that the order requires. */
export function needOf(exchange: ModelState, market: ModelMarket, command: PlaceOrder): Amount {
  const { orderType, side } = command;
  if (orderType !== "MARKET") {
    const { type, price, stopPrice, trailing } = newOrder(exchange, market, command, -1, 0);
    return amountToLock(
      market,
      side,
      dearest(market, { type, price, stopPrice, trailing }),
      lots(market, command.quantityLots),
    );
  }
  const byQuote = command.quoteOrderQty !== 0n;
  const asked = byQuote ? quantityForQuote(exchange, market, command) : lots(market, command.quantityLots);
  return marketNeed(exchange, market, takerOf(exchange, market, command), asked);
}

// Order lists.

/** Returns a leg as a single order. */
function alone(command: PlaceOco, leg: ListLeg): PlaceOrder {
  const { accountId, symbolId, side, quantityLots } = command;
  return { ...leg, type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n };
}

export function placeOco(exchange: ModelState, command: PlaceOco): Answer {
  if (exchange.wallet.isInMaintenance) return "MAINTENANCE";
  const market = exchange.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!exchange.accounts.has(command.accountId)) return "UNKNOWN_ACCOUNT";
  const legs = [alone(command, command.stopLeg), alone(command, command.limitLeg)] as const;
  const reason = refusalOfList(exchange, market, command, legs);
  if (reason !== null) return reason;
  const [a, b] = [needOf(exchange, market, legs[0]), needOf(exchange, market, legs[1])];
  const need = a > b ? a : b;
  return unaffordable(exchange, market, command, need) ?? open(exchange, market, command, legs, need);
}

type Legs = readonly [stop: PlaceOrder, limit: PlaceOrder];

function refusalOfList(exchange: ModelState, market: ModelMarket, command: PlaceOco, legs: Legs): RejectReason | null {
  const [stop, limit] = legs;
  // Both orders of a list stay open, whatever their types, so a list counts as two.
  const single = legs.map((leg) => wanted(exchange, market, leg));
  const placed = single.reduce((sum, leg) => sum + leg.placed, 0n);
  const orders = single.map((leg) => ({ ...leg, mayRest: true, placed }));
  const lists = listsOf(exchange, command.accountId);
  const open = exchange.openOrders(command.accountId);
  return (
    refusedPeg(exchange, market, stop) ??
    refusedPeg(exchange, market, limit) ??
    failingPegged(market, stop, orders[0]!, exchange.nowMs) ??
    failingPegged(market, limit, orders[1]!, exchange.nowMs) ??
    failingCount(market, exchange.exchangeFilters, open, orders, lists) ??
    forbidden(exchange, market, stop) ??
    forbidden(exchange, market, limit) ??
    (market.spec.ocoAllowed ? null : "OCO_NOT_SUPPORTED") ??
    (isPair(stop, limit) ? null : "UNSUPPORTED_COMBINATION") ??
    (isOrdered(market, stop, entered(market, limit)) ? null : "OCO_BAD_PRICES") ??
    takenIds(exchange, market, command, legs) ??
    (limit.orderType === "LIMIT_MAKER" ? wouldTake(market, limit) : null)
  );
}

/** The executing lists of an account. */
export function listsOf(exchange: ModelState, accountId: number): readonly (ModelList | ModelOto)[] {
  return [...exchange.lists, ...exchange.otos].filter((list) => list.accountId === accountId);
}

export function isPair(stop: PlaceOrder, limit: PlaceOrder): boolean {
  return (
    ["STOP_LOSS", "STOP_LOSS_LIMIT"].includes(stop.orderType) &&
    ["LIMIT_MAKER", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"].includes(limit.orderType)
  );
}

/**
 * Whether the prices of a list are in the required order. SELL: limit > last > stop. BUY: limit < last < stop. Without
 * a last price, limit is compared with stop. All comparisons are strict. A trailing stop without a stop price has no
 * place in this order.
 */
export function isOrdered(market: ModelMarket, stop: PlaceOrder, limit: PlaceOrder, last = lastPrice(market)): boolean {
  const gain = price(market, isAlgo(limit.orderType) ? limit.stopTicks : limit.priceTicks);
  const loss = price(market, stop.stopTicks);
  const [low, high] = stop.side === "SELL" ? [loss, gain] : [gain, loss];
  const isBelow = (a: Amount, b: Amount): boolean => a === 0n || b === 0n || a < b;
  return last === null ? isBelow(low, high) : isBelow(low, last) && isBelow(last, high);
}

function takenIds(exchange: ModelState, market: ModelMarket, command: PlaceOco, legs: Legs): RejectReason | null {
  const isSame = (list: ModelList | ModelOto) => list.listClientOrderId === command.listClientOrderId;
  if (legs[0].clientOrderId === legs[1].clientOrderId) return "DUPLICATE_ORDER";
  if (listsOf(exchange, command.accountId).some(isSame)) return "DUPLICATE_ORDER";
  return duplicate(market, legs[0]) ?? duplicate(market, legs[1]);
}

function open(exchange: ModelState, market: ModelMarket, command: PlaceOco, legs: Legs, locked: Amount) {
  const orderListId = ++exchange.lastOrderListId;
  const stopLeg = newOrder(exchange, market, legs[0], orderListId);
  const limitLeg = newOrder(exchange, market, legs[1], orderListId);
  const { listClientOrderId, accountId, symbolId } = command;
  const timeMs = exchange.nowMs;
  const head = { orderListId, listClientOrderId, accountId, symbolId, timeMs, kind: "OCO" } as const;
  const list: ModelList = { ...head, after: null, stopLeg, limitLeg, locked };
  return [...openPair(exchange, market, list), listedOf(market, list, "EXECUTING")] satisfies Happening[];
}

/** Locks the funds of a pair, and lets its orders rest or wait. */
export function openPair(exchange: ModelState, market: ModelMarket, list: ModelList): Happening[] {
  const { stopLeg, limitLeg, locked } = list;
  exchange.money.lock(list.accountId, paidAsset(market, stopLeg.side), locked);
  for (const leg of [stopLeg, limitLeg]) {
    leg.place = "waiting";
    if (!isAlgo(leg.type)) rest(exchange, market, leg);
    else if (!market.orders.includes(leg)) market.orders.push(leg);
  }
  exchange.lists.push(list);
  return [openedOf(market, stopLeg), openedOf(market, limitLeg)];
}

// Amendments: an open order becomes smaller and keeps its place. Both legs of a list become smaller together.

export function amend(exchange: ModelState, market: ModelMarket, order: ModelOrder, command: AmendOrder): Answer {
  const quantity = command.quantityLots === OFF_SCALE ? null : lots(market, command.quantityLots);
  const oto = otoOf(exchange, order);
  if (order.place === "pending" && (oto?.kind === "OPO" || oto?.kind === "OPOCO")) return "AMEND_PENDING_OPO";
  if (quantity !== null && quantity > order.quantity) return "AMEND_INCREASES";
  if (quantity === order.quantity) return "AMEND_CHANGES_NOTHING";
  const list = liveList(exchange, order);
  const ofPair = list === undefined ? [order] : [list.stopLeg, list.limitLeg];
  const orders = order.place === "pending" ? oto!.pending : ofPair;
  const before = order.clientOrderId;
  const id = command.newClientOrderId;
  const failure = orders
    .map((each) => failingAmendment(market, each, quantity, exchange.nowMs))
    .find((reason) => reason !== null);
  if (failure !== undefined) return failure;
  const isTaken = market.orders.some(
    (other) => other !== order && other.accountId === order.accountId && other.clientOrderId === id,
  );
  if (isTaken) return "DUPLICATE_ORDER";
  const happenings = orders.map((each) => shrink(exchange, market, each, quantity!, each === order ? id : undefined));
  if (oto !== undefined && id !== before) happenings.push(listedOf(market, oto, "UPDATED"));
  if (order.place === "pending") return happenings;
  if (list === undefined) {
    if (remaining(order) <= 0n) {
      const over = ended(exchange, market, order, "EXPIRED", "");
      return [...happenings, over, ...afterExpiry(exchange, market, order)];
    }
    relock(exchange, market, order);
    return happenings;
  }
  const needs = orders.map((leg) => ownNeed(market, leg));
  const locked = needs[0]! > needs[1]! ? needs[0]! : needs[1]!;
  exchange.money.lock(list.accountId, paidAsset(market, order.side), locked - list.locked);
  list.locked = locked;
  if (id !== before) happenings.push(listedOf(market, list, "UPDATED"));
  if (orders.every((leg) => remaining(leg) > 0n)) return happenings;
  closeList(exchange, market, list);
  const over = orders.map((leg) => ended(exchange, market, leg, "EXPIRED", ""));
  return [...happenings, ...over, listedOf(market, list, "ALL_DONE")];
}

function shrink(
  exchange: ModelState,
  market: ModelMarket,
  order: ModelOrder,
  quantity: Amount,
  id = order.clientOrderId,
): Happening {
  const { orderId, clientOrderId: origClientOrderId, quantity: origQuantity, executed } = order;
  order.quantity = quantity;
  order.clientOrderId = id;
  order.updateTimeMs = exchange.nowMs;
  order.amendments++;
  if (order.place === "book") market.touched = true;
  if (order.visible > remaining(order)) order.visible = remaining(order);
  return { kind: "amended", orderId, clientOrderId: id, origClientOrderId, quantity, origQuantity, executed };
}

/** Returns what an order outside a list has to lock. A stop order without a price pays its stop price. */
function ownNeed(market: ModelMarket, order: ModelOrder): Amount {
  return amountToLock(market, order.side, dearest(market, order), remaining(order));
}

function relock(exchange: ModelState, market: ModelMarket, order: ModelOrder): void {
  const needed = ownNeed(market, order);
  exchange.money.lock(order.accountId, paidAsset(market, order.side), needed - order.locked);
  order.locked = needed;
}
