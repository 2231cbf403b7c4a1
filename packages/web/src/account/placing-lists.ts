/** Places order lists: OCO, and working orders with their pending orders. Interface 4.3. */
import { nameOf } from "@pricetime/protocol";
import { legsOf } from "../rules/check-order.ts";
import { ACCOUNT } from "../words/words.ts";
import { refusalOf } from "../wire/rest.ts";
import type { Query } from "../wire/world.ts";
import { type ListAnswer, rowOfDraft, rowOfResult } from "./own-orders.ts";
import type { OcoDraft, OrderDraft, OtoDraft, Refusal } from "./port.ts";
import { describe, newOrderName, resolveUnknown, type TradingParts } from "./trading-parts.ts";

export function placeOco(parts: TradingParts, draft: OcoDraft): Promise<Refusal | null> {
  return placeLegs(parts, legsOf(draft));
}

/** Places an OCO. `legs` are its two orders. */
export function placeLegs(parts: TradingParts, legs: readonly OrderDraft[]): Promise<Refusal | null> {
  const [{ symbol, side, quantity, selfTradePreventionMode }] = legs as [OrderDraft];
  const places = ["above", "below"];
  return placeList(parts, "oco", legs, (names) => ({
    ...{ symbol, side, quantity, selfTradePreventionMode },
    ...prefixed(legs, names, (leg) => places[placeOf(leg)] as string),
  }));
}

/** Places a working order and its pending orders. */
export function placeOto(parts: TradingParts, { kind, working, pending }: OtoDraft): Promise<Refusal | null> {
  const [{ side: pendingSide, quantity: pendingQuantity }] = pending as [OrderDraft];
  const { symbol, side: workingSide, quantity: workingQuantity, selfTradePreventionMode } = working;
  const places = ["pendingAbove", "pendingBelow"];
  const prefix = (order: OrderDraft): string => {
    if (order === working) return "working";
    return pending.length === 1 ? "pending" : (places[placeOf(order)] as string);
  };
  return placeList(parts, kind.toLowerCase(), [working, ...pending], (names) => ({
    ...{ symbol, workingSide, workingQuantity, pendingSide, pendingQuantity, selfTradePreventionMode },
    ...prefixed([working, ...pending], names, prefix),
  }));
}

/** 0 for the upper leg of a pair, 1 for the lower one. The stop leg is the lower one of a SELL, the upper one of a BUY. */
const placeOf = ({ side, type }: OrderDraft): 0 | 1 => (type.startsWith("STOP_LOSS") === (side === "BUY") ? 0 : 1);

/** The parameters that each order of a list has for itself. */
const OWN = [
  ...(["type", "price", "stopPrice", "timeInForce", "icebergQty", "trailingDelta"] as const),
  ...(["pegPriceType", "pegOffsetType", "pegOffsetValue", "strategyId", "strategyType"] as const),
] as const;

/** The parameters of the orders of a list, whose names begin with the order's place in it. */
function prefixed(
  drafts: readonly OrderDraft[],
  names: readonly string[],
  prefixOf: (draft: OrderDraft) => string,
): Query {
  const parameters: Record<string, string | number | undefined> = {};
  for (const [i, draft] of drafts.entries()) {
    const prefix = prefixOf(draft);
    parameters[nameOf(prefix, "clientOrderId")] = names[i];
    for (const name of OWN) parameters[nameOf(prefix, name)] = draft[name];
  }
  return parameters;
}

/** `queryOf` returns the parameters with the client order IDs of the orders. */
async function placeList(
  parts: TradingParts,
  kind: string,
  drafts: readonly OrderDraft[],
  queryOf: (names: readonly string[]) => Query,
): Promise<Refusal | null> {
  const { rest, world, access, orders, notices } = parts;
  const names = drafts.map(() => newOrderName(parts));
  const rows = drafts.map((draft, i) => rowOfDraft(draft, names[i] as string, world.nowMs()));
  for (const row of rows) orders.pend(row);
  try {
    const parameters = { ...queryOf(names), newOrderRespType: "RESULT" };
    const answer = await rest.authorized<ListAnswer>("POST", `/api/v3/orderList/${kind}`, access, parameters);
    for (const report of answer.orderReports) orders.fold(rowOfResult(report, orders.withId(report)));
    orders.show();
    notices.notify("good", ACCOUNT.listPlaced(rows.map(describe)));
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal.isUnknown) {
      for (const row of rows) orders.drop(row);
      return refusal;
    }
    // An order list is placed completely or not at all.
    const found = await Promise.all(rows.map((row) => resolveUnknown(parts, row, refusal)));
    return found.find((reason) => reason !== null) ?? null;
  }
}
