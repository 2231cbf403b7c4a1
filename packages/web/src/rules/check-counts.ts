/** How many orders an account may have open on a market (Interface 2.8). */
import type { OrderDraft, OrderRow } from "../account/port.ts";
import { isZero, parseDecimal } from "../exact/decimal.ts";
import { RULES } from "../words/words.ts";
import { rulesOf } from "./market-rules.ts";
import { mayRest, waits } from "./order-types.ts";
import type { Circumstances, Problem } from "./problem.ts";

type Counted = Pick<OrderDraft, "type" | "icebergQty">;

/** `drafts`: one order, or both legs of a list. */
export function checkCounts(drafts: readonly OrderDraft[], { market, openOrders }: Circumstances): readonly Problem[] {
  const added = drafts.filter(({ type, timeInForce }) => drafts.length > 1 || mayRest(type, timeInForce));
  const everywhere = openOrders.filter(({ state }) => state !== "failed");
  const here = everywhere.filter(({ symbol }) => symbol === market.symbol);
  const { maxOrders, maxAlgoOrders, maxIcebergOrders, maxOrdersAnywhere, maxAlgoOrdersAnywhere } = rulesOf(market);
  const check = (filter: string, most: number, counts: (order: Counted) => boolean, open = here): Problem[] => {
    const [there, more] = [open.filter(counts as (row: OrderRow) => boolean).length, added.filter(counts).length];
    if (more === 0 || there + more <= most) return [];
    return [{ field: "type", kind: "filter", filter, text: RULES.tooMany(filter, there, most), nearest: [] }];
  };
  return [
    ...check("MAX_NUM_ORDERS", maxOrders, () => true),
    ...check("MAX_NUM_ALGO_ORDERS", maxAlgoOrders, isAlgo),
    ...check("MAX_NUM_ICEBERG_ORDERS", maxIcebergOrders, isIceberg),
    ...check("EXCHANGE_MAX_NUM_ORDERS", maxOrdersAnywhere, () => true, everywhere),
    ...check("EXCHANGE_MAX_NUM_ALGO_ORDERS", maxAlgoOrdersAnywhere, isAlgo, everywhere),
  ];
}

const isAlgo = ({ type }: Counted): boolean => waits(type);

function isIceberg({ icebergQty = "" }: Counted): boolean {
  const value = parseDecimal(icebergQty);
  return value !== null && !isZero(value);
}
