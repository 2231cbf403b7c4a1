/** The funds of an order: what it can spend at most, and what a MARKET order would take from the book. Interface 3.3, S.8. */
import { assert } from "../assert.ts";
import type { PlaceOrder } from "../entry/command.ts";
import type { Market } from "../state/market/market.ts";
import { quoteToLock } from "../number/quote-scale.ts";
import { sweep } from "./market-order.ts";
import { hasPrice, isClosed } from "../entry/order-words.ts";
import { type Order, extrasOf } from "../state/order/order.ts";

// The most that an order can spend, and so locks: units of quote for a BUY, of base for a SELL.

/** The asset that an order of this side spends. */
export function spentAssetId(market: Market, side: Order["side"]): number {
  return side === "BUY" ? market.quoteAssetId : market.baseAssetId;
}

/**
 * A MARKET order needs the current cost of its quantity on the book; a STOP_LOSS or TAKE_PROFIT BUY locks its stop
 * price times its quantity (Interface S.10).
 */
export function fundsFor(
  market: Market,
  order: Pick<PlaceOrder, "side" | "orderType" | "priceTicks" | "stopTicks">,
  quantityLots: number,
): bigint {
  if (order.orderType === "MARKET") {
    const swept = sweep(market, order.side, quantityLots);
    return order.side === "BUY" ? swept.quote : market.baseOf(swept.lots);
  }
  if (order.side === "SELL") return market.baseOf(quantityLots);
  const priceTicks = hasPrice(order.orderType) ? order.priceTicks : order.stopTicks;
  return quoteToLock(market.quoteScale, priceTicks, quantityLots);
}

/** Funds that an order waiting for its stop price, or an untouched leg, needs when it runs. */
export function fundsToWait(market: Market, order: Order): bigint {
  const { side, type: orderType, priceTicks, stopTicks } = order;
  return fundsFor(market, { side, orderType, priceTicks, stopTicks }, order.quantityLots);
}

/** Funds that an open order must keep locked. An order without a price keeps all it has until it ends. */
export function stillNeeded(market: Market, order: Order): bigint {
  if (order.side === "SELL") return market.baseOf(order.leftLots);
  if (!hasPrice(order.type)) return extrasOf(order).locked;
  return quoteToLock(market.quoteScale, order.priceTicks, order.leftLots);
}

/** Amount locked for an open order. A plain order locks exactly what it still needs, so its amount is not stored. */
export function lockedBy(market: Market, order: Order): bigint {
  return order.extras === null ? stillNeeded(market, order) : order.extras.locked;
}

/** Deducts the `base` units of a trade from the amount locked for a SELL. */
export function spendBase(seller: Order, base: bigint): void {
  if (seller.extras === null) return;
  seller.extras.locked -= base;
  assert(seller.extras.locked >= 0n, "an order spends no more than it locked");
}

/** Deducts a fill of `lots` for `quote` units from a BUY's locked amount. Returns what it need not lock any more. */
export function spendQuote(market: Market, buyer: Order, lots: number, quote: bigint): bigint {
  const { extras, priceTicks, leftLots } = buyer;
  if (extras === null) {
    const locked = quoteToLock(market.quoteScale, priceTicks, leftLots + lots);
    return locked - quote - quoteToLock(market.quoteScale, priceTicks, leftLots);
  }
  extras.locked -= quote;
  assert(extras.locked >= 0n, "an order spends no more than it locked");
  const surplus = extras.locked - (isClosed(buyer.status) ? 0n : stillNeeded(market, buyer));
  extras.locked -= surplus;
  return surplus;
}
