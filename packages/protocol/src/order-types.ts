/** The parameters that each type of order needs and refuses. Interface 3.2, 4.2. */
import type { OrderType } from "./shapes/enums.ts";

/** The parameters that depend on `type`, in the order in which they are reported. */
export const CONDITIONAL = ["timeInForce", "quantity", "quoteOrderQty", "price", "stopPrice", "icebergQty"] as const;
export type Conditional = (typeof CONDITIONAL)[number];

export interface TypeRule {
  readonly required: readonly Conditional[];
  readonly refused: readonly Conditional[];
}

const STOP: TypeRule = {
  required: ["quantity", "stopPrice"],
  refused: ["timeInForce", "quoteOrderQty", "price", "icebergQty"],
};
const STOP_LIMIT: TypeRule = {
  required: ["timeInForce", "quantity", "price", "stopPrice"],
  refused: ["quoteOrderQty"],
};

export const TYPE_RULES: Readonly<Record<OrderType, TypeRule>> = {
  LIMIT: { required: ["timeInForce", "quantity", "price"], refused: ["quoteOrderQty", "stopPrice"] },
  MARKET: { required: [], refused: ["timeInForce", "price", "stopPrice", "icebergQty"] },
  LIMIT_MAKER: { required: ["quantity", "price"], refused: ["timeInForce", "quoteOrderQty", "stopPrice"] },
  STOP_LOSS: STOP,
  STOP_LOSS_LIMIT: STOP_LIMIT,
  TAKE_PROFIT: STOP,
  TAKE_PROFIT_LIMIT: STOP_LIMIT,
};

/** The leg of a list that stops a loss. */
export const STOP_LEG_TYPES: readonly OrderType[] = ["STOP_LOSS", "STOP_LOSS_LIMIT"];
/** The leg of a list that takes a profit: a LIMIT_MAKER, or a type that later clients may send instead. */
export const LIMIT_LEG_TYPES: readonly OrderType[] = ["LIMIT_MAKER", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];
/** Types that a leg of a list may have. Interface 4.3. */
export const LEG_TYPES: readonly OrderType[] = [...LIMIT_LEG_TYPES, ...STOP_LEG_TYPES];
