/**
 * Self-trade prevention: an order does not trade with an order of its own account, or of its trade group. The mode of
 * the taker decides which of the two loses quantity instead. Nothing of this is a trade. Decision 93.
 */
import type { PlaceOrder } from "../entry/command.ts";
import { isClosed, type SelfTradePreventionMode } from "../entry/order-record.ts";
import { preventionRulesOf } from "../entry/symbol.ts";
import { quoteOf } from "../numbers.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { PairList } from "../state/order/order-lists.ts";
import { extrasOf, type Order } from "../state/order/order.ts";
import { claimFunds, endOpenOrder, endStartedBy, finishList, OTHER_LEG_WORKS } from "./end-orders.ts";
import { affordableLots, fundsToWait, spendPrevented, spentAssetId } from "./order-funds.ts";
import { modeBetween } from "./reachable-offers.ts";

/** The mode of an order: its own, or the default of the symbol. Before rules version 5, orders had none. */
export function preventionOf(
  { edition, interface: interfaceName }: ExchangeState,
  { spec }: Market,
  { selfTradePrevention = "DEFAULT" }: Pick<PlaceOrder, "selfTradePrevention">,
): SelfTradePreventionMode {
  if (edition < 5) return "NONE";
  return selfTradePrevention === "DEFAULT" ? preventionRulesOf(spec, interfaceName).defaultMode : selfTradePrevention;
}

/** Whether an order may have this mode on the symbol. */
export function allowsPrevention(state: ExchangeState, market: Market, command: PlaceOrder): boolean {
  const { selfTradePrevention = "DEFAULT" } = command;
  if (selfTradePrevention === "DEFAULT" || state.edition < 5) return true;
  return preventionRulesOf(market.spec, state.interface).allowedModes.includes(selfTradePrevention);
}

/** What the two orders lose, in lots. */
interface Loss {
  readonly takerLots: number;
  readonly makerLots: number;
}

function lossOf(mode: SelfTradePreventionMode, taker: Order, maker: Order, lots: number): Loss {
  if (mode === "DECREMENT" || mode === "TRANSFER") return { takerLots: lots, makerLots: lots };
  return {
    takerLots: mode === "EXPIRE_MAKER" ? 0 : taker.leftLots,
    makerLots: mode === "EXPIRE_TAKER" ? 0 : maker.leftLots,
  };
}

/** Prevents a trade between the two orders. Returns whether the taker may go on. */
export function preventTrade(
  state: ExchangeState,
  market: Market,
  taker: Order,
  maker: Order,
  tradeGroupId: number,
): boolean {
  const mode = modeBetween(taker.selfTradePrevention, maker);
  const isTransfer = mode === "TRANSFER" && taker.accountId !== maker.accountId;
  const wanted = Math.min(taker.leftLots, maker.visibleLots);
  const lots = isTransfer ? affordableLots(state, market, taker, maker, wanted) : wanted;
  if (lots === 0) return false;
  const { priceTicks } = maker;
  const quote = quoteOf(market.quoteScale, priceTicks, lots);
  const loss = lossOf(mode, taker, maker, lots);
  const preventedMatchId = market.preventedMatches++;
  const list = loss.makerLots > 0 ? claimFunds(state, maker) : undefined;
  const moved = isTransfer ? { base: market.baseOf(lots), quote } : NOTHING_MOVED;
  if (isTransfer) transfer(state, market, taker, maker, moved);
  if (loss.makerLots > 0) takeFromBook(state, market, maker, loss.makerLots);
  take(state, market, maker, { lots: loss.makerLots, preventedMatchId, moved, list });
  take(state, market, taker, { lots: loss.takerLots, preventedMatchId, moved, list: undefined });
  const isListOver = list !== undefined && isClosed(maker.status);
  state.emit({
    type: "tradePrevented",
    ...{ symbolId: market.symbolId, preventedMatchId, timeMs: state.nowMs, mode, tradeGroupId },
    ...{ takerSide: taker.side, priceTicks, lots, quote, ...loss, isTransfer },
    ...{ taker: taker.record(), maker: maker.record() },
    otherLeg: list === undefined || isListOver ? null : list.stopLeg.record(),
  });
  if (isListOver) {
    endOpenOrder(state, market, list.stopLeg, OTHER_LEG_WORKS);
    finishList(state, list);
  }
  for (const order of [maker, taker]) if (isClosed(order.status)) endStartedBy(state, market, order);
  return lots === wanted;
}

/** The amounts that a transfer moves, in units of base and quote. */
interface Moved {
  readonly base: bigint;
  readonly quote: bigint;
}

const NOTHING_MOVED: Moved = { base: 0n, quote: 0n };

/** Lots and their price change hands between two accounts of a trade group, without commission. */
function transfer({ ledger }: ExchangeState, market: Market, taker: Order, maker: Order, moved: Moved): void {
  const { baseAssetId, quoteAssetId } = market;
  const [buyer, seller] = taker.side === "BUY" ? [taker, maker] : [maker, taker];
  const [from, to] = [seller.accountId, buyer.accountId];
  const reason = "preventionTransfer";
  ledger.payLocked({ assetId: quoteAssetId, amount: moved.quote, from: to, to: from, reason });
  ledger.payLocked({ assetId: baseAssetId, amount: moved.base, from, to, reason });
}

/** Takes lots of a maker from the book: all of them, or at most its visible ones. */
function takeFromBook(state: ExchangeState, market: Market, maker: Order, lots: number): void {
  if (lots === maker.leftLots) {
    market.book.remove(maker);
    state.orders.remove(maker);
  } else {
    market.book.fill(maker, lots);
    state.orders.reduce(maker, lots);
  }
  market.touchBook(state.seq);
}

/** What an order loses in a prevented match. */
interface Taken {
  readonly lots: number;
  readonly preventedMatchId: number;
  readonly moved: Moved;
  /** The executing list of the order, whose other leg loses the same. */
  readonly list: PairList | undefined;
}

/** Takes the lots from an order, and releases what it no longer needs to lock. */
function take(state: ExchangeState, market: Market, order: Order, taken: Taken): void {
  const { lots, preventedMatchId, moved, list } = taken;
  if (lots === 0) return;
  order.prevent(lots, preventedMatchId, state.nowMs);
  const paid = order.side === "BUY" ? moved.quote : moved.base;
  const isList = list !== undefined && !isClosed(order.status);
  if (isList) takeFromOtherLeg(state, list.stopLeg, lots, preventedMatchId);
  const needed = isList ? neededBy(market, list) : undefined;
  const surplus = spendPrevented(market, order, lots, paid, needed);
  state.ledger.release(order.accountId, spentAssetId(market, order.side), surplus);
  if (isList) returnFunds(list, order);
}

/** The waiting leg can no longer do more than the leg on the book. */
function takeFromOtherLeg(state: ExchangeState, leg: Order, lots: number, preventedMatchId: number): void {
  leg.prevent(lots, preventedMatchId, state.nowMs);
  leg.show(leg.leftLots);
  state.orders.reduce(leg, lots);
}

/** The funds that an executing list must lock: the larger of the amounts that its legs need. */
function neededBy(market: Market, { stopLeg, limitLeg }: PairList): bigint {
  const [stop, limit] = [fundsToWait(market, stopLeg), fundsToWait(market, limitLeg)];
  return stop > limit ? stop : limit;
}

/** The stop leg locks the funds of the list again. */
function returnFunds({ stopLeg }: PairList, leg: Order): void {
  extrasOf(stopLeg).locked = extrasOf(leg).locked;
  extrasOf(leg).locked = 0n;
}
