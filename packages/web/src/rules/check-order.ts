/**
 * All that is wrong with a draft of an order or an order list, before it is sent. An empty result: the node would
 * accept it, as far as can be known here.
 */
import type { OrderDraft } from "../account/port.ts";
import { RULES } from "../words/words.ts";
import { checkCounts } from "./check-counts.ts";
import { checkFilters } from "./check-filters.ts";
import { checkFunds } from "./check-funds.ts";
import { checkStanding } from "./check-standing.ts";
import { type DraftValues, valuesOf } from "./draft-values.ts";
import { hasPrice, needsTimeInForce, waits } from "./order-types.ts";
import type { Circumstances, Field, Problem } from "./problem.ts";

// A single order.

export function checkOrder(draft: OrderDraft, around: Circumstances): readonly Problem[] {
  const values = valuesOf(draft);
  return [
    ...checkForm(draft, values, around),
    ...checkFilters(draft, values, around),
    ...checkCounts([draft], around),
    ...checkStanding(draft, values, around),
    ...checkFunds(draft, values, around),
  ];
}

/** What is missing or does not fit together; what is no value counts as missing. */
export function checkForm(draft: OrderDraft, values: DraftValues, { market }: Circumstances): readonly Problem[] {
  const { type, timeInForce = "" } = draft;
  const found: Problem[] = [];
  const add = (field: Field, text: string): void =>
    void found.push({ field, kind: "form", filter: null, text, nearest: [] });
  if (market.status !== "TRADING") add("type", RULES.closed(market.symbol));
  if (!market.orderTypes.includes(type)) add("type", RULES.typeNotTaken);
  if (hasPrice(type) && values.price === null) add("price", RULES.missing.price);
  if (waits(type) && values.stopPrice === null) add("stopPrice", RULES.missing.stopPrice);
  if (needsTimeInForce(type) && timeInForce === "") add("timeInForce", RULES.missing.timeInForce);
  const isByQuote = type === "MARKET" && draft.quoteOrderQty !== undefined;
  if (isByQuote && values.quoteQuantity === null) add("quoteOrderQty", RULES.missing.amount);
  if (!isByQuote && values.quantity === null) add("quantity", RULES.missing.quantity);
  if (draft.icebergQty !== undefined) checkIceberg(draft, values, market.icebergAllowed, add);
  return found;
}

function checkIceberg(
  { type, timeInForce = "GTC" }: OrderDraft,
  { icebergQty }: DraftValues,
  isAllowed: boolean,
  add: (field: Field, text: string) => void,
): void {
  if (icebergQty === null) return add("icebergQty", RULES.missing.icebergQty);
  if (!isAllowed || !hasPrice(type)) return add("icebergQty", RULES.noIcebergs);
  if (timeInForce !== "GTC") add("timeInForce", RULES.icebergGtc);
}
