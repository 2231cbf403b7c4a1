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

function state({ order, scale, quantityLots, executedLots, worth }: Tracked, status: string): object {
  return {
    price: scale.price(order.priceTicks),
    origQty: scale.quantity(quantityLots),
    executedQty: scale.quantity(executedLots),
    cummulativeQuoteQty: scale.quote(worth),
    origQuoteOrderQty: scale.quote(order.quoteOrderQty),
    status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    ...waiting({ order, scale }),
    selfTradePreventionMode: "NONE",
    ...(status === "EXPIRED" ? { expiryReason: expiryReason(order) } : {}),
  };
}

/** The fields of stop orders. Trailing ones have no stop price here, and follow from their placement. */
function waiting({ order, scale }: Pick<Tracked, "order" | "scale">): object {
  const { stopTicks, trailingDelta = 0, timeMs } = order;
  if (trailingDelta > 0) return { trailingDelta, trailingTime: timeMs };
  return stopTicks > 0 ? { stopPrice: scale.price(stopTicks) } : {};
}

function expiryReason({ timeInForce, type }: Tracked["order"]): string {
  if (type === "MARKET") return "INSUFFICIENT_LIQUIDITY";
  return timeInForce === "IOC" ? "UNFILLED_IOC_QUANTITY_EXPIRED" : "UNFILLED_FOK_ORDER_EXPIRED";
}

/** An order, with what its placement caused. */
export interface Placed {
  readonly tracked: Tracked;
  readonly fills: readonly PlacedFill[];
  readonly end: End | undefined;
  readonly isPending: boolean;
}

/** Status and body, as all responses here. */
export function placedAnswer(placed: Placed, timeMs: number, type: ResponseType): string {
  return `200 ${JSON.stringify(placedBody(placed, timeMs, type))}`;
}

/** A list of a working order and a pending one, and the reports on both as they were placed. */
export function listAnswer(
  orders: readonly Placed[],
  listClientOrderId: string,
  timeMs: number,
  type: ResponseType,
): string {
  const list = listBody(
    orders.map(({ tracked }) => tracked),
    listClientOrderId,
    timeMs,
    false,
  );
  return `200 ${JSON.stringify({ ...list, orderReports: orders.map((each) => placedBody(each, timeMs, type)) })}`;
}

/** Both orders of a list end together. */
export function canceledListAnswer(
  all: readonly Tracked[],
  ended: readonly Tracked[],
  ids: { readonly list: string; readonly cancel: string },
  timeMs: number,
): string {
  const orderReports = ended.map((tracked) => canceledBody(tracked, ids.cancel, timeMs));
  return `200 ${JSON.stringify({ ...listBody(all, ids.list, timeMs, true), orderReports })}`;
}

function listBody(orders: readonly Tracked[], listClientOrderId: string, timeMs: number, isOver: boolean): object {
  const [{ order, scale }] = orders as readonly [Tracked];
  return {
    orderListId: order.orderListId,
    contingencyType: "OTO",
    listStatusType: isOver ? "ALL_DONE" : "EXEC_STARTED",
    listOrderStatus: isOver ? "ALL_DONE" : "EXECUTING",
    listClientOrderId,
    transactionTime: timeMs,
    symbol: scale.symbol,
    orders: idsOf(orders),
  };
}

function idsOf(orders: readonly Tracked[]): object[] {
  return orders.map(({ order: { orderId }, clientOrderId, scale: { symbol } }) => ({ symbol, orderId, clientOrderId }));
}

/** `list` is the order's list, if that executes. */
export function amendedAnswer(
  tracked: Tracked,
  before: { readonly clientOrderId: string; readonly executionId: number; readonly status: string },
  list: { readonly orders: readonly Tracked[]; readonly clientId: string } | undefined,
  timeMs: number,
): string {
  const { order, scale, clientOrderId, quantityLots, executedLots, worth, workingMs } = tracked;
  const { orderId, orderListId } = order;
  const { symbol } = scale;
  const zero = scale.quantity(0);
  const amendedOrder = {
    ...{ symbol, orderId, orderListId, origClientOrderId: before.clientOrderId, clientOrderId },
    ...{ price: scale.price(order.priceTicks), qty: scale.quantity(quantityLots) },
    ...{ executedQty: scale.quantity(executedLots), preventedQty: zero, quoteOrderQty: scale.quote(0n) },
    ...{ cumulativeQuoteQty: scale.quote(worth), status: before.status, timeInForce: order.timeInForce },
    ...{ type: order.type, side: order.side, workingTime: workingMs },
    ...{ ...waiting(tracked), selfTradePreventionMode: "NONE" },
  };
  const listStatus = list && {
    ...{ orderListId, contingencyType: "OTO", listOrderStatus: "EXECUTING", listClientOrderId: list.clientId },
    ...{ symbol, orders: idsOf(list.orders) },
  };
  const { executionId } = before;
  return `200 ${JSON.stringify({ transactTime: timeMs, executionId, amendedOrder, ...(listStatus && { listStatus }) })}`;
}

function placedBody({ tracked, fills, end, isPending }: Placed, timeMs: number, type: ResponseType): object {
  const { order, scale } = tracked;
  const { symbol } = scale;
  const { orderId, clientOrderId, orderListId } = order;
  const ack = { symbol, orderId, orderListId, clientOrderId, transactTime: timeMs };
  if (type === "ACK") return ack;
  const commission = fills.reduce((sum, { fill }) => sum + fill.commission, 0n);
  const commissionAsset = scale.receivedAsset(order.side);
  const result = {
    ...ack,
    ...state(tracked, end ?? fills.at(-1)?.fill.status ?? (isPending ? "PENDING_NEW" : "NEW")),
    workingTime: isPending ? -1 : tracked.workingMs,
    commission: scale.received(order.side, commission),
    commissionAsset,
  };
  if (type === "RESULT") return result;
  const told = fills.map(({ trade, fill }) => ({
    price: scale.price(trade.priceTicks),
    qty: scale.quantity(trade.lots),
    commission: scale.received(order.side, fill.commission),
    commissionAsset,
    tradeId: trade.tradeId,
  }));
  return { ...result, fills: told };
}

export function canceledAnswer(tracked: Tracked, cancelId: string, timeMs: number): string {
  return `200 ${JSON.stringify(canceledBody(tracked, cancelId, timeMs))}`;
}

function canceledBody(tracked: Tracked, cancelId: string, timeMs: number): object {
  const { order, scale, clientOrderId } = tracked;
  return {
    symbol: scale.symbol,
    origClientOrderId: clientOrderId,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: cancelId,
    transactTime: timeMs,
    ...state(tracked, "CANCELED"),
  };
}

export function refusedAnswer(reason: RejectReason, context: "place" | "amend" | "cancel"): string {
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

export function openedExecution({ order, scale, clientOrderId, isPending }: Tracked, timeMs: number): string {
  const zero = { z: "0.00000000", Z: scale.quote(0n) };
  return executionText({
    ...{ ...NO_FILL, ...zero, c: clientOrderId, C: "" },
    ...{ x: "NEW", X: isPending ? "PENDING_NEW" : "NEW", i: order.orderId, T: timeMs },
  });
}

export function amendedExecution({ order, scale, ...did }: Tracked, before: string, timeMs: number): string {
  const done = { z: scale.quantity(did.executedLots), Z: scale.quote(did.worth), i: order.orderId, T: timeMs };
  const ids = { c: did.clientOrderId, C: before };
  return executionText({ ...NO_FILL, ...done, ...ids, x: "REPLACED", X: liveStatus(did) });
}

export function liveStatus({ isPending, executedLots }: Pick<Tracked, "isPending" | "executedLots">): string {
  if (isPending) return "PENDING_NEW";
  return executedLots > 0 ? "PARTIALLY_FILLED" : "NEW";
}

export function endedExecution({ order, scale, ...did }: Tracked, end: End, cancelId: string, timeMs: number): string {
  const done = { z: scale.quantity(did.executedLots), Z: scale.quote(did.worth), i: order.orderId, T: timeMs };
  const ids = cancelId === "" ? { c: did.clientOrderId, C: "" } : { c: cancelId, C: did.clientOrderId };
  return executionText({ ...NO_FILL, ...done, ...ids, x: end, X: end });
}

export function tradeExecution(trade: Trade, fill: TrackedFill, isMaker: boolean): string {
  const { order, scale, clientOrderId } = fill.tracked;
  const isFree = fill.commission === 0n;
  return executionText({
    ...{ c: clientOrderId, C: "", x: "TRADE", X: fill.status, i: order.orderId, T: trade.timeMs, m: isMaker },
    ...{ l: scale.quantity(trade.lots), L: scale.price(trade.priceTicks), t: trade.tradeId },
    ...{ z: scale.quantity(fill.executedLots), Z: scale.quote(fill.executedWorth), Y: scale.quote(fill.worth) },
    n: isFree ? "0" : scale.received(order.side, fill.commission),
    N: isFree ? null : scale.receivedAsset(order.side),
  });
}
