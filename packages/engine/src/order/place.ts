/** Placing an order: check, lock its funds, match, then rest or expire. FACTS 2. */
import { matchOrder } from "../book/match.ts";
import type { PlaceOrder } from "../command.ts";
import type { Market } from "../market/market.ts";
import { quoteToLock } from "../market/quote-scale.ts";
import type { RejectReason } from "../reject.ts";
import type { ExchangeState } from "../state.ts";
import { checkOrder } from "./check.ts";
import { expireOrder } from "./end.ts";
import { lotsForQuote, sweep } from "./market-order.ts";
import { NO_ORDER_LIST, type Order, isClosed, opposite } from "./order.ts";

export function placeOrder(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  const reason = checkOrder(state, command, state.nowMs);
  if (reason !== null) return reason;
  const market = state.marketOf(command.symbolId);
  const quantityLots =
    command.quoteOrderQty > 0n ? lotsForQuote(market, command.side, command.quoteOrderQty) : command.quantityLots;
  const funds = fundsFor(market, command, quantityLots);
  const assetId = command.side === "BUY" ? market.quoteAssetId : market.baseAssetId;
  if (state.ledger.balance(command.accountId, assetId).free < funds) return "INSUFFICIENT_BALANCE";

  const order = newOrder(state, command, quantityLots);
  state.ledger.lock(order.accountId, assetId, funds);
  order.locked = funds;
  state.emit({ type: "orderOpened", order, isWorking: true });
  execute(state, market, order);
  return null;
}

/** Lets an order that has its funds meet the book, and rests or ends what is left of it. */
function execute(state: ExchangeState, market: Market, order: Order): void {
  const filled = order.timeInForce !== "FOK" || isFillable(market, order);
  const traded = filled && matchOrder(state, market, order);
  const rests = !isClosed(order.status) && order.type !== "MARKET" && order.timeInForce === "GTC";
  if (rests) {
    order.visibleLots = order.quantityLots - order.executedLots;
    market.book.add(order);
    state.orders.add(order);
  } else if (!isClosed(order.status)) {
    expireOrder(state, market, order);
  }
  if (traded || rests) market.bookUpdateId++;
}

/** What the order can spend at most: quote of a BUY, base of a SELL; of a MARKET order, what the book takes. */
function fundsFor(market: Market, command: PlaceOrder, quantityLots: number): bigint {
  if (command.orderType !== "MARKET") {
    return command.side === "BUY"
      ? quoteToLock(market.quoteScale, command.priceTicks, quantityLots)
      : market.baseOf(quantityLots);
  }
  const swept = sweep(market, command.side, quantityLots);
  return command.side === "BUY" ? swept.quote : market.baseOf(swept.lots);
}

function isFillable(market: Market, order: Order): boolean {
  let left = order.quantityLots;
  market.book.walk(opposite(order.side), (priceTicks, visibleLots, hiddenLots) => {
    if (order.side === "BUY" ? priceTicks > order.priceTicks : priceTicks < order.priceTicks) return false;
    left -= Math.min(left, visibleLots + hiddenLots);
    return left > 0;
  });
  return left === 0;
}

function newOrder(state: ExchangeState, command: PlaceOrder, quantityLots: number): Order {
  return {
    orderId: ++state.lastOrderId,
    symbolId: command.symbolId,
    accountId: command.accountId,
    clientOrderId: command.clientOrderId,
    side: command.side,
    type: command.orderType,
    timeInForce: command.timeInForce,
    priceTicks: command.priceTicks,
    quantityLots,
    stopTicks: command.stopTicks,
    icebergLots: command.icebergLots,
    quoteOrderQty: command.quoteOrderQty,
    orderListId: NO_ORDER_LIST,
    timeMs: state.nowMs,
    updateTimeMs: state.nowMs,
    status: "NEW",
    isWorking: true,
    executedLots: 0,
    executedQuote: 0n,
    commission: 0n,
    visibleLots: quantityLots,
    locked: 0n,
    previous: null,
    next: null,
    level: null,
  };
}
