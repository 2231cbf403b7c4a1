/** Matching: the taker meets the opposite side, best price first, oldest first, at the makers' prices. */
import { present } from "../assert.ts";
import type { Fill } from "../event.ts";
import { commissionOf } from "../ledger/fees.ts";
import { FEE_ACCOUNT } from "../ledger/posting.ts";
import type { Market } from "../market/market.ts";
import { floorToStep } from "../market/filters/lot-size.ts";
import { lotsFor, quoteOf } from "../market/quote-scale.ts";
import { endOpenOrder } from "../order/end.ts";
import { lockedBy, spendBase, spendQuote } from "../order/funds.ts";
import { claimFunds, finishList } from "../order/list-ends.ts";
import { type Order, execute, executedLotsOf, hasPrice, leftLotsOf, opposite, visibleLotsOf } from "../order/order.ts";
import type { ExchangeState } from "../state.ts";

/** Trades until the taker is filled, meets no price it accepts, or cannot pay. */
export function matchOrder(state: ExchangeState, market: Market, taker: Order): void {
  const side = opposite(taker.terms.side);
  let lastPriceTicks = 0;
  while (leftLotsOf(taker) > 0) {
    const maker = market.book.best(side);
    if (maker === undefined || !accepts(taker, maker.priceTicks)) break;
    const wanted = Math.min(leftLotsOf(taker), visibleLotsOf(maker));
    const lots = affordableLots(market, taker, maker, wanted);
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

/** How much of what it wants a taker can pay: a stop that buys at any price has only what its stop price came to. */
function affordableLots(market: Market, taker: Order, maker: Order, wanted: number): number {
  if (taker.terms.stopTicks === 0 || taker.terms.side === "SELL" || hasPrice(taker.terms.type)) return wanted;
  const payable = lotsFor(market.quoteScale, lockedBy(market, taker), maker.priceTicks);
  if (payable >= BigInt(wanted)) return wanted;
  // What it executes in all stands on the step of LOT_SIZE, as what was asked for does.
  const executed = floorToStep(market.filters.lotSize, executedLotsOf(taker) + Number(payable));
  return Math.max(0, executed - executedLotsOf(taker));
}

function accepts(taker: Order, priceTicks: number): boolean {
  if (!hasPrice(taker.terms.type)) return true;
  return taker.terms.side === "BUY" ? priceTicks <= taker.priceTicks : priceTicks >= taker.priceTicks;
}

function trade(state: ExchangeState, market: Market, taker: Order, maker: Order, lots: number): void {
  const { priceTicks } = maker;
  const list = claimFunds(state, maker);
  const quote = quoteOf(market.quoteScale, priceTicks, lots);
  market.book.fill(maker, lots);
  execute(taker, lots, quote, state.nowMs);
  execute(maker, lots, quote, state.nowMs);
  if (maker.status === "FILLED") state.orders.remove(maker);

  const [buyer, seller] = taker.terms.side === "BUY" ? [taker, maker] : [maker, taker];
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
    takerSide: taker.terms.side,
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
  const buys = order.terms.side === "BUY";
  const commissionAssetId = buys ? market.baseAssetId : market.quoteAssetId;
  const bps = state.accounts.rates(order.accountId, order.terms.symbolId)[rate];
  const commission = commissionOf(buys ? received.base : received.quote, bps);
  state.ledger.move(commissionAssetId, commission, order.accountId, "free", FEE_ACCOUNT, "free", "commission");
  const executed = present(order.executed, "who settles has traded");
  executed.commission += commission;
  const { lots: executedLots, quote: executedQuote } = executed;
  return { order, status: order.status, executedLots, executedQuote, commission, commissionAssetId };
}
