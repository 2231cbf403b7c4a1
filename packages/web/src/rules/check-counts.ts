/** How many orders an account may have open on a market (Interface 2.8). */
import type { OrderDraft, OrderRow } from "../account/port.ts";
import { isZero, parseDecimal } from "../exact/decimal.ts";
import { RULES } from "../words/en.ts";
import { rulesOf } from "./market-rules.ts";
import { mayRest, waits } from "./order-types.ts";
import type { Circumstances, Problem } from "./problem.ts";

type Counted = Pick<OrderDraft, "type" | "icebergQty">;

/** `drafts`: one order, or both legs of a list. */
export function checkCounts(drafts: readonly OrderDraft[], { market, openOrders }: Circumstances): readonly Problem[] {
  const added = drafts.filter(({ type, timeInForce }) => drafts.length > 1 || mayRest(type, timeInForce));
  const open = openOrders.filter(({ symbol, state }) => symbol === market.symbol && state !== "failed");
  const { maxOrders, maxAlgoOrders, maxIcebergOrders } = rulesOf(market);
  const check = (filter: string, most: number, counts: (order: Counted) => boolean): Problem[] => {
    const [there, more] = [open.filter(counts as (row: OrderRow) => boolean).length, added.filter(counts).length];
    if (more === 0 || there + more <= most) return [];
    return [{ field: "type", kind: "filter", filter, text: RULES.tooMany(filter, there, most), nearest: [] }];
  };
  return [
    ...check("MAX_NUM_ORDERS", maxOrders, () => true),
    ...check("MAX_NUM_ALGO_ORDERS", maxAlgoOrders, ({ type }) => waits(type)),
    ...check("MAX_NUM_ICEBERG_ORDERS", maxIcebergOrders, isIceberg),
  ];
}

function isIceberg({ icebergQty = "" }: Counted): boolean {
  const value = parseDecimal(icebergQty);
  return value !== null && !isZero(value);
}
