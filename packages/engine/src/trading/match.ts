/**
 * Matching: an order trades with the opposite side of the book, best price first, oldest first, at the makers' prices.
 * Each fill is settled in the ledger, and triggers waiting orders.
 */
import type { Market } from "../state/market/market.ts";
import { floorToStep } from "../state/market/filters/lot-size.ts";
import { lotsFor, quoteOf } from "../number/quote-scale.ts";
import { lockedBy } from "./order-funds.ts";
import { hasPrice, opposite } from "../entry/order-words.ts";
import { type Order, buysAtAnyPrice } from "../state/order/order.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { settle } from "./settle.ts";

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
    settle(state, market, taker, maker, lots);
    market.triggers.take(lastPriceTicks, state.triggered);
    // Its money is spent except for a rounding remainder, which must not buy again and again.
    if (lots < wanted) break;
  }
  if (lastPriceTicks !== 0) market.touchBook(state.seq);
}

/** The lots that a taker can pay for: a stop that buys at any price has only the amount locked for it. */
function affordableLots(state: ExchangeState, market: Market, taker: Order, maker: Order, wanted: number): number {
  if (!buysAtAnyPrice(taker)) return wanted;
  const locked = lockedBy(market, taker);
  // Exact to the unit: rounding lowers the cost, so less money may suffice.
  if (state.edition >= 2 && quoteOf(market.quoteScale, maker.priceTicks, wanted) <= locked) return wanted;
  const payable = lotsFor(market.quoteScale, locked, maker.priceTicks);
  if (payable >= BigInt(wanted)) return wanted;
  // The executed total stays on the step of LOT_SIZE, as the requested quantity does.
  const executed = floorToStep(market.filters.lotSize, taker.executedLots + Number(payable));
  return Math.max(0, executed - taker.executedLots);
}

function accepts(taker: Order, priceTicks: number): boolean {
  if (!hasPrice(taker.type)) return true;
  return taker.side === "BUY" ? priceTicks <= taker.priceTicks : priceTicks >= taker.priceTicks;
}
