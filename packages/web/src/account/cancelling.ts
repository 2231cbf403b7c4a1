/** Orders and lists cancelled. What is over already is said to be so. */
import { ACCOUNT } from "../words/words.ts";
import { refusalOf } from "../wire/refused.ts";
import type { Parameters } from "../wire/rest.ts";
import { type ListAnswer, type OrderAnswer, type ResultAnswer, rowOfOrder, rowOfResult } from "./order-rows.ts";
import type { OrderRow, Refusal } from "./port.ts";
import { askUntilTold, describe, stateOf, type TradingParts } from "./trading-parts.ts";

type CancelAnswer = ResultAnswer | ListAnswer;

const UNKNOWN_ORDER = -2011;

/** True: it is cancelled. */
export async function cancel(parts: TradingParts, order: OrderRow): Promise<boolean> {
  const { symbol, orderId, clientOrderId } = order;
  // One whose answer was lost has no number yet.
  const which = orderId === 0 ? { origClientOrderId: clientOrderId } : { orderId };
  const refusal = await send(parts, "/api/v3/order", { symbol, ...which });
  if (refusal === null) {
    parts.notices.say("good", ACCOUNT.cancelled(describe(order)));
    return true;
  }
  return isCancelledAfterAll(parts, order, refusal);
}

export async function cancelList(parts: TradingParts, symbol: string, orderListId: number): Promise<boolean> {
  const leg = legsOfList(parts, orderListId)[0];
  const refusal = await send(parts, "/api/v3/orderList", { symbol, orderListId });
  if (refusal === null) {
    parts.notices.say("good", ACCOUNT.listCancelled(symbol));
    return true;
  }
  if (leg !== undefined) return isCancelledAfterAll(parts, leg, refusal);
  parts.notices.say("bad", ACCOUNT.notCancelled(symbol, refusal.message));
  return false;
}

/** The legs that are open. */
export function legsOfList({ orders }: TradingParts, orderListId: number): readonly OrderRow[] {
  return orderListId === -1 ? [] : orders.open.filter((row) => row.orderListId === orderListId);
}

/** Cancels all orders of a market, or of all markets. */
export async function cancelAll(parts: TradingParts, symbol: string | null): Promise<boolean> {
  const open = parts.orders.open.filter((row) => symbol === null || row.symbol === symbol);
  const symbols = [...new Set(open.map((row) => row.symbol))];
  const done = await Promise.all(symbols.map((one) => cancelAllOf(parts, one)));
  return done.every(Boolean);
}

async function cancelAllOf(parts: TradingParts, symbol: string): Promise<boolean> {
  const refusal = await send(parts, "/api/v3/openOrders", { symbol });
  if (refusal === null) {
    parts.notices.say("good", ACCOUNT.allCancelled(symbol));
    return true;
  }
  // The answer was lost, or there was nothing to cancel any more: what is open now says it.
  const mayBeDone = refusal.isUnknown || refusal.code === UNKNOWN_ORDER;
  const open = parts.orders.open.filter((row) => row.symbol === symbol);
  const left = mayBeDone ? await askUntilTold<readonly OrderAnswer[]>(parts, "/api/v3/openOrders", { symbol }) : null;
  if (left !== null) parts.orders.replace(left.map(rowOfOrder), open);
  if (left?.length === 0) {
    parts.notices.say("good", ACCOUNT.allCancelled(symbol));
    return true;
  }
  parts.notices.say("bad", ACCOUNT.notCancelled(symbol, refusal.message));
  return false;
}

/** Null: it was done, and the orders know. */
export async function send(parts: TradingParts, path: string, parameters: Parameters): Promise<Refusal | null> {
  const { rest, key } = parts;
  try {
    const answer = await rest.signed<CancelAnswer | readonly CancelAnswer[]>("DELETE", path, key, parameters);
    for (const one of Array.isArray(answer) ? (answer as readonly CancelAnswer[]) : [answer as CancelAnswer])
      foldCancel(parts, one);
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}

export function foldCancel({ orders }: TradingParts, answer: CancelAnswer): void {
  const reports = "orderReports" in answer ? answer.orderReports : [answer];
  for (const report of reports) orders.fold(rowOfResult(report, orders.withId(report.orderId)));
  orders.show();
}

/** The answer was lost, or the order is over: the node says which. */
export async function isCancelledAfterAll(parts: TradingParts, order: OrderRow, refusal: Refusal): Promise<boolean> {
  const { notices } = parts;
  const mayBeOver = order.orderId !== 0 && (refusal.isUnknown || refusal.code === UNKNOWN_ORDER);
  if (refusal.isUnknown) notices.say("bad", ACCOUNT.cancelUnknown(describe(order), refusal.message));
  const row = mayBeOver ? await stateOf(parts, order) : null;
  if (row?.status === "CANCELED") {
    notices.say("good", ACCOUNT.cancelled(describe(order)));
    return true;
  }
  notices.say("bad", ACCOUNT.notCancelled(describe(order), row === null ? refusal.message : ACCOUNT.isNow(row.status)));
  return false;
}
