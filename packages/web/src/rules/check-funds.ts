/** Whether the account can pay for an order (Interface 3.3). */
import type { OrderDraft } from "../account/port.ts";
import { compare, cutTo, type Decimal, decimal, formatDecimal, multiply, raiseTo } from "../exact/decimal.ts";
import { grouped } from "../exact/shown.ts";
import { RULES } from "../words/words.ts";
import type { DraftValues } from "./draft-values.ts";
import { estimateTaking } from "./estimate.ts";
import { hasPrice, waits } from "./order-types.ts";
import type { Circumstances, Problem } from "./problem.ts";

export function checkFunds(draft: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  const { market, free } = around;
  const need = free === null ? null : needOf(draft, values, around);
  if (free === null || need === null) return [];
  const [has, asset] = draft.side === "SELL" ? [free.base, market.baseAsset] : [free.quote, market.quoteAsset];
  if (compare(need, decimal(has)) <= 0) return [];
  const field = values.quantity === null ? "quoteOrderQty" : "quantity";
  const digits =
    draft.side === "SELL" ? market.quantityDigits : Math.max(2, Math.min(market.quoteDigits, market.priceDigits));
  const shown = (value: Decimal): string => grouped(formatDecimal(value, digits));
  const text = RULES.funds(shown(raiseTo(need, digits)), shown(cutTo(decimal(has), digits)), asset);
  return [{ field, kind: "funds", filter: null, text, nearest: [] }];
}

/** Null: not known. */
function needOf(
  draft: OrderDraft,
  { quantity, quoteQuantity, price, stopPrice }: DraftValues,
  around: Circumstances,
): Decimal | null {
  const { type, side } = draft;
  if (quantity !== null && side === "SELL") return quantity;
  if (hasPrice(type)) return quantity === null || price === null ? null : multiply(price, quantity);
  if (waits(type)) return quantity === null || stopPrice === null ? null : multiply(stopPrice, quantity);
  const { book, market } = around;
  if (book === null || book.freshness !== "live") return null;
  const wanted = quantity !== null ? { quantity } : quoteQuantity !== null ? { quoteQuantity } : null;
  const taken = wanted === null ? null : estimateTaking(book, market, side, wanted);
  if (taken === null) return null;
  return side === "SELL" ? taken.quantity : taken.notional;
}
