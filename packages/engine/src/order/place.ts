/** Placing an order: check, lock its funds, then let it run or wait. FACTS 2. */
import type { PlaceOrder } from "../command.ts";
import type { RejectReason } from "../reject.ts";
import type { ExchangeState } from "../state.ts";
import { checkOrder } from "./check.ts";
import { executeOrder } from "./execute.ts";
import { fundsFor, spentAssetId } from "./funds.ts";
import { lotsForQuote } from "./market-order.ts";
import { NO_ORDER_LIST, type Order, waitsForStop } from "./order.ts";

export function placeOrder(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  const reason = checkOrder(state, command, state.nowMs);
  if (reason !== null) return reason;
  const market = state.marketOf(command.symbolId);
  const quantityLots =
    command.quoteOrderQty > 0n ? lotsForQuote(market, command.side, command.quoteOrderQty) : command.quantityLots;
  const funds = fundsFor(market, command, quantityLots);
  const assetId = spentAssetId(market, command.side);
  if (state.ledger.balance(command.accountId, assetId).free < funds) return "INSUFFICIENT_BALANCE";

  const order = newOrder(state, command, quantityLots, NO_ORDER_LIST);
  state.ledger.lock(order.accountId, assetId, funds);
  order.locked = funds;
  state.emit({ type: "orderOpened", order, isWorking: order.isWorking });
  if (order.isWorking) {
    executeOrder(state, market, order);
  } else {
    market.triggers.add(order);
    state.orders.add(order);
  }
  return null;
}

export function newOrder(state: ExchangeState, command: PlaceOrder, quantityLots: number, orderListId: number): Order {
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
    orderListId,
    timeMs: state.nowMs,
    updateTimeMs: state.nowMs,
    status: "NEW",
    isWorking: !waitsForStop(command.orderType),
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
