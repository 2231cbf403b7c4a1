/** Settlement: a fill becomes postings and a trade. Interface 3.3. */
import type { Fill } from "../entry/event.ts";
import { quoteOf } from "../number/quote-scale.ts";
import type { Rates } from "../state/accounts/accounts.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { commissionOf } from "../state/ledger/fees.ts";
import { FEE_ACCOUNT } from "../state/ledger/posting.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";
import { endOpenOrder } from "./end.ts";
import { claimFunds, finishList } from "./list-ends.ts";
import { isShortOfQuote } from "./market-order.ts";
import { spendBase, spendQuote } from "./order-funds.ts";

/** Settles a trade of this many lots between the taker and the maker, at the maker's price. */
export function settle(state: ExchangeState, market: Market, taker: Order, maker: Order, lots: number): void {
  const { priceTicks } = maker;
  const list = claimFunds(state, maker);
  const base = market.baseOf(lots);
  const quote = quoteOf(market.quoteScale, priceTicks, lots);
  const [takes, makes] = taker.side === "BUY" ? [base, quote] : [quote, base];
  const taken = { lots, quote, commission: commissionOf(takes, ratesOf(state, taker).takerBps) };
  const made = { lots, quote, commission: commissionOf(makes, ratesOf(state, maker).makerBps) };
  market.book.fill(maker, lots);
  taker.execute(taken, state.nowMs);
  maker.execute(made, state.nowMs);
  if (taker.extras !== null && isShortOfQuote(state, market, taker, priceTicks)) taker.leaveUnfilled();
  if (maker.status === "FILLED") state.orders.remove(maker);

  exchange(state, market, taker, maker, { lots, base, quote });
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
    taker: payCommission(state, market, taker, taken.commission),
    maker: payCommission(state, market, maker, made.commission),
  });
  if (list !== undefined) {
    endOpenOrder(state, market, list.stopLeg, "EXPIRED", "");
    finishList(state, list);
  }
}

function ratesOf({ accounts }: ExchangeState, { accountId, symbolId }: Order): Rates {
  return accounts.rates(accountId, symbolId);
}

/** What changes hands: `base` units are the `lots`, `quote` units their price. */
interface Traded {
  readonly lots: number;
  readonly base: bigint;
  readonly quote: bigint;
}

/** Pays quote to the seller, base to the buyer, and returns to the buyer what it no longer needs to lock. */
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

/** Takes the commission out of what the order has just received, and tells of its side of the trade. */
function payCommission(state: ExchangeState, market: Market, order: Order, commission: bigint): Fill {
  const { accountId, side } = order;
  const commissionAssetId = side === "BUY" ? market.baseAssetId : market.quoteAssetId;
  state.ledger.pay({
    assetId: commissionAssetId,
    amount: commission,
    from: accountId,
    to: FEE_ACCOUNT,
    reason: "commission",
  });
  return { order: order.record(), commission, commissionAssetId };
}
