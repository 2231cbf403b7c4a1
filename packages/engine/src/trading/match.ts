/** Matching: the taker meets the opposite side, best price first, oldest first, at the makers' prices. */
import type { Fill } from "../entry/event.ts";
import { commissionOf } from "../state/ledger/fees.ts";
import { FEE_ACCOUNT } from "../state/ledger/posting.ts";
import type { Market } from "../state/market/market.ts";
import { floorToStep } from "../state/market/filters/lot-size.ts";
import { lotsFor, quoteOf } from "../number/quote-scale.ts";
import { endOpenOrder } from "./end.ts";
import { lockedBy, spendBase, spendQuote } from "./order-funds.ts";
import { claimFunds, finishList } from "./list-ends.ts";
import { hasPrice, opposite } from "../entry/order-words.ts";
import { type Order, buysAtAnyPrice } from "../state/order/order.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** Trades until the taker is filled, meets no price it accepts, or cannot pay. */
export function matchOrder(state: ExchangeState, market: Market, taker: Order): void {
  const side = opposite(taker.side);
  let lastPriceTicks = 0;
  while (taker.executedLots < taker.quantityLots) {
    const maker = market.book.best(side);
    if (maker === undefined || !accepts(taker, maker.priceTicks)) break;
    const wanted = Math.min(taker.quantityLots - taker.executedLots, maker.visibleLots);
    const lots = affordableLots(state, market, taker, maker, wanted);
    if (lots === 0) break;
    // Trades of one taker at one price are one aggregate trade.
    if (maker.priceTicks !== lastPriceTicks) market.lastAggTradeId++;
    lastPriceTicks = maker.priceTicks;
    trade(state, market, taker, maker, lots);
    market.triggers.take(lastPriceTicks, state.triggered);
    // Its money is spent, but for what rounding left over, which must not buy again and again.
    if (lots < wanted) break;
  }
  if (lastPriceTicks !== 0) market.touchBook(state.seq);
}

/** How much of what it wants a taker can pay: a stop that buys at any price has only what is locked for it. */
function affordableLots(state: ExchangeState, market: Market, taker: Order, maker: Order, wanted: number): number {
  if (!buysAtAnyPrice(taker)) return wanted;
  const locked = lockedBy(market, taker);
  // To the unit: what rounding takes off the price need not be there.
  if (state.edition >= 2 && quoteOf(market.quoteScale, maker.priceTicks, wanted) <= locked) return wanted;
  const payable = lotsFor(market.quoteScale, locked, maker.priceTicks);
  if (payable >= BigInt(wanted)) return wanted;
  // What it executes in all stands on the step of LOT_SIZE, as what was asked for does.
  const executed = floorToStep(market.filters.lotSize, taker.executedLots + Number(payable));
  return Math.max(0, executed - taker.executedLots);
}

function accepts(taker: Order, priceTicks: number): boolean {
  if (!hasPrice(taker.type)) return true;
  return taker.side === "BUY" ? priceTicks <= taker.priceTicks : priceTicks >= taker.priceTicks;
}

function trade(state: ExchangeState, market: Market, taker: Order, maker: Order, lots: number): void {
  const { priceTicks } = maker;
  const list = claimFunds(state, maker);
  const quote = quoteOf(market.quoteScale, priceTicks, lots);
  market.book.fill(maker, lots);
  taker.execute(lots, quote, state.nowMs);
  maker.execute(lots, quote, state.nowMs);
  if (maker.status === "FILLED") state.orders.remove(maker);

  const [buyer, seller] = taker.side === "BUY" ? [taker, maker] : [maker, taker];
  exchange(state, market, buyer, seller, lots, quote);
  const tradeId = market.lastTradeId + 1;
  market.recordTrade(tradeId, priceTicks, lots, quote, state.nowMs);
  const received = { base: market.baseOf(lots), quote };
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
    taker: settle(state, market, taker, received, "takerBps"),
    maker: settle(state, market, maker, received, "makerBps"),
  });
  if (list !== undefined) {
    endOpenOrder(state, market, list.stopLeg, "EXPIRED", "");
    finishList(state, list);
  }
}

/** Quote to the seller, base to the buyer, and back to the buyer what it no longer needs to keep locked. */
function exchange(
  state: ExchangeState,
  market: Market,
  buyer: Order,
  seller: Order,
  lots: number,
  quote: bigint,
): void {
  const { ledger } = state;
  const { baseAssetId, quoteAssetId } = market;
  const base = market.baseOf(lots);
  ledger.move(quoteAssetId, quote, buyer.accountId, "locked", seller.accountId, "free", "trade");
  ledger.move(baseAssetId, base, seller.accountId, "locked", buyer.accountId, "free", "trade");
  spendBase(seller, base);
  ledger.release(buyer.accountId, quoteAssetId, spendQuote(market, buyer, lots, quote));
}

/** Takes the commission out of what was received. */
function settle(
  state: ExchangeState,
  market: Market,
  order: Order,
  received: { readonly base: bigint; readonly quote: bigint },
  rate: "makerBps" | "takerBps",
): Fill {
  const buys = order.side === "BUY";
  const commissionAssetId = buys ? market.baseAssetId : market.quoteAssetId;
  const bps = state.accounts.rates(order.accountId, order.symbolId)[rate];
  const commission = commissionOf(buys ? received.base : received.quote, bps);
  state.ledger.move(commissionAssetId, commission, order.accountId, "free", FEE_ACCOUNT, "free", "commission");
  order.charge(commission);
  const { status, executedLots, executedQuote } = order;
  return { order, status, executedLots, executedQuote, commission, commissionAssetId };
}
