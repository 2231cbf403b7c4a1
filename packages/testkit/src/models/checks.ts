/** Why the model refuses a new order: filters, the exchange's rules, then book and funds. Interface 7.8. */
import { OFF_SCALE, type PlaceOrder, type RejectReason } from "@pricetime/engine";
import { type Amount, scaled } from "./amount.ts";
import { failingCount, failingFilter, type Wanted } from "./filters.ts";
import {
  isAlgo,
  isPriced,
  isReached,
  lastPrice,
  levels,
  lots,
  type ModelMarket,
  type ModelOrder,
  opposite,
  paidAsset,
  price,
} from "./market.ts";
import { amountToLock, marketCost, quantityForQuote } from "./matching.ts";
import { statusOf } from "./operator-ends.ts";
import type { ModelState } from "./state.ts";
import { isLocked } from "./wallet/locks.ts";

export function refusal(exchange: ModelState, command: PlaceOrder): RejectReason | null {
  if (exchange.wallet.isInMaintenance) return "MAINTENANCE";
  const market = exchange.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!exchange.accounts.has(command.accountId)) return "UNKNOWN_ACCOUNT";
  const order = wanted(market, command);
  return (
    failingFilter(market, order, exchange.nowMs) ??
    failingCount(market, exchange.exchangeFilters, exchange.openOrders(command.accountId), [order]) ??
    forbidden(exchange, market, command) ??
    duplicate(market, command) ??
    refusedByMarket(market, command) ??
    unaffordable(exchange, market, command, needOf(market, command))
  );
}

export function forbidden(exchange: ModelState, market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const { orderType, timeInForce, icebergLots } = command;
  const { venue } = exchange;
  if (statusOf(market, exchange.nowMs) !== "TRADING" || venue.isStopped("trading") || venue.isStopped("placing"))
    return "MARKET_CLOSED";
  const account = exchange.accounts.get(command.accountId)!;
  if (!account.canTrade || !account.isEnabled) return "ACCOUNT_MAY_NOT_TRADE";
  if (isLocked(exchange, command.accountId)) return "API_TRADING_LOCKED";
  if (!market.spec.orderTypes.includes(orderType)) return "ORDER_TYPE_NOT_SUPPORTED";
  if (icebergLots !== 0) {
    if (!isPriced(orderType) || timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
    if (!market.spec.icebergAllowed) return "ICEBERG_NOT_SUPPORTED";
    if (icebergLots >= command.quantityLots) return "ICEBERG_EXCEEDS_QUANTITY";
  }
  if (isAlgo(orderType) !== (command.stopTicks !== 0)) return "UNSUPPORTED_COMBINATION";
  if (!isPriced(orderType) && command.priceTicks !== 0) return "UNSUPPORTED_COMBINATION";
  // only an order with its own price that may take has a time in force to choose
  const maySayHowLong = isPriced(orderType) && orderType !== "LIMIT_MAKER";
  if (timeInForce !== "GTC" && !maySayHowLong) return "UNSUPPORTED_COMBINATION";
  if (command.quoteOrderQty === 0n) return null;
  if (!market.spec.quoteOrderQtyMarketAllowed) return "QUOTE_ORDER_QTY_NOT_SUPPORTED";
  return orderType === "MARKET" && command.quantityLots === 0 ? null : "UNSUPPORTED_COMBINATION";
}

export function wanted(market: ModelMarket, command: PlaceOrder): Wanted {
  const { orderType } = command;
  const byQuote = command.quoteOrderQty !== 0n;
  const orNull = (value: number, read: (market: ModelMarket, value: number) => Amount) =>
    value === OFF_SCALE ? null : read(market, value);
  return {
    accountId: command.accountId,
    type: orderType,
    // a price that the type should not have does not concern the filters
    price: isPriced(orderType) ? orNull(command.priceTicks, price) : 0n,
    stopPrice: isAlgo(orderType) ? orNull(command.stopTicks, price) : 0n,
    quantity: byQuote ? quantityForQuote(market, command) : orNull(command.quantityLots, lots),
    icebergQty: orNull(command.icebergLots, lots),
    quoteOrderQty: scaled(command.quoteOrderQty, market.quotePlaces),
    mayRest: isAlgo(orderType) || (orderType !== "MARKET" && command.timeInForce === "GTC"),
    hasDepth: opposite(market, command.side, 0n).length > 0,
  };
}

export function duplicate(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const isSame = (order: ModelOrder) =>
    order.accountId === command.accountId && order.clientOrderId === command.clientOrderId;
  return market.orders.some(isSame) ? "DUPLICATE_ORDER" : null;
}

/** Refuses a maker that would take, and a stop price that has been passed. */
function refusedByMarket(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  if (command.orderType === "LIMIT_MAKER") return wouldTake(market, command);
  const last = lastPrice(market);
  if (!isAlgo(command.orderType) || last === null) return null;
  const stop = { type: command.orderType, side: command.side, stopPrice: price(market, command.stopTicks) };
  return isReached(stop, last) ? "WOULD_TRIGGER_IMMEDIATELY" : null;
}

export function wouldTake(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const meets = opposite(market, command.side, price(market, command.priceTicks));
  return meets.length > 0 ? "WOULD_MATCH_IMMEDIATELY" : null;
}

export function unaffordable(
  exchange: ModelState,
  market: ModelMarket,
  command: Pick<PlaceOrder, "accountId" | "side">,
  need: Amount,
): RejectReason | null {
  const { free } = exchange.money.of(command.accountId, paidAsset(market, command.side));
  return free < need ? "INSUFFICIENT_BALANCE" : null;
}

/** Returns what the account must have free. */
export function needOf(market: ModelMarket, command: PlaceOrder): Amount {
  const { orderType, side } = command;
  if (orderType !== "MARKET") {
    const dearest = price(market, isPriced(orderType) ? command.priceTicks : command.stopTicks);
    return amountToLock(market, side, dearest, lots(market, command.quantityLots));
  }
  const asked = command.quoteOrderQty !== 0n ? quantityForQuote(market, command) : lots(market, command.quantityLots);
  if (side === "BUY") return marketCost(market, asked);
  const held = levels(market, "SELL", 0n).reduce((sum, level) => sum + level.quantity, 0n);
  return asked < held ? asked : held;
}
