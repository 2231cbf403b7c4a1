/**
 * Matching: an order trades with the opposite side of the book, best price first, oldest first, at the makers' prices.
 * Each fill is settled in the ledger, and triggers waiting orders.
 */
import { isOutside, type PriceBand } from "../filters.ts";
import type { Fill } from "../entry/event.ts";
import { quoteOf } from "../numbers.ts";
import type { Rates } from "../state/accounts.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import { buysAtAnyPrice, extrasOf, type Order } from "../state/order/order.ts";
import { commissionOf, payCommission } from "./commission.ts";
import { claimFunds, endOpenOrder, expireOrder, expireSibling, finishList, OTHER_LEG_WORKS } from "./end-orders.ts";
import {
  affordableLots,
  fundsFor,
  fundsToWait,
  isShortOfQuote,
  spendBase,
  spendQuote,
  spentAssetId,
  sweep,
} from "./order-funds.ts";
import type { Pegging } from "../state/order/pegging.ts";
import { pegTicks } from "./peg.ts";
import {
  type ExpiryReason,
  hasPrice,
  isClosed,
  NO_TRADE_GROUP,
  opposite,
  priceInEffect,
  sellsReceived,
} from "../entry/order-record.ts";
import { checkPeggedPrice, overflowsLevel } from "./check.ts";
import { isOwn, reachableOffers } from "./reachable-offers.ts";
import { preventTrade } from "./prevention.ts";

// Settlement: a fill becomes postings and a trade. Interface 3.3.

/**
 * Settles a trade of this many lots between the taker and the maker, at the maker's price. `range` is that of the taker.
 */
function settle(
  state: ExchangeState,
  market: Market,
  taker: Order,
  maker: Order,
  lots: number,
  range: PriceBand | null,
): void {
  const { priceTicks } = maker;
  const list = claimFunds(state, maker);
  const base = market.baseOf(lots);
  const quote = quoteOf(market.quoteScale, priceTicks, lots);
  const [takes, makes] = taker.side === "BUY" ? [base, quote] : [quote, base];
  const taken = { lots, prevented: null, quote, commission: commissionOf(takes, ratesOf(state, taker).takerBps) };
  const made = { lots, prevented: null, quote, commission: commissionOf(makes, ratesOf(state, maker).makerBps) };
  countFill(state, taker, maker);
  market.book.fill(maker, lots);
  taker.execute(taken, state.nowMs);
  maker.execute(made, state.nowMs);
  if (taker.extras !== null && isShortOfQuote(state, market, taker, priceTicks, range)) taker.leaveUnfilled();
  state.orders.reduce(maker, lots);
  if (maker.status === "FILLED") state.orders.remove(maker);

  exchange(state, market, taker, maker, { lots, base, quote });
  const takerFill = payCommission(state, market, taker, taken.commission);
  const makerFill = payCommission(state, market, maker, made.commission);
  const tradeId = market.lastTradeId + 1;
  market.recordTrade(tradeId, priceTicks, lots, quote, state.nowMs);
  state.emit({
    type: "trade",
    symbolId: market.symbolId,
    tradeId,
    aggTradeId: market.lastAggTradeId,
    timeMs: state.nowMs,
    priceTicks,
    lots,
    quote,
    takerSide: taker.side,
    taker: takerFill,
    maker: makerFill,
  });
  if (taker.extras !== null) fillWorking(state, market, taker, base, takerFill);
  if (maker.extras !== null) fillWorking(state, market, maker, base, makerFill);
  if (list !== undefined) {
    endOpenOrder(state, market, list.stopLeg, OTHER_LEG_WORKS);
    finishList(state, list);
  }
}

/**
 * After a fill of the working order of a list. If the pending orders sell what it buys, the bought amount is locked for
 * them. A filled working order queues its pending orders, ahead of the orders that this trade triggers.
 */
function fillWorking(state: ExchangeState, market: Market, order: Order, base: bigint, fill: Fill): void {
  const list = state.orderLists.startedBy(order);
  if (list === undefined) return;
  if (sellsReceived(list.record.kind)) {
    const { accountId } = order;
    const { baseAssetId } = market;
    const commission = fill.commissionAssetId === baseAssetId ? fill.commission : 0n;
    // The commission is paid from what was free before, if that was enough. An account may pay as the seller, too.
    const { free } = state.ledger.balance(accountId, baseAssetId);
    const received = free >= base ? base : least(free, base - commission);
    state.ledger.lock(accountId, baseAssetId, received);
    list.held += received;
  }
  if (order.status === "FILLED") state.triggered.push(list.pending[0] as Order);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The first fill of an order gives its account places back under the limits on orders. */
function countFill({ placedCounts }: ExchangeState, taker: Order, maker: Order): void {
  const { fillCredits } = placedCounts;
  if (fillCredits.taker > 0 && taker.executedLots === 0) placedCounts.takeOff(taker.accountId, fillCredits.taker);
  if (fillCredits.maker > 0 && maker.executedLots === 0) placedCounts.takeOff(maker.accountId, fillCredits.maker);
}

function ratesOf({ accounts }: ExchangeState, { accountId, symbolId }: Order): Rates {
  return accounts.rates(accountId, symbolId);
}

/**
 * The exchanged amounts: `base` are the `lots` in units of the base asset, `quote` their price in units of the quote
 * asset.
 */
interface Traded {
  readonly lots: number;
  readonly base: bigint;
  readonly quote: bigint;
}

/** Pays quote to the seller and base to the buyer, and releases what the buyer no longer needs to lock. */
function exchange({ ledger }: ExchangeState, market: Market, taker: Order, maker: Order, traded: Traded): void {
  const { baseAssetId, quoteAssetId } = market;
  const { lots, base, quote } = traded;
  const [buyer, seller] = taker.side === "BUY" ? [taker, maker] : [maker, taker];
  const [buyerId, sellerId] = [buyer.accountId, seller.accountId];
  ledger.payLocked({ assetId: quoteAssetId, amount: quote, from: buyerId, to: sellerId, reason: "trade" });
  ledger.payLocked({ assetId: baseAssetId, amount: base, from: sellerId, to: buyerId, reason: "trade" });
  spendBase(seller, base);
  ledger.release(buyerId, quoteAssetId, spendQuote(market, buyer, lots, quote));
}

/** Trades until the taker is filled, no price is acceptable or in its range, or the taker cannot pay. */
function matchOrder(state: ExchangeState, market: Market, taker: Order, range: PriceBand | null): void {
  const side = opposite(taker.side);
  const prevents = taker.selfTradePrevention !== "NONE";
  const tradeGroupId = prevents ? state.accounts.tradeGroupOf(taker.accountId) : NO_TRADE_GROUP;
  let lastPriceTicks = 0;
  while (taker.leftLots > 0) {
    const maker = market.book.best(side);
    if (maker === undefined || !accepts(taker, maker.priceTicks)) break;
    if (range !== null && isOutside(range, maker.priceTicks)) break;
    if (prevents && isOwn(state, taker.accountId, tradeGroupId, maker)) {
      if (!preventTrade(state, market, taker, maker, tradeGroupId)) break;
      continue;
    }
    const wanted = Math.min(taker.leftLots, maker.visibleLots);
    const lots = affordableLots(state, market, taker, maker, wanted);
    if (lots === 0) break;
    // Trades of one taker at one price are one aggregate trade.
    if (maker.priceTicks !== lastPriceTicks) market.lastAggTradeId++;
    lastPriceTicks = maker.priceTicks;
    settle(state, market, taker, maker, lots, range);
    market.triggers.take(lastPriceTicks, state.nowMs, state.triggered);
    // The taker has spent its money except for a rounding remainder, which must not pay for further fills.
    if (lots < wanted) break;
  }
  if (lastPriceTicks !== 0) market.touchBook(state.seq);
}

function accepts(taker: Order, priceTicks: number): boolean {
  if (!hasPrice(taker.type)) return true;
  return taker.side === "BUY" ? priceTicks <= taker.priceTicks : priceTicks >= taker.priceTicks;
}

// An order trades, and its remainder rests or expires. Interface 3.1.

/** Matches an order, and rests or ends the remainder. The prices at which it may trade are fixed when it begins. */
export function meetBook(state: ExchangeState, market: Market, order: Order): void {
  const range = takerRange(state, market, order);
  const isFok = order.timeInForce === "FOK";
  if (!isFok || isFillable(state, market, order, range)) matchOrder(state, market, order, range);
  if (isClosed(order.status)) return;
  if (range !== null && isStoppedBy(range, state, market, order)) {
    return expireOrder(state, market, order, "EXECUTION_RULE_PRICE_RANGE_EXCEEDED");
  }
  const rests = hasPrice(order.type) && order.timeInForce === "GTC" && !overflowsLevel(market, order);
  if (rests) restOrder(state, market, order);
  else expireOrder(state, market, order, whyExpired(market, order));
}

/** The prices at which an order may trade; null if all are allowed, or if it does not trade at all. */
function takerRange({ nowMs }: ExchangeState, market: Market, order: Order): PriceBand | null {
  if (market.spec.priceRange === undefined) return null;
  const bestTicks = market.book.bestTicks(opposite(order.side));
  return bestTicks !== 0 && accepts(order, bestTicks) ? market.rangeOf(order.side, nowMs) : null;
}

/** Whether an order that is not filled would trade on, outside its range. A FOK order has not begun to trade. */
function isStoppedBy(range: PriceBand, state: ExchangeState, market: Market, order: Order): boolean {
  if (order.timeInForce === "FOK") return isFillable(state, market, order, null);
  const bestTicks = market.book.bestTicks(opposite(order.side));
  return bestTicks !== 0 && accepts(order, bestTicks) && isOutside(range, bestTicks);
}

/** Why the remainder of an order does not rest. A stop that buys at any price may have run out of money. */
function whyExpired(market: Market, order: Order): ExpiryReason {
  if (order.timeInForce === "FOK") return "UNFILLED_FOK_ORDER_EXPIRED";
  if (order.timeInForce === "IOC") return "UNFILLED_IOC_QUANTITY_EXPIRED";
  if (hasPrice(order.type)) return "EXCHANGE_CANCELED";
  const isShortOfMoney = buysAtAnyPrice(order) && market.book.bestTicks(opposite(order.side)) !== 0;
  return isShortOfMoney ? "REJECTED" : "INSUFFICIENT_LIQUIDITY";
}

/** Adds an order to the book and to the open orders. */
export function restOrder(state: ExchangeState, market: Market, order: Order): void {
  order.show(Math.min(order.icebergLots, order.leftLots));
  market.book.add(order);
  market.touchBook(state.seq);
  state.orders.add(order);
}

/** Whether a FOK order could be filled completely now. */
function isFillable(state: ExchangeState, market: Market, order: Order, range: PriceBand | null): boolean {
  const { side, priceTicks } = order;
  const offers = reachableOffers(state, market, order, order.selfTradePrevention, range);
  const accepts = (ticks: number): boolean => (side === "BUY" ? ticks <= priceTicks : ticks >= priceTicks);
  let left = order.leftLots;
  for (const stretch of offers?.fillable() ?? market.book.stretches(opposite(side))) {
    if (accepts(stretch.worstTicks)) left -= Math.min(left, stretch.totals(market.quoteScale).lots);
    else {
      for (const level of stretch.levels()) {
        if (!accepts(level.priceTicks)) return false;
        left -= Math.min(left, level.visibleLots + level.hiddenLots);
        if (left === 0) return true;
      }
      return false;
    }
    if (left === 0) return true;
  }
  return false;
}

/** Executes a waiting order whose stop price was reached. It is already removed from `market.triggers`. */
export function trigger(state: ExchangeState, market: Market, order: Order): void {
  const list = expireSibling(state, market, order);
  state.orders.remove(order);
  if (list !== undefined) releaseExcessFunds(state, market, order);
  if (order.peg !== null && !takePrice(state, market, order, order.peg)) {
    expireOrder(state, market, order, "REJECTED");
    if (list !== undefined) finishList(state, list);
    return;
  }
  startWork(state, order);
  if (state.edition >= 2 && buysAtAnyPrice(order)) takeFromFree(state, market, order);
  state.emit({ type: "orderOpened", order: order.record() });
  if (list !== undefined) finishList(state, list);
  meetBook(state, market, order);
}

/**
 * A pegged stop order takes its price from the book, and locks what it needs at this price. Returns false if the level
 * is missing, a filter rejects the price, or the account cannot pay.
 */
function takePrice(state: ExchangeState, market: Market, order: Order, peg: Pegging): boolean {
  const peggedTicks = pegTicks(market, order.side, peg);
  if (peggedTicks === 0) return false;
  const pegging = { ...peg, peggedTicks };
  if (checkPeggedPrice(market, order, pegging, state.nowMs) !== null) return false;
  const { side, type: orderType, stopTicks } = order;
  const priceTicks = priceInEffect({ side, priceTicks: peg.sentTicks, peggedTicks });
  const extras = extrasOf(order);
  const missing = fundsFor(market, { side, orderType, priceTicks, stopTicks }, order.leftLots) - extras.locked;
  const assetId = spentAssetId(market, side);
  if (missing > 0n) {
    if (!mayTrade(state, order) || state.ledger.balance(order.accountId, assetId).free < missing) return false;
    state.ledger.lock(order.accountId, assetId, missing);
  } else state.ledger.release(order.accountId, assetId, -missing);
  extras.locked += missing;
  order.takePrice(pegging, priceTicks);
  return true;
}

function mayTrade({ accounts }: ExchangeState, { accountId }: Order): boolean {
  const account = accounts.get(accountId);
  return account !== undefined && account.canTrade && account.isEnabled;
}

function startWork({ edition, nowMs }: ExchangeState, order: Order): void {
  const extras = extrasOf(order);
  extras.isWorking = true;
  if (edition >= 5) extras.workedMs = nowMs;
  order.change(order.status, nowMs);
}

/**
 * The leg has locked the larger of the amounts that the two legs need. Releases what this leg does not need by itself.
 */
function releaseExcessFunds(state: ExchangeState, market: Market, leg: Order): void {
  const extras = extrasOf(leg);
  const surplus = extras.locked - fundsToWait(market, leg);
  state.ledger.release(leg.accountId, spentAssetId(market, leg.side), surplus);
  extras.locked -= surplus;
}

/**
 * The book's prices may be above the stop price. The account's free balance pays the difference as far as possible. If
 * the account may no longer trade, only the locked amount of the order is used.
 */
function takeFromFree(state: ExchangeState, market: Market, order: Order): void {
  if (!mayTrade(state, order)) return;
  const extras = extrasOf(order);
  const range = market.rangeOf(order.side, state.nowMs);
  const offers = reachableOffers(state, market, order, order.selfTradePrevention, range);
  const assetId = spentAssetId(market, order.side);
  const { free } = state.ledger.balance(order.accountId, assetId);
  const cost = sweep(market, order.side, order.leftLots, offers?.payable(), extras.locked + free).quote;
  const missing = cost - extras.locked;
  if (missing <= 0n) return;
  const taken = missing < free ? missing : free;
  state.ledger.lock(order.accountId, assetId, taken);
  extras.locked += taken;
}
