/** An order moved to another price: cancelled and placed anew. A failure in between is told as what it is. */
import { compare, decimal, formatShort, isZero, subtract } from "../exact/decimal.ts";
import { hasPrice, needsTimeInForce, waits } from "../rules/order-types.ts";
import { ACCOUNT } from "../words/words.ts";
import { type Refused, refusalOf } from "../wire/refused.ts";
import { foldCancel, isCancelledAfterAll, legsOfList, send } from "./cancelling.ts";
import { type ResultAnswer, rowOfDraft } from "./order-rows.ts";
import { placeList, took } from "./placing.ts";
import type { OrderDraft, OrderRow } from "./port.ts";
import { askAfter, describe, fail, newOrderName, stateOf, type TradingParts } from "./trading-parts.ts";

interface Target {
  readonly price?: string;
  readonly stopPrice?: string;
}

/** What came of each half of a refused cancelReplace. */
interface Halves {
  readonly cancelResult?: string;
  readonly cancelResponse?: ResultAnswer;
  readonly newOrderResponse?: { readonly code?: number; readonly msg?: string } | null;
}

/** True: it stands at the new price. */
export async function move(parts: TradingParts, order: OrderRow, to: Target): Promise<boolean> {
  const legs = legsOfList(parts, order.orderListId);
  return legs.length === 2 ? moveLeg(parts, legs, order, to) : moveOne(parts, order, to);
}

async function moveOne(parts: TradingParts, order: OrderRow, to: Target): Promise<boolean> {
  const { rest, world, key, orders, notices } = parts;
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
    const answer = await rest.signed<{ cancelResponse: ResultAnswer; newOrderResponse: ResultAnswer }>(
      ...(["POST", "/api/v3/order/cancelReplace", key, parameters] as const),
    );
    foldCancel(parts, answer.cancelResponse);
    took(parts, answer.newOrderResponse, row);
    const executed = answer.cancelResponse.executedQty;
    if (compare(decimal(executed), decimal(order.executedQty)) > 0) {
      notices.say("bad", ACCOUNT.filledMeanwhile(describe(order), formatShort(decimal(executed))));
    }
    return true;
  } catch (error) {
    return moveFailed(parts, order, row, refusalOf(error));
  }
}

async function moveFailed(parts: TradingParts, order: OrderRow, row: OrderRow, refusal: Refused): Promise<boolean> {
  const { orders, notices } = parts;
  if (refusal.isUnknown) {
    const isPlaced = await askAfter(parts, row, refusal);
    const before = await stateOf(parts, order);
    if (!isPlaced && before?.status === "CANCELED") notices.say("bad", ACCOUNT.gone(describe(order), refusal.message));
    return isPlaced;
  }
  const halves = (refusal.data ?? {}) as Halves;
  if (halves.cancelResult === "SUCCESS") {
    if (halves.cancelResponse !== undefined) foldCancel(parts, halves.cancelResponse);
    const why = {
      code: halves.newOrderResponse?.code ?? refusal.code,
      message: halves.newOrderResponse?.msg ?? refusal.message,
    };
    fail(parts, row, { ...why, isUnknown: false });
    notices.say("bad", ACCOUNT.gone(describe(order), why.message));
    return false;
  }
  // The old order stands as it stood, or is over: there is no new one to show.
  orders.pend({ ...row, state: "failed", refusal });
  orders.dismiss({ ...row, state: "failed" });
  const now = halves.cancelResult === "FAILURE" ? await stateOf(parts, order) : null;
  notices.say("bad", ACCOUNT.notMoved(describe(order), now === null ? refusal.message : ACCOUNT.isNow(now.status)));
  return false;
}

async function moveLeg(parts: TradingParts, legs: readonly OrderRow[], order: OrderRow, to: Target): Promise<boolean> {
  const { notices } = parts;
  const { symbol, orderListId } = order;
  const refusal = await send(parts, "/api/v3/orderList", { symbol, orderListId });
  if (refusal !== null && !(await isCancelledAfterAll(parts, order, refusal))) {
    notices.say("bad", ACCOUNT.notMoved(describe(order), refusal.message));
    return false;
  }
  const drafts = legs.map((leg) => ({ ...remainderOf(leg), ...(leg.orderId === order.orderId ? to : {}) }));
  if (await placeList(parts, drafts)) return true;
  notices.say("bad", ACCOUNT.listGone(legs.map(describe)));
  return false;
}

/** What is left of an order, as a draft. One whose stop price was reached goes on as the limit order that it is. */
export function remainderOf(order: OrderRow): OrderDraft {
  const { symbol, side, price, stopPrice, timeInForce, icebergQty } = order;
  const left = subtract(decimal(order.origQty), decimal(order.executedQty));
  const isTriggered = waits(order.type) && order.isWorking && hasPrice(order.type);
  const type = isTriggered ? "LIMIT" : order.type;
  const isIceberg = !isZero(decimal(icebergQty)) && compare(decimal(icebergQty), left) < 0;
  return {
    ...{ symbol, side, type, quantity: formatShort(left) },
    ...(needsTimeInForce(type) ? { timeInForce } : {}),
    ...(hasPrice(type) ? { price } : {}),
    ...(waits(type) ? { stopPrice } : {}),
    ...(isIceberg ? { icebergQty } : {}),
  };
}
