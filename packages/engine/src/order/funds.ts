/** What an order can spend at most, and so what it locks: units of quote for a BUY, of base for a SELL. FACTS 2.3. */
import type { PlaceOrder } from "../command.ts";
import type { Market } from "../market/market.ts";
import { quoteToLock } from "../market/quote-scale.ts";
import { sweep } from "./market-order.ts";
import { type Order, hasPrice } from "./order.ts";

/** The asset that an order of this side spends. */
export function spentAssetId(market: Market, side: Order["side"]): number {
  return side === "BUY" ? market.quoteAssetId : market.baseAssetId;
}

/**
 * A MARKET order needs what the book takes now; a STOP_LOSS or TAKE_PROFIT BUY locks its stop price
 * times its quantity (FACTS 0.10).
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

/** What an order that waits for its stop price, or an untouched leg, needs when it runs. */
export function fundsToWait(market: Market, order: Order): bigint {
  const { side, type: orderType, priceTicks, stopTicks } = order;
  return fundsFor(market, { side, orderType, priceTicks, stopTicks }, order.quantityLots);
}

/** What an open order must go on holding. One without a price keeps all it has until it ends. */
export function stillNeeded(market: Market, order: Order): bigint {
  const left = order.quantityLots - order.executedLots;
  if (order.side === "SELL") return market.baseOf(left);
  if (!hasPrice(order.type)) return order.locked;
  return quoteToLock(market.quoteScale, order.priceTicks, left);
}
