/** The expected messages, computed from the journal alone: responses, trades on streams, execution reports. */
import type { RejectReason, Trade } from "@pricetime/engine";
import { rejectError } from "@pricetime/protocol";
import type { ResponseType } from "../command-id.ts";
import { executionText } from "../execution-digest.ts";
import type { Tracked, TrackedFill } from "./orders.ts";
import type { Scale } from "./scale.ts";

export type End = "CANCELED" | "EXPIRED";

export interface PlacedFill {
  readonly trade: Trade;
  readonly fill: TrackedFill;
}

function state({ order, scale, executedLots, worth }: Tracked, status: string): object {
  return {
    price: scale.price(order.priceTicks),
    origQty: scale.quantity(order.quantityLots),
    executedQty: scale.quantity(executedLots),
    cummulativeQuoteQty: scale.quote(worth),
    origQuoteOrderQty: scale.quote(order.quoteOrderQty),
    status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    selfTradePreventionMode: "NONE",
    ...(status === "EXPIRED" ? { expiryReason: expiryReason(order) } : {}),
  };
}

function expiryReason({ timeInForce, type }: Tracked["order"]): string {
  if (type === "MARKET") return "INSUFFICIENT_LIQUIDITY";
  return timeInForce === "IOC" ? "UNFILLED_IOC_QUANTITY_EXPIRED" : "UNFILLED_FOK_ORDER_EXPIRED";
}

/** Status and body, as all responses here. */
export function placedAnswer(
  tracked: Tracked,
  fills: readonly PlacedFill[],
  end: End | undefined,
  timeMs: number,
  type: ResponseType,
): string {
  const { order, scale } = tracked;
  const { symbol } = scale;
  const { orderId, clientOrderId } = order;
  const ack = { symbol, orderId, orderListId: -1, clientOrderId, transactTime: timeMs };
  if (type === "ACK") return `200 ${JSON.stringify(ack)}`;
  const commission = fills.reduce((sum, { fill }) => sum + fill.commission, 0n);
  const commissionAsset = scale.receivedAsset(order.side);
  const result = {
    ...ack,
    ...state(tracked, end ?? fills.at(-1)?.fill.status ?? "NEW"),
    workingTime: timeMs,
    commission: scale.received(order.side, commission),
    commissionAsset,
  };
  if (type === "RESULT") return `200 ${JSON.stringify(result)}`;
  const told = fills.map(({ trade, fill }) => ({
    price: scale.price(trade.priceTicks),
    qty: scale.quantity(trade.lots),
    commission: scale.received(order.side, fill.commission),
    commissionAsset,
    tradeId: trade.tradeId,
  }));
  return `200 ${JSON.stringify({ ...result, fills: told })}`;
}

export function canceledAnswer(tracked: Tracked, cancelId: string, timeMs: number): string {
  const { order, scale } = tracked;
  return `200 ${JSON.stringify({
    symbol: scale.symbol,
    origClientOrderId: order.clientOrderId,
    orderId: order.orderId,
    orderListId: -1,
    clientOrderId: cancelId,
    transactTime: timeMs,
    ...state(tracked, "CANCELED"),
  })}`;
}

export function refusedAnswer(reason: RejectReason, context: "place" | "cancel"): string {
  const { status, code, msg } = rejectError(reason, context);
  return `${status} ${JSON.stringify({ code, msg })}`;
}

export function tradeMessage(trade: Trade, scale: Scale): string {
  const isBuyerMaker = trade.takerSide === "SELL";
  const [buyer, seller] = isBuyerMaker ? [trade.maker, trade.taker] : [trade.taker, trade.maker];
  return JSON.stringify({
    e: "trade",
    E: trade.timeMs,
    s: scale.symbol,
    t: trade.tradeId,
    p: scale.price(trade.priceTicks),
    q: scale.quantity(trade.lots),
    b: buyer.order.orderId,
    a: seller.order.orderId,
    T: trade.timeMs,
    m: isBuyerMaker,
    M: true,
  });
}

const NO_FILL = { l: "0.00000000", L: "0.00000000", n: "0", N: null, t: -1, m: false, Y: "0.00000000" };

export function openedExecution({ order, scale }: Tracked, timeMs: number): string {
  const zero = { z: "0.00000000", Z: scale.quote(0n) };
  return executionText({
    ...{ ...NO_FILL, ...zero, c: order.clientOrderId, C: "" },
    ...{ x: "NEW", X: "NEW", i: order.orderId, T: timeMs },
  });
}

export function endedExecution({ order, scale, ...did }: Tracked, end: End, cancelId: string, timeMs: number): string {
  const done = { z: scale.quantity(did.executedLots), Z: scale.quote(did.worth), i: order.orderId, T: timeMs };
  const ids = cancelId === "" ? { c: order.clientOrderId, C: "" } : { c: cancelId, C: order.clientOrderId };
  return executionText({ ...NO_FILL, ...done, ...ids, x: end, X: end });
}

export function tradeExecution(trade: Trade, fill: TrackedFill, isMaker: boolean): string {
  const { order, scale } = fill.tracked;
  const isFree = fill.commission === 0n;
  return executionText({
    ...{ c: order.clientOrderId, C: "", x: "TRADE", X: fill.status, i: order.orderId, T: trade.timeMs, m: isMaker },
    ...{ l: scale.quantity(trade.lots), L: scale.price(trade.priceTicks), t: trade.tradeId },
    ...{ z: scale.quantity(fill.executedLots), Z: scale.quote(fill.executedWorth), Y: scale.quote(fill.worth) },
    n: isFree ? "0" : scale.received(order.side, fill.commission),
    N: isFree ? null : scale.receivedAsset(order.side),
  });
}
