/** All that is wrong with an order list, before it is sent. */
import type { OcoDraft, OrderDraft } from "../account/port.ts";
import { compare } from "../exact/decimal.ts";
import { RULES } from "../words/words.ts";
import { checkCounts } from "./check-counts.ts";
import { checkFilters } from "./check-filters.ts";
import { checkFunds } from "./check-funds.ts";
import { checkForm } from "./check-order.ts";
import { checkStanding, lastPriceOf, unfit } from "./check-standing.ts";
import { type DraftValues, valuesOf } from "./draft-values.ts";
import { waits } from "./order-types.ts";
import type { Circumstances, Field, Problem } from "./problem.ts";

const STOP_FIELDS: Partial<Record<Field, Field>> = {
  price: "stopLimitPrice",
  icebergQty: "stopIcebergQty",
  timeInForce: "stopLimitTimeInForce",
};
const LIMIT_FIELDS: Partial<Record<Field, Field>> = {
  icebergQty: "limitIcebergQty",
  stopPrice: "limitStopPrice",
  timeInForce: "limitTimeInForce",
};

export function checkOco(draft: OcoDraft, around: Circumstances): readonly Problem[] {
  const [stop, limit] = legsOf(draft);
  const [stopValues, limitValues] = [valuesOf(stop), valuesOf(limit)];
  const found: Problem[] = around.market.ocoAllowed ? [] : [unfit("type", RULES.noLists)];
  found.push(
    ...renamed(legProblems(stop, stopValues, around), STOP_FIELDS),
    ...renamed(legProblems(limit, limitValues, around), LIMIT_FIELDS),
    ...checkCounts([stop, limit], around),
    ...checkOrderOfPrices(limit, limitValues, stopValues, around),
    // Where a trigger has to be, the order of the prices says.
    ...(waits(limit.type) ? [] : checkStanding(limit, limitValues, around)),
    ...renamed(worse(checkFunds(stop, stopValues, around), checkFunds(limit, limitValues, around)), {}),
  );
  return unique(found);
}

function legProblems(leg: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  return [...checkForm(leg, values, around), ...checkFilters(leg, values, around)];
}

/** The stop leg first, as the node tells of them. */
export function legsOf(draft: OcoDraft): readonly [stop: OrderDraft, limit: OrderDraft] {
  const { symbol, side, quantity, stopPrice, stopLimitPrice, stopLimitTimeInForce } = draft;
  const { limitType, price, limitStopPrice, limitTimeInForce } = draft;
  const both = { symbol, side, quantity };
  const stop: OrderDraft = {
    ...{ ...both, stopPrice, type: stopLimitPrice === undefined ? "STOP_LOSS" : "STOP_LOSS_LIMIT" },
    ...(stopLimitPrice === undefined ? {} : { price: stopLimitPrice, timeInForce: stopLimitTimeInForce ?? "" }),
    ...(draft.stopIcebergQty === undefined ? {} : { icebergQty: draft.stopIcebergQty }),
  };
  const limit: OrderDraft = {
    ...{ ...both, type: limitType },
    ...(price === undefined ? {} : { price }),
    ...(limitStopPrice === undefined ? {} : { stopPrice: limitStopPrice }),
    ...(limitTimeInForce === undefined ? {} : { timeInForce: limitTimeInForce }),
    ...(draft.limitIcebergQty === undefined ? {} : { icebergQty: draft.limitIcebergQty }),
  };
  return [stop, limit];
}

/** SELL: limit > last > stop; BUY: limit < last < stop (Interface 3.5), where a leg that waits stands at its trigger. */
function checkOrderOfPrices(
  { side, type }: OrderDraft,
  limit: DraftValues,
  { stopPrice }: DraftValues,
  around: Circumstances,
): readonly Problem[] {
  const isTriggered = waits(type);
  const price = isTriggered ? limit.stopPrice : limit.price;
  if (price === null || stopPrice === null) return [];
  const last = lastPriceOf(around);
  const sign = side === "SELL" ? 1 : -1;
  const isAbove = (one: DraftValues["price"], other: DraftValues["price"]): boolean =>
    one === null || other === null || compare(one, other) * sign > 0;
  if (isAbove(price, stopPrice) && isAbove(price, last) && isAbove(last, stopPrice)) return [];
  const field = isAbove(price, last) ? "stopPrice" : isTriggered ? "limitStopPrice" : "price";
  return [unfit(field, isTriggered ? RULES.ocoTriggers(side) : RULES.ocoPrices(side))];
}

function renamed(problems: readonly Problem[], names: Partial<Record<Field, Field>>): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, field: names[problem.field] ?? problem.field }));
}

/** The list locks the greater need of its legs. */
function worse(one: readonly Problem[], other: readonly Problem[]): readonly Problem[] {
  return one.length > 0 ? one : other;
}

/** Both legs have the same quantity, and complain of it alike. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ field, text }) => {
    const key = `${field} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}
