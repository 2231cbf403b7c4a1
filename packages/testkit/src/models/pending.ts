/**
 * Order lists of the model whose pending orders are placed when the working order is filled: OTO, OTOCO, OPO, OPOCO.
 * Decision 101.
 */
import type { ListLeg, PlaceOrder, PlaceOto, RejectReason } from "@pricetime/engine";
import type { Answer, Ended, Happening } from "./happening.ts";
import type { ModelOto } from "./lists.ts";
import {
  isAlgo,
  isPriced,
  lastPrice,
  lots,
  type ModelMarket,
  type ModelOrder,
  paidAsset,
  price,
  stepOrigin,
} from "./market.ts";
import { begin, newOrder, openedOf, run } from "./matching.ts";
import { amount, type Amount } from "./money.ts";
import { ended, listedOf } from "./order-ends.ts";
import { enter, entered, failingPegged, refusedPeg } from "./peg.ts";
import {
  duplicate,
  failingCount,
  forbidden,
  isOrdered,
  isPair,
  listsOf,
  needOf,
  openPair,
  refusedByMarket,
  unaffordable,
  wanted,
} from "./placing.ts";
import type { ModelState } from "./state.ts";

export function placeOto(exchange: ModelState, command: PlaceOto): Answer {
  if (exchange.edition < 5) return "OTO_NOT_SUPPORTED";
  if (exchange.wallet.isInMaintenance) return "MAINTENANCE";
  const market = exchange.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!exchange.accounts.has(command.accountId)) return "UNKNOWN_ACCOUNT";
  const { accountId, symbolId } = command;
  const single = (side: PlaceOrder["side"], quantityLots: number, leg: ListLeg): PlaceOrder => ({
    ...leg,
    ...{ type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n },
  });
  const working = single(command.working.side, command.working.quantityLots, command.working.leg);
  const legs = [command.pending, command.pendingLimit].filter((leg) => leg !== null);
  const sold = isOfReceived(command)
    ? asLots(market, sellable(market, legs, lots(market, working.quantityLots)), working.quantityLots)
    : command.pendingLots;
  const pending = legs.map((leg) => single(command.pendingSide, sold, leg));
  return (
    refusalOf(exchange, market, command, working, pending) ??
    unaffordable(exchange, market, working, needOf(exchange, market, working)) ??
    open(exchange, market, command, working, pending)
  );
}

function isOfReceived({ kind }: Pick<PlaceOto, "kind">): boolean {
  return kind === "OPO" || kind === "OPOCO";
}

function asLots(market: ModelMarket, quantity: Amount, asked: number): number {
  return asked < 0 ? asked : Number(quantity / lots(market, 1));
}

/** What a list may sell of a bought quantity: on the step of each filter that applies, and at most its maximum. */
function sellable(market: ModelMarket, legs: readonly Pick<PlaceOrder, "orderType">[], bought: Amount): Amount {
  const { lotSize, marketLotSize } = market.filters;
  let quantity = bought - (bought % lots(market, 1));
  for (const { orderType } of legs) {
    for (const filter of isPriced(orderType) ? [lotSize] : [lotSize, marketLotSize]) {
      if (filter === undefined) continue;
      const [min, max, step] = [amount(filter.minQty), amount(filter.maxQty), amount(filter.stepSize)];
      if (max !== 0n && quantity > max) quantity = max;
      const origin = stepOrigin(market, min);
      if (step === 0n) continue;
      const over = (quantity - origin) % step;
      quantity = quantity < origin ? 0n : quantity - over;
    }
  }
  return quantity;
}

function refusalOf(
  exchange: ModelState,
  market: ModelMarket,
  command: PlaceOto,
  working: PlaceOrder,
  pending: readonly PlaceOrder[],
): RejectReason | null {
  const all = [working, ...pending];
  const counted = all.map((order) => {
    const single = wanted(exchange, market, order);
    // An order that cannot stay open is no open iceberg, whatever it asks for.
    return { ...single, mayRest: true, icebergQty: single.mayRest ? single.icebergQty : 0n };
  });
  const lists = listsOf(exchange, command.accountId);
  const open = exchange.openOrders(command.accountId);
  const [stop, limit] = pending;
  const firstOf = (reasons: readonly (RejectReason | null)[]) => reasons.find((reason) => reason !== null) ?? null;
  return (
    firstOf(pending.map((order) => refusedPeg(exchange, market, order, false))) ??
    refusedPeg(exchange, market, working) ??
    failingPegged(market, working, wanted(exchange, market, working), exchange.nowMs) ??
    firstOf(pending.map((order) => failingLater(exchange, market, order))) ??
    failingCount(market, exchange.exchangeFilters, open, counted, lists) ??
    firstOf(all.map((order) => forbidden(exchange, market, order))) ??
    malformed(market, command, working, stop!, limit) ??
    (isTaken(exchange, command, all) ? "DUPLICATE_ORDER" : null) ??
    firstOf(all.map((order) => duplicate(market, order))) ??
    refusedByMarket(market, working)
  );
}

/** Checks only filters whose result is the same whenever the order is placed. */
function failingLater(exchange: ModelState, market: ModelMarket, order: PlaceOrder): RejectReason | null {
  const { percentPrice: _, percentPriceBySide: _bySide, maxPosition: _position, ...others } = market.filters;
  const { minNotional: _min, notional: _range, ...fixed } = others;
  const filters = isPriced(order.orderType) ? others : fixed;
  return failingPegged({ ...market, filters }, order, wanted(exchange, market, order), exchange.nowMs, false);
}

function malformed(
  market: ModelMarket,
  command: PlaceOto,
  working: PlaceOrder,
  stop: PlaceOrder,
  limit: PlaceOrder | undefined,
): RejectReason | null {
  const { kind } = command;
  const { otoAllowed = true, opoAllowed = true, ocoAllowed } = market.spec;
  if (!otoAllowed) return "OTO_NOT_SUPPORTED";
  const takesPair = kind === "OTOCO" || kind === "OPOCO";
  if (kind === "OCO" || takesPair !== (limit !== undefined)) return "UNSUPPORTED_COMBINATION";
  if (!["LIMIT", "LIMIT_MAKER"].includes(working.orderType)) return "UNSUPPORTED_COMBINATION";
  if (isOfReceived(command)) {
    if (!opoAllowed) return "OPO_NOT_SUPPORTED";
    const isBuyThenSell = working.side === "BUY" && command.pendingSide === "SELL";
    if (!isBuyThenSell || command.pendingLots !== 0) return "UNSUPPORTED_COMBINATION";
  }
  if (limit === undefined) return null;
  if (!ocoAllowed) return "OCO_NOT_SUPPORTED";
  if (!isPair(stop, limit)) return "UNSUPPORTED_COMBINATION";
  return isOrdered(market, stop, limit, null) ? null : "OCO_BAD_PRICES";
}

function isTaken(exchange: ModelState, command: PlaceOto, orders: readonly PlaceOrder[]): boolean {
  const isSame = orders.some((one, at) =>
    orders.slice(at + 1).some((other) => other.clientOrderId === one.clientOrderId),
  );
  const lists = listsOf(exchange, command.accountId);
  return isSame || lists.some(({ listClientOrderId }) => listClientOrderId === command.listClientOrderId);
}

function open(
  exchange: ModelState,
  market: ModelMarket,
  command: PlaceOto,
  first: PlaceOrder,
  others: readonly PlaceOrder[],
): Happening[] {
  const { listClientOrderId, accountId, symbolId, kind } = command;
  const orderListId = ++exchange.lastOrderListId;
  const working = newOrder(exchange, market, first, orderListId);
  const pending = others.map((order) => {
    const opened = newOrder(exchange, market, order, orderListId, undefined, true);
    opened.place = "pending";
    if (opened.trailing !== null) opened.trailing = { ...opened.trailing, start: 0n, sinceMs: -1, extreme: null };
    if (isOfReceived(command)) opened.quantity = 0n;
    market.orders.push(opened);
    return opened;
  });
  const head = { orderListId, listClientOrderId, accountId, symbolId, timeMs: exchange.nowMs, kind };
  const oto: ModelOto = { ...head, working, pending, held: 0n };
  exchange.otos.push(oto);
  const need = needOf(exchange, market, first);
  exchange.money.lock(accountId, paidAsset(market, working.side), need);
  working.locked = need;
  working.place = "running";
  const opened = [working, ...pending].map((order) => openedOf(market, order));
  return [...opened, listedOf(market, oto, "EXECUTING"), ...run(exchange, market, working)];
}

// The working order was filled: the pending orders are checked and placed as if they were sent now.

export function release(exchange: ModelState, market: ModelMarket, oto: ModelOto): Happening[] {
  exchange.otos = exchange.otos.filter((other) => other !== oto);
  exchange.money.lock(oto.accountId, market.base, -oto.held);
  market.orders = market.orders.filter((order) => !oto.pending.includes(order));
  if (isOfReceived(oto)) {
    const quantity = sellable(
      market,
      oto.pending.map(({ type }) => ({ orderType: type })),
      oto.held,
    );
    for (const order of oto.pending) order.quantity = quantity;
  }
  const commands = oto.pending.map((order) => asSent(market, order));
  const reasons = commands.map((command) => refusedNow(exchange, market, command));
  const [first, second] = oto.pending as [ModelOrder, ModelOrder?];
  if (second !== undefined) return releasePair(exchange, market, oto, commands, reasons);
  const reason = reasons[0] ?? unaffordable(exchange, market, commands[0]!, needOf(exchange, market, commands[0]!));
  const done = () => [listedOf(market, oto, "ALL_DONE")];
  if (reason !== null) return [expired(exchange, market, first, "REJECTED"), ...done()];
  placeNow(exchange, market, first);
  return begin(exchange, market, first, done);
}

function releasePair(
  exchange: ModelState,
  market: ModelMarket,
  oto: ModelOto,
  commands: readonly PlaceOrder[],
  reasons: readonly (RejectReason | null)[],
): Happening[] {
  const [stopLeg, limitLeg] = oto.pending as readonly [ModelOrder, ModelOrder];
  const [stop, limit] = commands as readonly [PlaceOrder, PlaceOrder];
  const needs = commands.map((command) => needOf(exchange, market, command));
  const locked = needs[0]! > needs[1]! ? needs[0]! : needs[1]!;
  const isOfLimit = reasons[0] === null && reasons[1] !== null;
  const isShort = unaffordable(exchange, market, stop, locked) !== null;
  if (reasons.some((reason) => reason !== null) || !isOrdered(market, stop, entered(market, limit)) || isShort) {
    return [
      expired(exchange, market, stopLeg, isOfLimit ? "OCO_TRIGGER" : "REJECTED"),
      expired(exchange, market, limitLeg, isOfLimit ? "REJECTED" : "OCO_TRIGGER"),
      listedOf(market, oto, "ALL_DONE"),
    ];
  }
  for (const leg of oto.pending) placeNow(exchange, market, leg);
  const { orderListId, listClientOrderId, accountId, symbolId, timeMs, kind } = oto;
  const head = { orderListId, listClientOrderId, accountId, symbolId, timeMs, kind };
  return openPair(exchange, market, { ...head, after: oto.working, stopLeg, limitLeg, locked });
}

/** A trailing stop without a stop price follows the price from here on. */
function placeNow(exchange: ModelState, market: ModelMarket, order: ModelOrder): void {
  if (!isAlgo(order.type)) enter(market, order);
  order.updateTimeMs = exchange.nowMs;
  order.waitingSince = ++exchange.lastArrival;
  if (order.trailing === null) return;
  order.arrival = ++exchange.lastArrival;
  if (order.stopPrice !== 0n) return;
  const extreme = lastPrice(market);
  order.trailing = { delta: order.trailing.delta, start: extreme ?? 0n, sinceMs: exchange.nowMs, extreme };
}

function expired(exchange: ModelState, market: ModelMarket, order: ModelOrder, why: "REJECTED" | "OCO_TRIGGER"): Ended {
  order.updateTimeMs = exchange.nowMs;
  return ended(exchange, market, order, "EXPIRED", "", why);
}

/** Why a pending order cannot be placed now. Its place among the open orders, and its mode, were granted before. */
function refusedNow(exchange: ModelState, market: ModelMarket, command: PlaceOrder): RejectReason | null {
  return (
    refusedPeg(exchange, market, command) ??
    failingPegged(market, command, wanted(exchange, market, command), exchange.nowMs) ??
    forbidden(exchange, market, { ...command, selfTradePrevention: "DEFAULT" }) ??
    refusedByMarket(market, command)
  );
}

function asSent(market: ModelMarket, order: ModelOrder): PlaceOrder {
  const ticks = (value: Amount) => Number(value / price(market, 1));
  const inLots = (value: Amount) => Number(value / lots(market, 1));
  return {
    type: "placeOrder",
    accountId: order.accountId,
    symbolId: order.symbolId,
    side: order.side,
    orderType: order.type,
    timeInForce: order.timeInForce,
    priceTicks: ticks(order.price),
    quantityLots: inLots(order.quantity),
    stopTicks: ticks(order.stopPrice),
    icebergLots: inLots(order.icebergQty),
    quoteOrderQty: 0n,
    clientOrderId: order.clientOrderId,
    selfTradePrevention: order.prevention,
    trailingDelta: Number(order.trailing?.delta ?? 0n),
    peg: order.peg === null ? null : { to: order.peg.to, level: order.peg.level },
  };
}
