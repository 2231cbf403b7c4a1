/** Orders and lists placed. What came of them stands in the orders and the notices. */
import { legsOf } from "../rules/check-oco.ts";
import { ACCOUNT } from "../words/words.ts";
import { refusalOf } from "../wire/refused.ts";
import type { Parameters } from "../wire/rest.ts";
import { isOver, type ListAnswer, type ResultAnswer, rowOfDraft, rowOfResult } from "./order-rows.ts";
import type { OcoDraft, OrderDraft, OrderRow } from "./port.ts";
import { askAfter, describe, fail, newOrderName, type TradingParts } from "./trading-parts.ts";

/** True: the node has taken it. */
export async function place(parts: TradingParts, draft: OrderDraft): Promise<boolean> {
  const { rest, world, key, orders } = parts;
  const name = newOrderName(parts);
  const row = rowOfDraft(draft, name, world.nowMs());
  orders.pend(row);
  try {
    const parameters = { ...draft, newClientOrderId: name, newOrderRespType: "RESULT" };
    took(parts, await rest.signed<ResultAnswer>("POST", "/api/v3/order", key, parameters), row);
    return true;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.isUnknown) return askAfter(parts, row, refusal);
    fail(parts, row, refusal);
    return false;
  }
}

/** The node's answer to an order that was placed. */
export function took({ orders, notices, isLive }: TradingParts, answer: ResultAnswer, sent: OrderRow): void {
  const row = rowOfResult(answer, orders.withId(answer.orderId) ?? sent);
  orders.fold(row);
  orders.show();
  // The stream tells of what has happened to it already.
  if (!isOver(row)) notices.say("good", ACCOUNT.placed(describe(row)));
  else if (!isLive()) notices.say("plain", ACCOUNT.ended(describe(row), row.status));
}

export async function placeOco(parts: TradingParts, draft: OcoDraft): Promise<boolean> {
  return placeList(parts, legsOf(draft));
}

/** `drafts`: its two legs. */
export async function placeList(parts: TradingParts, drafts: readonly OrderDraft[]): Promise<boolean> {
  const { rest, world, key, orders, notices } = parts;
  const names = drafts.map(() => newOrderName(parts));
  const rows = drafts.map((draft, i) => rowOfDraft(draft, names[i] as string, world.nowMs()));
  for (const row of rows) orders.pend(row);
  try {
    const parameters = { ...listOf(drafts, names), newOrderRespType: "RESULT" };
    const answer = await rest.signed<ListAnswer>("POST", "/api/v3/orderList/oco", key, parameters);
    for (const report of answer.orderReports) orders.fold(rowOfResult(report, orders.withId(report.orderId)));
    orders.show();
    notices.say("good", ACCOUNT.listPlaced(rows.map(describe)));
    return true;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal.isUnknown) {
      for (const row of rows) fail(parts, row, refusal);
      return false;
    }
    // A list is placed whole or not at all.
    const found = await Promise.all(rows.map((row) => askAfter(parts, row, refusal)));
    return found.every(Boolean);
  }
}

/** The list by which leg stands above (Interface 4.3): of a SELL the stop leg is below, of a BUY above. */
function listOf(drafts: readonly OrderDraft[], names: readonly string[]): Parameters {
  const [{ symbol, side, quantity }] = drafts as [OrderDraft];
  const parameters: Record<string, string | undefined> = { symbol, side, quantity };
  for (const [i, draft] of drafts.entries()) {
    const isStop = draft.type.startsWith("STOP_LOSS");
    const place = isStop === (side === "BUY") ? "above" : "below";
    parameters[`${place}Type`] = draft.type;
    parameters[`${place}ClientOrderId`] = names[i];
    parameters[`${place}Price`] = draft.price;
    parameters[`${place}StopPrice`] = draft.stopPrice;
    parameters[`${place}TimeInForce`] = draft.timeInForce;
    parameters[`${place}IcebergQty`] = draft.icebergQty;
  }
  return parameters;
}
