/**
 * Places orders: a single one, an OCO pair, or one that replaces another. Each is checked, its funds are locked, and then
 * it trades or waits. Interface 3.
 */
import type { PlaceOrder } from "../entry/command.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { checkOrder } from "./check.ts";
import { executeOrder } from "./execute.ts";
import { fundsFor, spentAssetId } from "./order-funds.ts";
import { lotsForQuote, mostAffordable } from "./market-order.ts";
import { NO_ORDER_LIST, waitsForStop } from "../entry/order-words.ts";
import { extrasFor, Order } from "../state/order/order.ts";

export function placeOrder(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  const reason = checkOrder(state, command, state.nowMs);
  if (reason !== null) return reason;
  const market = state.marketOf(command.symbolId);
  const assetId = spentAssetId(market, command.side);
  const { free } = state.ledger.balance(command.accountId, assetId);
  // The walk over the book ends when the money does.
  const tooMuch =
    command.orderType === "MARKET" ? mostAffordable(market, command.side, free) + 1 : Number.POSITIVE_INFINITY;
  const quantityLots =
    command.quoteOrderQty > 0n
      ? lotsForQuote(market, command.side, command.quoteOrderQty, tooMuch)
      : command.quantityLots;
  const funds = fundsFor(market, command, Math.min(quantityLots, tooMuch));
  if (free < funds) return "INSUFFICIENT_BALANCE";

  const order = newOrder(state, market, command, quantityLots, NO_ORDER_LIST, funds);
  state.ledger.lock(order.accountId, assetId, funds);
  state.emit({ type: "orderOpened", order: order.record() });
  if (order.isWorking) {
    executeOrder(state, market, order);
  } else {
    market.triggers.add(order);
    state.orders.add(order);
  }
  return null;
}

/** `locked` is the amount locked for it. */
export function newOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  quantityLots: number,
  orderListId: number,
  locked: bigint,
): Order {
  const { side, orderType, timeInForce, icebergLots } = command;
  const isWorking = !waitsForStop(orderType);
  const extras = extrasFor(orderType, command, orderListId, isWorking, icebergLots === 0 ? 0 : quantityLots, locked);
  const terms = market.termsOf(side, orderType, timeInForce);
  return new Order(++state.lastOrderId, terms, extras, command, quantityLots, state.nowMs);
}
