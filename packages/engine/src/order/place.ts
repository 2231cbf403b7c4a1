/** Placing an order: check, lock its funds, then let it run or wait. FACTS 2. */
import type { PlaceOrder } from "../command.ts";
import type { Market } from "../market/market.ts";
import type { RejectReason } from "../reject.ts";
import type { ExchangeState } from "../state.ts";
import { checkOrder } from "./check.ts";
import { executeOrder } from "./execute.ts";
import { fundsFor, spentAssetId } from "./funds.ts";
import { lotsForQuote } from "./market-order.ts";
import {
  NO_ORDER_LIST,
  type Order,
  type OrderExtras,
  type OrderTerms,
  isPlain,
  isWorking,
  waitsForStop,
} from "./order.ts";

export function placeOrder(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  const reason = checkOrder(state, command, state.nowMs);
  if (reason !== null) return reason;
  const market = state.marketOf(command.symbolId);
  const quantityLots =
    command.quoteOrderQty > 0n ? lotsForQuote(market, command.side, command.quoteOrderQty) : command.quantityLots;
  const funds = fundsFor(market, command, quantityLots);
  const assetId = spentAssetId(market, command.side);
  if (state.ledger.balance(command.accountId, assetId).free < funds) return "INSUFFICIENT_BALANCE";

  const order = newOrder(state, market, command, quantityLots, NO_ORDER_LIST, funds);
  state.ledger.lock(order.accountId, assetId, funds);
  state.emit({ type: "orderOpened", order, isWorking: isWorking(order) });
  if (isWorking(order)) {
    executeOrder(state, market, order);
  } else {
    market.triggers.add(order);
    state.orders.add(order);
  }
  return null;
}

/** `locked`: what was locked for it. */
export function newOrder(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  quantityLots: number,
  orderListId: number,
  locked: bigint,
): Order {
  const { orderType: type, stopTicks, icebergLots, quoteOrderQty } = command;
  const plain = isPlain(type, stopTicks, icebergLots, quoteOrderQty, orderListId);
  return {
    orderId: ++state.lastOrderId,
    terms: plain
      ? market.plainTerms(command.side, type, command.timeInForce)
      : termsOf(market.symbolId, command, orderListId),
    accountId: command.accountId,
    clientOrderId: command.clientOrderId,
    priceTicks: command.priceTicks,
    quantityLots,
    timeMs: state.nowMs,
    changedMs: null,
    status: "NEW",
    executed: null,
    extras: plain ? null : extrasFor(command, quantityLots, locked),
    previous: null,
    next: null,
    level: null,
  };
}

function termsOf(symbolId: number, command: PlaceOrder, orderListId: number): OrderTerms {
  const { side, orderType: type, timeInForce, stopTicks, icebergLots, quoteOrderQty } = command;
  return { symbolId, side, type, timeInForce, stopTicks, icebergLots, quoteOrderQty, orderListId };
}

function extrasFor({ orderType, icebergLots }: PlaceOrder, quantityLots: number, locked: bigint): OrderExtras {
  return { isWorking: !waitsForStop(orderType), sliceLots: icebergLots === 0 ? 0 : quantityLots, locked };
}
