/** Why the model refuses a new order: filters, then what the exchange forbids, then the book and the funds. FACTS 1.3. */
import type { PlaceOrder, RejectReason } from "@pricetime/engine";
import { OFF_SCALE } from "@pricetime/engine";
import { type Amount, scaled } from "./amount.ts";
import type { ModelExchange } from "./exchange.ts";
import { failingFilter, type Wanted } from "./filters.ts";
import { levels, lots, type ModelMarket, opposite, price } from "./market.ts";
import { amountToLock, marketCost, quantityForQuote } from "./matching.ts";

/** What the engine does not do yet is refused as an unsupported combination; the model's own rules wait here. */
const ICEBERGS_WORK = false;
const STOPS_WORK = false;

export function refusal(exchange: ModelExchange, command: PlaceOrder): RejectReason | null {
  const market = exchange.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!exchange.accounts.has(command.accountId)) return "UNKNOWN_ACCOUNT";
  const open = exchange.openOrders(command.accountId);
  return (
    failingFilter(market, exchange.exchangeFilters, wanted(market, command), open, exchange.nowMs) ??
    forbidden(exchange, market, command) ??
    refusedByBook(market, command) ??
    unaffordable(exchange, market, command)
  );
}

function forbidden(exchange: ModelExchange, market: ModelMarket, command: PlaceOrder): RejectReason | null {
  if (market.status !== "TRADING") return "MARKET_CLOSED";
  if (!exchange.accounts.get(command.accountId)!.canTrade) return "ACCOUNT_MAY_NOT_TRADE";
  if (!market.spec.orderTypes.includes(command.orderType)) return "ORDER_TYPE_NOT_SUPPORTED";
  if (command.stopTicks !== 0 && !STOPS_WORK) return "UNSUPPORTED_COMBINATION";
  if (command.icebergLots !== 0) {
    if (!ICEBERGS_WORK) return "UNSUPPORTED_COMBINATION";
    if (!market.spec.icebergAllowed) return "ICEBERG_NOT_SUPPORTED";
    if (command.timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
    if (command.icebergLots >= command.quantityLots) return "ICEBERG_EXCEEDS_QUANTITY";
  }
  if (command.orderType === "MARKET" && command.priceTicks !== 0) return "UNSUPPORTED_COMBINATION";
  // only an order with a price of its own, and free to take, has a time in force to choose
  if (command.orderType !== "LIMIT" && command.timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
  if (command.quoteOrderQty === 0n) return null;
  if (!market.spec.quoteOrderQtyMarketAllowed) return "QUOTE_ORDER_QTY_NOT_SUPPORTED";
  return command.orderType === "MARKET" && command.quantityLots === 0 ? null : "UNSUPPORTED_COMBINATION";
}

function wanted(market: ModelMarket, command: PlaceOrder): Wanted {
  const byQuote = command.quoteOrderQty !== 0n;
  const orNull = (value: number, read: (market: ModelMarket, value: number) => Amount) =>
    value === OFF_SCALE ? null : read(market, value);
  return {
    accountId: command.accountId,
    type: command.orderType,
    // a price that a MARKET order should not have is no filter's business
    price: command.orderType === "MARKET" ? 0n : orNull(command.priceTicks, price),
    stopPrice: STOPS_WORK ? orNull(command.stopTicks, price) : 0n,
    quantity: byQuote ? quantityForQuote(market, command) : orNull(command.quantityLots, lots),
    icebergQty: ICEBERGS_WORK ? orNull(command.icebergLots, lots) : 0n,
    quoteOrderQty: scaled(command.quoteOrderQty, market.quotePlaces),
    mayRest: command.orderType !== "MARKET" && command.timeInForce === "GTC",
    hasDepth: opposite(market, command.side, 0n).length > 0,
  };
}

function refusedByBook(market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const isTaken = market.orders.some(
    (order) => order.accountId === command.accountId && order.clientOrderId === command.clientOrderId,
  );
  if (isTaken) return "DUPLICATE_ORDER";
  const meets = opposite(market, command.side, price(market, command.priceTicks));
  return command.orderType === "LIMIT_MAKER" && meets.length > 0 ? "WOULD_MATCH_IMMEDIATELY" : null;
}

function unaffordable(exchange: ModelExchange, market: ModelMarket, command: PlaceOrder): RejectReason | null {
  const { free } = exchange.money.of(command.accountId, command.side === "BUY" ? market.quote : market.base);
  return free < need(market, command) ? "INSUFFICIENT_BALANCE" : null;
}

/** What the account must have free. */
function need(market: ModelMarket, command: PlaceOrder): Amount {
  if (command.orderType !== "MARKET") {
    return amountToLock(market, command.side, price(market, command.priceTicks), lots(market, command.quantityLots));
  }
  const asked = command.quoteOrderQty !== 0n ? quantityForQuote(market, command) : lots(market, command.quantityLots);
  if (command.side === "BUY") return marketCost(market, asked);
  const held = levels(market, "SELL", 0n).reduce((sum, level) => sum + level.quantity, 0n);
  return asked < held ? asked : held;
}
