/**
 * How orders of the model leave the book, alone or with their list, and what they lock until then. Also the orders that
 * end because an operator ends them, or because their account or symbol can no longer trade.
 */
import type { Command, ExpiryReason, Side, SymbolStatus } from "@pricetime/engine";
import { type Answer, type Ended, type Happening, type Listed, plainResult } from "./happening.ts";
import type { ModelList, ModelOto } from "./lists.ts";
import { isPriced, type ModelMarket, type ModelOrder, paidAsset, price, remaining, standsAbove } from "./market.ts";
import { type Amount, productCeil } from "./money.ts";
import type { ModelState } from "./state.ts";
import { isFollowing, riseOf } from "./trailing.ts";

/** Ends an order: removes it from the book and releases its locked amount. */
export function ended(
  exchange: ModelState,
  market: ModelMarket,
  order: ModelOrder,
  status: "CANCELED" | "EXPIRED",
  cancelClientOrderId: string,
  why: ExpiryReason = "NONE",
): Ended {
  exchange.money.lock(order.accountId, paidAsset(market, order.side), -order.locked);
  order.locked = 0n;
  if (order.place === "book") market.touched = true;
  order.place = "over";
  market.orders = market.orders.filter((other) => other !== order);
  const { orderId, clientOrderId, executed, executedQuote } = order;
  const expiryReason = exchange.edition < 5 ? "NONE" : why;
  return { kind: "ended", status, orderId, clientOrderId, executed, executedQuote, cancelClientOrderId, expiryReason };
}

// Order lists: two orders that share one locked amount. When the first one trades or ends, the other is ended.
// Interface 3.5.

export function listedOf(market: ModelMarket, list: ModelList | ModelOto, status: Listed["status"]): Listed {
  const { orderListId, listClientOrderId, accountId, kind: listKind } = list;
  const orders =
    "pending" in list
      ? [list.working, ...list.pending]
      : [...(list.after === null ? [] : [list.after]), list.stopLeg, list.limitLeg];
  return {
    kind: "listed",
    status,
    orderListId,
    listClientOrderId,
    accountId,
    symbol: market.spec.symbol,
    listKind,
    ids: orders.map(({ clientOrderId }) => clientOrderId),
  };
}

export function otoOf(exchange: ModelState, order: ModelOrder): ModelOto | undefined {
  return exchange.otos.find(({ working, pending }) => working === order || pending.includes(order));
}

/** Ends the pending orders of a list, and the list. Frees what it holds. */
function closeOto(
  exchange: ModelState,
  market: ModelMarket,
  oto: ModelOto,
  end: (order: ModelOrder) => Ended,
): Happening[] {
  exchange.otos = exchange.otos.filter((other) => other !== oto);
  exchange.money.lock(oto.accountId, market.base, -oto.held);
  return [...oto.pending.map(end), listedOf(market, oto, "ALL_DONE")];
}

/** What follows for a list if this order was its working order, and has ended without being filled. */
export function afterExpiry(exchange: ModelState, market: ModelMarket, order: ModelOrder): Happening[] {
  const oto = exchange.otos.find(({ working }) => working === order);
  if (oto === undefined) return [];
  return closeOto(exchange, market, oto, (each) =>
    ended(exchange, market, each, "EXPIRED", "", "OTO_PHASE_ONE_EXPIRED"),
  );
}

/** Cancels all orders of a list that waits for its working order. */
export function cancelOto(
  exchange: ModelState,
  market: ModelMarket,
  oto: ModelOto,
  cancelClientOrderId: string,
): Happening[] {
  const over = (order: ModelOrder) => ended(exchange, market, order, "CANCELED", cancelClientOrderId);
  return [over(oto.working), ...closeOto(exchange, market, oto, over)];
}

/** Cancels both orders of a list at the account's request, the stop leg first. */
export function cancelList(
  exchange: ModelState,
  market: ModelMarket,
  list: ModelList,
  cancelClientOrderId: string,
): Happening[] {
  closeList(exchange, market, list);
  const over = (order: ModelOrder) => ended(exchange, market, order, "CANCELED", cancelClientOrderId);
  return [over(list.stopLeg), over(list.limitLeg), listedOf(market, list, "ALL_DONE")];
}

/** Removes the list and releases its locked amount. */
export function closeList(exchange: ModelState, market: ModelMarket, list: ModelList): void {
  exchange.lists = exchange.lists.filter((other) => other !== list);
  exchange.money.lock(list.accountId, paidAsset(market, list.stopLeg.side), -list.locked);
}

export function liveList(exchange: ModelState, order: ModelOrder): ModelList | undefined {
  return exchange.lists.find(({ stopLeg, limitLeg }) => order === stopLeg || order === limitLeg);
}

/** Returns the amount that an order locks while it rests, or would lock if it rested. */
export function amountToLock(market: ModelMarket, side: Side, limit: Amount, quantity: Amount): Amount {
  return side === "SELL" ? quantity : productCeil(limit, quantity, market.quotePlaces);
}

/**
 * Returns the price at which an order to buy is paid at most, as far as it is known. A trailing stop without a price of its own
 * locks the lowest price that would trigger it from its stop price, or from the last price at its placement.
 */
export function dearest(
  market: ModelMarket,
  { type, price: ownPrice, stopPrice, trailing }: Pick<ModelOrder, "type" | "price" | "stopPrice" | "trailing">,
): Amount {
  // A pegged stop order may have no price yet.
  if (isPriced(type) && ownPrice !== 0n) return ownPrice;
  if (trailing === null) return stopPrice;
  return riseOf(price(market, 1), stopPrice === 0n ? trailing.start : stopPrice, trailing.delta);
}

/** Shows the next slice of an iceberg at the end of the queue, or removes an order without a remaining quantity. */
export function queueAgain(exchange: ModelState, market: ModelMarket, maker: ModelOrder, traded: Amount): void {
  maker.visible -= traded;
  const left = remaining(maker);
  if (left === 0n) {
    maker.place = "over";
    market.orders = market.orders.filter((order) => order !== maker);
  }
  if (maker.visible > 0n || left === 0n) return;
  maker.visible = left < maker.icebergQty ? left : maker.icebergQty;
  maker.arrival = ++exchange.lastArrival;
}

// Orders that an operator ends.

export type OrderEnds =
  | Command<"endOrder">
  | Command<"endAccountOrders">
  | Command<"endSymbolOrders">
  | Command<"setDelisting">;

/** The maximum number of orders that one entry expires when all orders of a symbol are ended. */
const MOST_A_STEP = 1000;

export function endOrders(exchange: ModelState, command: OrderEnds): Answer {
  switch (command.type) {
    case "endOrder": {
      const { symbol } = command;
      if (exchange.hasOrderIdsBySymbol !== (symbol !== undefined)) return "INVALID_VALUE";
      const market = symbol === undefined ? undefined : marketOf(exchange, symbol);
      if (symbol !== undefined && market === undefined) return "UNKNOWN_SYMBOL";
      const all = market?.orders ?? exchange.markets.flatMap(({ orders }) => orders);
      const order = all.find(({ orderId }) => orderId % 2 ** 38 === command.orderId);
      return order === undefined ? "UNKNOWN_ORDER" : expireOrder(exchange, order);
    }
    case "endAccountOrders": {
      const { accountId, symbol } = command;
      if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
      if (symbol === undefined) return expireOrdersOf(exchange, accountId);
      const market = marketOf(exchange, symbol);
      return market === undefined ? "UNKNOWN_SYMBOL" : expireOrdersOf(exchange, accountId, market);
    }
    case "endSymbolOrders": {
      const market = marketOf(exchange, command.symbol);
      if (market === undefined) return "UNKNOWN_SYMBOL";
      if (statusOf(market, exchange.nowMs) === "TRADING") return "SYMBOL_TRADES";
      const happenings = expireSome(exchange, market, MOST_A_STEP);
      market.isEnding = market.orders.length > 0;
      return [...happenings, changed(market)];
    }
    case "setDelisting": {
      const market = marketOf(exchange, command.symbol);
      if (market === undefined) return "UNKNOWN_SYMBOL";
      if (isDelistedBy(market, exchange.nowMs)) return "DELISTED";
      if (command.atMs !== null && command.atMs <= exchange.nowMs) return "INVALID_VALUE";
      market.delistedFromMs = command.atMs ?? Number.POSITIVE_INFINITY;
      return [changed(market)];
    }
  }
}

/** Expires the account's orders, oldest first. */
export function expireOrdersOf(exchange: ModelState, accountId: number, market?: ModelMarket): Happening[] {
  const orders = exchange.openOrders(accountId);
  return expireAll(exchange, market === undefined ? orders : orders.filter((order) => market.orders.includes(order)));
}

export function isDelistedBy({ delistedFromMs }: ModelMarket, nowMs: number): boolean {
  return delistedFromMs <= nowMs;
}

export function statusOf(market: ModelMarket, nowMs: number): SymbolStatus {
  return isDelistedBy(market, nowMs) ? "BREAK" : market.status;
}

/** The effects of time: delists symbols, then expires more orders of symbols whose orders are being ended. */
export function endInTime(exchange: ModelState): Happening[] {
  const due = exchange.markets.filter((market) => isDelistedBy(market, exchange.nowMs) && !market.isDelisted);
  for (const market of due) {
    market.isDelisted = true;
    market.status = "BREAK";
    market.isEnding = true;
  }
  const happenings = due.map(changed);
  let left = MOST_A_STEP;
  for (const market of exchange.markets) {
    if (!market.isEnding || left <= 0) continue;
    const before = market.orders.length;
    happenings.push(...expireSome(exchange, market, left));
    left -= before - market.orders.length;
    if (market.orders.length > 0) continue;
    market.isEnding = false;
    happenings.push(changed(market));
  }
  return happenings;
}

/**
 * Expires the first `most` orders, or a few more if the last one is part of a list, because the orders of a list end
 * together. Pending orders end with their working order, which is on the book.
 */
function expireSome(exchange: ModelState, market: ModelMarket, most: number): Happening[] {
  const before = market.orders.length;
  return inTurn(market).flatMap((order) => {
    const isEnough = before - market.orders.length >= most;
    return isEnough || order.place === "over" ? [] : expireOrder(exchange, order);
  });
}

/**
 * Returns orders in the order of their expiry: first the book (bids, then asks, best price first), then orders that
 * wait for a rise, then orders that wait for a fall, then trailing stops that follow the price: SELL before BUY, by
 * their delta, and those that began first.
 */
function inTurn({ orders }: ModelMarket): ModelOrder[] {
  const [onBook, others] = [orders.filter(isOnBook), orders.filter(({ place }) => place === "waiting")];
  const [following, waiting] = [others.filter(isFollowing), others.filter((order) => !isFollowing(order))];
  const bids = onBook.filter(({ side }) => side === "BUY");
  const asks = onBook.filter(({ side }) => side === "SELL");
  const above = waiting.filter(({ type, side }) => standsAbove(type, side));
  const below = waiting.filter(({ type, side }) => !standsAbove(type, side));
  return [
    ...bids.sort((a, b) => Number(b.price - a.price) || a.arrival - b.arrival),
    ...asks.sort((a, b) => Number(a.price - b.price) || a.arrival - b.arrival),
    ...above.sort((a, b) => Number(a.stopPrice - b.stopPrice) || a.waitingSince - b.waitingSince),
    ...below.sort((a, b) => Number(b.stopPrice - a.stopPrice) || a.waitingSince - b.waitingSince),
    ...(["SELL", "BUY"] as const).flatMap((side) =>
      following
        .filter((order) => order.side === side)
        .sort((a, b) => Number(a.trailing!.delta - b.trailing!.delta) || a.arrival - b.arrival),
    ),
  ];
}

function isOnBook({ place }: ModelOrder): boolean {
  return place === "book";
}

function expireAll(exchange: ModelState, orders: readonly ModelOrder[]): Happening[] {
  // The order may already have ended together with the other order of its list.
  return orders.flatMap((order) => (order.place === "over" ? [] : expireOrder(exchange, order)));
}

function expireOrder(exchange: ModelState, order: ModelOrder): Happening[] {
  const market = exchange.markets[order.symbolId]!;
  const oto = otoOf(exchange, order);
  if (oto !== undefined) {
    const { working } = oto;
    return [
      ended(exchange, market, working, "EXPIRED", "", "EXCHANGE_CANCELED"),
      ...afterExpiry(exchange, market, working),
    ];
  }
  const list = liveList(exchange, order);
  const end = (each: ModelOrder) => ended(exchange, market, each, "EXPIRED", "", "EXCHANGE_CANCELED");
  if (list === undefined) return [end(order)];
  closeList(exchange, market, list);
  const over = [list.stopLeg, list.limitLeg].map(end);
  return [...over, listedOf(market, list, "ALL_DONE")];
}

function marketOf({ markets }: ModelState, symbol: string): ModelMarket | undefined {
  return markets.find(({ spec }) => spec.symbol === symbol);
}

function changed({ spec }: ModelMarket): Happening {
  return plainResult(`symbol ${spec.symbol} changed`);
}
