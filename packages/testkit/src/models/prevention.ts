/**
 * Self-trade prevention in the model: which orders are of one account or trade group, and what they lose instead of
 * trading with each other. Decision 93.
 */
import type { PlaceOrder, SelfTradePreventionMode } from "@pricetime/engine";
import type { Happening, Loss, Prevented } from "./happening.ts";
import type { ModelList } from "./lists.ts";
import { isPriced, type ModelMarket, type ModelOrder, paidAsset, remaining } from "./market.ts";
import { type Amount, productFloor } from "./money.ts";
import { afterExpiry, amountToLock, dearest, ended, listedOf, liveList, queueAgain } from "./order-ends.ts";
import type { ModelState } from "./state.ts";

/** What matters about an order when it meets the book. */
export type Taker = Pick<ModelOrder, "accountId" | "side" | "prevention">;

/** The order of a command, as it would meet the book. */
export function takerOf(exchange: ModelState, market: ModelMarket, command: PlaceOrder): Taker {
  const { accountId, side, selfTradePrevention = "DEFAULT" } = command;
  const ofInterface = exchange.interface === "today" ? "EXPIRE_MAKER" : "NONE";
  const usual = market.spec.selfTradePrevention?.defaultMode ?? ofInterface;
  const prevention = selfTradePrevention === "DEFAULT" ? usual : selfTradePrevention;
  return { accountId, side, prevention: exchange.edition < 5 ? "NONE" : prevention };
}

/** The master whose accounts form a trade group with the account; -1 if there is none. */
function groupOf({ accounts }: ModelState, accountId: number): number {
  const masterId = accounts.get(accountId)?.masterId ?? accountId;
  return accounts.get(masterId)?.isTradeGroup === true ? masterId : -1;
}

export function isOwn(exchange: ModelState, taker: Taker, maker: ModelOrder): boolean {
  if (taker.accountId === maker.accountId) return true;
  const group = groupOf(exchange, taker.accountId);
  return group !== -1 && group === groupOf(exchange, maker.accountId);
}

export interface Step {
  readonly maker: ModelOrder;
  readonly quantity: Amount;
  /** NONE: the orders trade. */
  readonly mode: SelfTradePreventionMode;
  /** Whether the quantity and its price change hands. */
  readonly isPaid: boolean;
}

/**
 * Prevents a trade: takes quantity from one order or from both, without a fill. Everything that the orders lock is
 * released first, and locked again as far as they still need it.
 */
export function prevent(exchange: ModelState, market: ModelMarket, taker: ModelOrder, step: Step): Happening[] {
  const { maker, mode, quantity, isPaid } = step;
  const isShared = mode === "DECREMENT" || mode === "TRANSFER";
  const takerLoses = isShared ? quantity : mode === "EXPIRE_MAKER" ? 0n : remaining(taker);
  const makerLoses = isShared ? quantity : mode === "EXPIRE_TAKER" ? 0n : remaining(maker);
  const list = makerLoses > 0n ? liveList(exchange, maker) : undefined;
  const quote = productFloor(maker.price, quantity, market.quotePlaces);
  const before = { taker: taker.locked, maker: list?.locked ?? maker.locked };
  relock(exchange, market, taker, 0n);
  relock(exchange, market, list ?? maker, 0n, maker);
  for (const [order, lost] of [[taker, takerLoses] as const, [maker, makerLoses] as const]) {
    order.prevented += lost;
    if (lost > 0n) order.updateTimeMs = exchange.nowMs;
  }
  if (isPaid) {
    const [buyer, seller] = taker.side === "BUY" ? [taker, maker] : [maker, taker];
    exchange.money.pay(buyer.accountId, "free", seller.accountId, market.quote, quote);
    exchange.money.pay(seller.accountId, "free", buyer.accountId, market.base, quantity);
  }
  const paid = !isPaid ? 0n : taker.side === "BUY" ? quote : quantity;
  relock(exchange, market, taker, keptBy(market, taker, before.taker - paid));
  let otherLeg: ModelOrder | null = null;
  if (makerLoses > 0n) {
    market.touched = true;
    if (remaining(maker) === 0n) leave(market, maker);
    else {
      queueAgain(exchange, market, maker, quantity);
      if (list !== undefined) otherLeg = list.stopLeg;
    }
  }
  if (otherLeg !== null) {
    otherLeg.prevented += makerLoses;
    otherLeg.updateTimeMs = exchange.nowMs;
  }
  if (list === undefined) relock(exchange, market, maker, makerLoses === 0n ? before.maker : keptBy(market, maker, 0n));
  else if (otherLeg !== null) {
    const [a, b] = [keptBy(market, otherLeg, 0n), keptBy(market, maker, 0n)];
    relock(exchange, market, list, a > b ? a : b, maker);
  }
  if (remaining(taker) === 0n) leave(market, taker);
  const prevented: Prevented = {
    kind: "prevented",
    symbol: market.spec.symbol,
    id: market.preventions++,
    mode,
    tradeGroupId: groupOf(exchange, taker.accountId),
    price: maker.price,
    quantity,
    quote,
    isTransfer: isPaid,
    taker: lossOf(taker, takerLoses),
    maker: lossOf(maker, makerLoses),
    otherLeg: otherLeg === null ? null : lossOf(otherLeg, makerLoses),
  };
  const ofWorking = [maker, taker].flatMap((order) =>
    order.place === "over" ? afterExpiry(exchange, market, order) : [],
  );
  if (list === undefined || otherLeg !== null) return [prevented, ...ofWorking];
  exchange.lists = exchange.lists.filter((other) => other !== list);
  const sibling = ended(exchange, market, list.stopLeg, "EXPIRED", "", "OCO_TRIGGER");
  return [prevented, sibling, listedOf(market, list, "ALL_DONE"), ...ofWorking];
}

/** Sets the amount that an order, or the list of which it is a leg, has locked. */
function relock(
  exchange: ModelState,
  market: ModelMarket,
  holder: ModelOrder | ModelList,
  locked: Amount,
  order = holder as ModelOrder,
): void {
  exchange.money.lock(order.accountId, paidAsset(market, order.side), locked - holder.locked);
  holder.locked = locked;
}

/** What an order locks for its remaining quantity. `rest` is what an order at market price has left of its amount. */
function keptBy(market: ModelMarket, order: ModelOrder, rest: Amount): Amount {
  const left = remaining(order);
  if (left === 0n) return 0n;
  if (order.type === "MARKET") return rest;
  if (order.side === "SELL") return left;
  if (!isPriced(order.type) && order.place === "running") return rest;
  return amountToLock(market, "BUY", dearest(market, order), left);
}

function leave(market: ModelMarket, order: ModelOrder): void {
  order.place = "over";
  market.orders = market.orders.filter((other) => other !== order);
}

function lossOf(order: ModelOrder, lost: Amount): Loss {
  const { orderId, clientOrderId, prevented, executed } = order;
  const status = order.place === "over" ? "EXPIRED_IN_MATCH" : executed > 0n ? "PARTIALLY_FILLED" : "NEW";
  return { orderId, clientOrderId, lost, prevented, status };
}
