/** Whether an order would be refused as the market stands: a maker that would take, a stop that is reached already. */
import type { OrderDraft } from "../account/port.ts";
import { compare, type Decimal, decimal, isZero } from "../exact/decimal.ts";
import { fromUnits } from "../exact/units.ts";
import { RULES } from "../words/words.ts";
import { show } from "./check-values.ts";
import type { DraftValues } from "./draft-values.ts";
import { waits } from "./order-types.ts";
import type { Circumstances, Field, Problem } from "./problem.ts";

export function checkStanding(draft: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  const last = lastPriceOf(around);
  if (draft.type === "LIMIT_MAKER" && values.price !== null) return wouldTake(draft.side, values.price, around);
  if (!waits(draft.type) || values.stopPrice === null || last === null) return [];
  const isAbove = (draft.side === "BUY") === draft.type.startsWith("STOP_LOSS");
  const turn = compare(values.stopPrice, last);
  if (isAbove ? turn > 0 : turn < 0) return [];
  return [unfit("stopPrice", RULES.reached(isAbove, show(last, around.market.priceDigits)))];
}

/** Null: not known, or nothing was ever traded. */
export function lastPriceOf({ lastPrice }: Circumstances): Decimal | null {
  const last = lastPrice === null ? null : decimal(lastPrice);
  return last === null || isZero(last) ? null : last;
}

function wouldTake(side: "BUY" | "SELL", price: Decimal, { book, market }: Circumstances): readonly Problem[] {
  if (book === null || book.freshness !== "live") return [];
  const best = (side === "BUY" ? book.asks : book.bids)[0];
  if (best === undefined) return [];
  const there = fromUnits(best.price, market.priceDigits);
  const turn = compare(price, there);
  if (side === "BUY" ? turn < 0 : turn > 0) return [];
  return [unfit("price", RULES.wouldTake(side, show(there, market.priceDigits)))];
}

export function unfit(field: Field, text: string): Problem {
  return { field, kind: "market", filter: null, text, nearest: [] };
}
