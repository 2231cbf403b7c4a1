/** Places, cancels, moves and reduces orders and order lists. The outcome appears in the order rows and the notices. */
import type { Query } from "../wire/world.ts";
import type { AmendResponse, OrderRecord } from "@pricetime/protocol";
import { ACCOUNT, listNotices } from "../words/words.ts";
import { refusalOf, type Refused } from "../wire/rest.ts";
import {
  isOver,
  isPending,
  type ListAnswer,
  remainingOf,
  type ResultAnswer,
  rowOfDraft,
  rowOfOrder,
  rowOfResult,
  trailingState,
} from "./own-orders.ts";
import { amendedWith, isMovable, listOf, type OpenList, ordersOf, othersOf, sellsBought } from "./order-lists.ts";
import { placeLegs, placeOto } from "./placing-lists.ts";
import type { OrderDraft, OrderRow, OtoDraft, Refusal } from "./port.ts";
import {
  resolveUnknown,
  queryUntilAnswered,
  describe,
  newOrderName,
  noticeKey,
  stateOf,
  type TradingParts,
} from "./trading-parts.ts";
import { showAmount } from "../exact/shown.ts";
import { compare, decimal, formatShort, isZero } from "../exact/decimal.ts";
import { hasPrice, needsTimeInForce, waits } from "../rules/draft.ts";

// Placing orders.

/** Places an order. Resolves to null if the node accepted it, otherwise to the reason. */
export async function place(parts: TradingParts, draft: OrderDraft): Promise<Refusal | null> {
  const { rest, world, access, orders } = parts;
  const name = newOrderName(parts);
  const row = rowOfDraft(draft, name, world.nowMs());
  orders.pend(row);
  try {
    const parameters = { ...draft, newClientOrderId: name, newOrderRespType: "RESULT" };
    took(parts, await rest.authorized<ResultAnswer>("POST", "/api/v3/order", access, parameters), row);
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.isUnknown) return resolveUnknown(parts, row, refusal);
    orders.drop(row);
    return refusal;
  }
}

/** Applies the node's response to an order that was placed, or moved as `done` then says. */
function took(
  { orders, notices, isLive }: TradingParts,
  answer: ResultAnswer,
  sent: OrderRow,
  done: (order: string) => string = ACCOUNT.placed,
): void {
  const row = rowOfResult(answer, orders.withId(answer) ?? sent);
  orders.fold(row);
  orders.show();
  // An open stream reports fills and the end of the order.
  if (isLive() && (isOver(row) || !isZero(decimal(row.executedQty)))) return;
  if (!isOver(row)) notices.notify("good", done(describe(row)), noticeKey(row));
  else notices.notify("plain", ACCOUNT.ended(describe(row), row.status), noticeKey(row));
}

// Canceling orders. If an order has already closed, the notice says so.

type CancelAnswer = ResultAnswer | ListAnswer;

const UNKNOWN_ORDER = -2011;

/** Cancels an order. Resolves to true if the order was canceled. */
export async function cancel(parts: TradingParts, order: OrderRow): Promise<boolean> {
  const { symbol, orderId, clientOrderId } = order;
  const list = listOf(order, parts.orders.open);
  const others = list === null ? [] : othersOf(list, order);
  // An order whose response was lost has no order ID yet.
  const which = orderId === 0 ? { origClientOrderId: clientOrderId } : { orderId };
  const refusal = await sendCancel(parts, "/api/v3/order", { symbol, ...which });
  if (refusal === null) {
    const text = describe(order);
    const also = others.map(describe);
    parts.notices.notify("good", also.length === 0 ? ACCOUNT.cancelled(text) : listNotices.alsoCanceled(text, also));
    return true;
  }
  return isCancelledAfterAll(parts, order, refusal);
}

export async function cancelList(parts: TradingParts, symbol: string, orderListId: number): Promise<boolean> {
  const leg = parts.orders.open.find((row) => row.symbol === symbol && row.orderListId === orderListId);
  const refusal = await sendCancel(parts, "/api/v3/orderList", { symbol, orderListId });
  if (refusal === null) {
    parts.notices.notify("good", ACCOUNT.listCancelled(symbol));
    return true;
  }
  if (leg !== undefined) return isCancelledAfterAll(parts, leg, refusal);
  parts.notices.notify("bad", ACCOUNT.notCancelled(symbol, refusal.message));
  return false;
}

/** Cancels all orders of a market, or of all markets. */
export async function cancelAll(parts: TradingParts, symbol: string | null): Promise<boolean> {
  const open = parts.orders.open.filter((row) => symbol === null || row.symbol === symbol);
  const symbols = [...new Set(open.map((row) => row.symbol))];
  const done = await Promise.all(symbols.map((one) => cancelAllOf(parts, one)));
  return done.every(Boolean);
}

async function cancelAllOf(parts: TradingParts, symbol: string): Promise<boolean> {
  const refusal = await sendCancel(parts, "/api/v3/openOrders", { symbol });
  if (refusal === null) {
    parts.notices.notify("good", ACCOUNT.allCancelled(symbol));
    return true;
  }
  // The response was lost, or no order was open anymore. The list of open orders shows which of the two.
  const mayBeDone = refusal.isUnknown || refusal.code === UNKNOWN_ORDER;
  const open = parts.orders.open.filter((row) => row.symbol === symbol);
  const left = mayBeDone
    ? await queryUntilAnswered<readonly OrderRecord[]>(parts, "/api/v3/openOrders", { symbol })
    : null;
  if (left !== null) parts.orders.replace(left.map(rowOfOrder), open);
  if (left?.length === 0) {
    parts.notices.notify("good", ACCOUNT.allCancelled(symbol));
    return true;
  }
  parts.notices.notify("bad", ACCOUNT.notCancelled(symbol, refusal.message));
  return false;
}

/** Sends a cancel request and updates the order rows. Returns null if it succeeded. */
async function sendCancel(parts: TradingParts, path: string, parameters: Query): Promise<Refusal | null> {
  const { rest, access } = parts;
  try {
    const answer = await rest.authorized<CancelAnswer | readonly CancelAnswer[]>("DELETE", path, access, parameters);
    for (const one of Array.isArray(answer) ? (answer as readonly CancelAnswer[]) : [answer as CancelAnswer])
      foldCancel(parts, one);
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}

function foldCancel({ orders }: TradingParts, answer: CancelAnswer): void {
  const reports = "orderReports" in answer ? answer.orderReports : [answer];
  for (const report of reports) orders.fold(rowOfResult(report, orders.withId(report)));
  orders.show();
}

/** Queries the node for the outcome if the response was lost or the order has already closed. */
async function isCancelledAfterAll(parts: TradingParts, order: OrderRow, refusal: Refusal): Promise<boolean> {
  const { notices } = parts;
  const mayBeOver = order.orderId !== 0 && (refusal.isUnknown || refusal.code === UNKNOWN_ORDER);
  if (refusal.isUnknown) notices.notify("bad", ACCOUNT.cancelUnknown(describe(order), refusal.message));
  const row = mayBeOver ? await stateOf(parts, order) : null;
  if (row?.status === "CANCELED") {
    notices.notify("good", ACCOUNT.cancelled(describe(order)));
    return true;
  }
  const why = row === null ? refusal.message : ACCOUNT.isNow(row.status);
  notices.notify("bad", ACCOUNT.notCancelled(describe(order), why));
  return false;
}

// Moving orders: cancels an order and places it again at another price. If only the first step succeeds, the notice
// says so.

interface Target {
  readonly price?: string;
  readonly stopPrice?: string;
}

/** The results of the two halves of a rejected cancelReplace. */
interface Halves {
  readonly cancelResult?: string;
  readonly cancelResponse?: ResultAnswer;
  readonly newOrderResponse?: { readonly code?: number; readonly msg?: string } | null;
}

/** Moves an order. Resolves to true if the order is open at the new price. */
export async function move(parts: TradingParts, order: OrderRow, to: Target): Promise<boolean> {
  const list = listOf(order, parts.orders.open);
  if (list === null) return moveOne(parts, order, to);
  if (isMovable(list, order)) return moveInList(parts, list, order, to);
  parts.notices.notify("bad", ACCOUNT.notMoved(describe(order), listNotices.isFilling));
  return false;
}

/** Reduces the quantity of an order, which keeps its place in the queue. Both legs of a pair get the new quantity. */
export async function reduce(parts: TradingParts, order: OrderRow, newQty: string): Promise<boolean> {
  const { rest, access, orders, notices } = parts;
  const { symbol, orderId, clientOrderId: newClientOrderId } = order;
  try {
    const parameters = { symbol, orderId, newClientOrderId, newQty };
    const { amendedOrder, transactTime } = await rest.authorized<AmendResponse>(
      ...(["PUT", "/api/v3/order/amend/keepPriority", access, parameters] as const),
    );
    const { qty: origQty, status } = amendedOrder;
    for (const amended of amendedWith(listOf(order, orders.open), order)) {
      const row = orders.withId(amended);
      if (row !== undefined) orders.fold({ ...row, origQty, status, updateTimeMs: transactTime });
    }
    orders.show();
    notices.notify("good", ACCOUNT.reduced(describe({ ...order, origQty })), noticeKey(order));
    return true;
  } catch (error) {
    const refusal = refusalOf(error);
    const now = await stateOf(parts, order);
    if (refusal.isUnknown && now !== null && compare(decimal(now.origQty), decimal(newQty)) === 0) return true;
    const why = now === null || !isOver(now) ? refusal.message : ACCOUNT.isNow(now.status);
    notices.notify("bad", ACCOUNT.notReduced(describe(order), why));
    return false;
  }
}

async function moveOne(parts: TradingParts, order: OrderRow, to: Target): Promise<boolean> {
  const { rest, world, access, orders, notices } = parts;
  const draft = { ...remainderOf(order), ...to };
  const name = newOrderName(parts);
  const row = rowOfDraft(draft, name, world.nowMs());
  orders.pend(row);
  const parameters = {
    ...draft,
    ...{ newClientOrderId: name, newOrderRespType: "RESULT" },
    ...{ cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: order.orderId },
  };
  try {
    const answer = await rest.authorized<{ cancelResponse: ResultAnswer; newOrderResponse: ResultAnswer }>(
      ...(["POST", "/api/v3/order/cancelReplace", access, parameters] as const),
    );
    foldCancel(parts, answer.cancelResponse);
    took(parts, answer.newOrderResponse, row, ACCOUNT.moved);
    const executed = answer.cancelResponse.executedQty;
    if (compare(decimal(executed), decimal(order.executedQty)) > 0) {
      notices.notify("bad", ACCOUNT.filledMeanwhile(describe(order), showAmount(executed)));
    }
    return true;
  } catch (error) {
    return moveFailed(parts, order, row, refusalOf(error));
  }
}

async function moveFailed(parts: TradingParts, order: OrderRow, row: OrderRow, refusal: Refused): Promise<boolean> {
  const { orders, notices } = parts;
  if (refusal.isUnknown) {
    const reason = await resolveUnknown(parts, row, refusal);
    const before = await stateOf(parts, order);
    if (reason === null) return true;
    const told = before?.status === "CANCELED" ? ACCOUNT.gone : ACCOUNT.notMoved;
    notices.notify("bad", told(describe(order), reason.message));
    return false;
  }
  const halves = (refusal.data ?? {}) as Halves;
  if (halves.cancelResult === "SUCCESS") {
    if (halves.cancelResponse !== undefined) foldCancel(parts, halves.cancelResponse);
    orders.drop(row);
    notices.notify("bad", ACCOUNT.gone(describe(order), halves.newOrderResponse?.msg ?? refusal.message));
    return false;
  }
  // No new order exists: the old order is unchanged or has closed.
  orders.drop(row);
  const now = halves.cancelResult === "FAILURE" ? await stateOf(parts, order) : null;
  notices.notify("bad", ACCOUNT.notMoved(describe(order), now === null ? refusal.message : ACCOUNT.isNow(now.status)));
  return false;
}

/** Moves an order of a list: cancels the list, and places it again. */
async function moveInList(parts: TradingParts, list: OpenList, order: OrderRow, to: Target): Promise<boolean> {
  const { notices, orders } = parts;
  const { symbol, orderListId } = order;
  const refusal = await sendCancel(parts, "/api/v3/orderList", { symbol, orderListId });
  if (refusal !== null && !(await isCancelledAfterAll(parts, order, refusal))) {
    notices.notify("bad", ACCOUNT.notMoved(describe(order), refusal.message));
    return false;
  }
  const oto = otoOf(list, order, to);
  const reason = await (oto === null ? placeLegs(parts, legsOf(list, order, to)) : placeOto(parts, oto));
  if (reason !== null) {
    notices.notify("bad", ACCOUNT.listGone(ordersOf(list).map(describe), reason.message));
    return false;
  }
  const executed = list.working === null ? undefined : orders.withId(list.working)?.executedQty;
  // The pending orders cover the new working order only.
  if (list.working !== null && executed !== undefined && !isZero(decimal(executed))) {
    notices.notify("bad", ACCOUNT.filledMeanwhile(describe(list.working), showAmount(executed)));
  }
  return true;
}

/** The legs of an OCO, or the pending orders of a list, with an order moved. */
function legsOf({ stop, limit }: OpenList, order: OrderRow, to: Target): readonly OrderDraft[] {
  const legs = [stop, limit].filter((leg) => leg !== null);
  return legs.map((leg) => {
    const { quantity: _quantity, ...rest } = remainderOf(leg);
    const draft = sellsBought(leg) ? rest : remainderOf(leg);
    return leg.orderId === order.orderId ? { ...draft, ...to } : draft;
  });
}

/** The list of a working order with an order moved; null for an OCO. */
export function otoOf(list: OpenList, order: OrderRow, to: Target): OtoDraft | null {
  const { working } = list;
  if (working === null) return null;
  const pending = legsOf(list, order, to);
  const isOfBought = ordersOf(list).some(sellsBought);
  return {
    kind: `${isOfBought ? "OPO" : "OTO"}${pending.length === 2 ? "CO" : ""}`,
    working: { ...remainderOf(working), ...(working.orderId === order.orderId ? to : {}) },
    pending,
  };
}

function pegOf({ pegPriceType, pegOffsetValue }: OrderRow): Partial<OrderDraft> {
  return {
    ...(pegPriceType !== undefined && { pegPriceType }),
    ...(pegOffsetValue !== undefined && { pegOffsetType: "PRICE_LEVEL", pegOffsetValue: String(pegOffsetValue) }),
  };
}

/**
 * A draft for the unfilled quantity of an order. If it was already triggered, it is a plain limit order. A trailing stop
 * whose stop price was reached follows the price from now. A pegged order that has taken its price keeps it.
 */
export function remainderOf(order: OrderRow): OrderDraft {
  const { symbol, side, price, stopPrice, timeInForce, icebergQty, trailingDelta } = order;
  const { selfTradePreventionMode, strategyId, strategyType } = order;
  const hasNoPriceYet = isPending(order) || (waits(order.type) && !order.isWorking);
  const left = remainingOf(order);
  const isTriggered = waits(order.type) && order.isWorking && hasPrice(order.type);
  const type = isTriggered ? "LIMIT" : order.type;
  const isIceberg = !isZero(decimal(icebergQty)) && compare(decimal(icebergQty), left) < 0;
  return {
    ...{ symbol, side, type, quantity: formatShort(left) },
    ...(needsTimeInForce(type) ? { timeInForce } : {}),
    ...(hasPrice(type) && !isZero(decimal(price)) ? { price } : {}),
    ...(hasNoPriceYet ? pegOf(order) : {}),
    ...(waits(type) && !isZero(decimal(stopPrice)) && trailingState(order) !== "following" ? { stopPrice } : {}),
    ...(waits(type) && trailingDelta !== undefined ? { trailingDelta: String(trailingDelta) } : {}),
    ...(isIceberg ? { icebergQty } : {}),
    ...(selfTradePreventionMode !== undefined && { selfTradePreventionMode }),
    ...(strategyId !== undefined && { strategyId }),
    ...(strategyType !== undefined && { strategyType }),
  };
}
