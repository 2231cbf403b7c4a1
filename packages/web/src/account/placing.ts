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
  const [stopName, limitName] = [newOrderName(parts), newOrderName(parts)];
  const [stop, limit] = legsOf(draft);
  const nowMs = parts.world.nowMs();
  const rows = [rowOfDraft(stop, stopName, nowMs), rowOfDraft(limit, limitName, nowMs)];
  const names = { stopClientOrderId: stopName, limitClientOrderId: limitName };
  return placeList(parts, "/api/v3/order/oco", { ...draft, ...names }, rows);
}

/** `rows`: its two legs, as they are shown while it is sent. */
export async function placeList(
  parts: TradingParts,
  path: string,
  parameters: Parameters,
  rows: readonly OrderRow[],
): Promise<boolean> {
  const { rest, key, orders, notices } = parts;
  for (const row of rows) orders.pend(row);
  try {
    const answer = await rest.signed<ListAnswer>("POST", path, key, { ...parameters, newOrderRespType: "RESULT" });
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
