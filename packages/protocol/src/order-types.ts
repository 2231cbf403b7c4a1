/** The parameters that each order type requires and rejects. Interface 3.2, 4.2. */
import type { OrderType } from "./shapes/enums.ts";

/** The parameters that depend on `type`, in the order in which errors are reported. */
export const CONDITIONAL = [
  ...(["timeInForce", "quantity", "quoteOrderQty", "price", "stopPrice", "icebergQty"] as const),
  "trailingDelta",
] as const;
export type Conditional = (typeof CONDITIONAL)[number];

/** The name of a parameter of an order. In a list, it starts with the name of the order, for example `aboveStopPrice`. */
export function nameOf(prefix: string, field: string): string {
  return prefix === "" ? field : `${prefix}${field[0]?.toUpperCase() ?? ""}${field.slice(1)}`;
}

export interface TypeRule {
  readonly required: readonly Conditional[];
  readonly rejected: readonly Conditional[];
}

/** Parameters that another one may replace: a stop price by a distance, a price by one that is taken from the book. */
export const REPLACEMENTS: { readonly [Name in Conditional]?: string } = {
  stopPrice: "trailingDelta",
  price: "pegPriceType",
};

const STOP: TypeRule = {
  required: ["quantity", "stopPrice"],
  rejected: ["timeInForce", "quoteOrderQty", "price", "icebergQty"],
};
const STOP_LIMIT: TypeRule = {
  required: ["timeInForce", "quantity", "price", "stopPrice"],
  rejected: ["quoteOrderQty"],
};

export const TYPE_RULES: Readonly<Record<OrderType, TypeRule>> = {
  LIMIT: { required: ["timeInForce", "quantity", "price"], rejected: ["quoteOrderQty", "stopPrice", "trailingDelta"] },
  MARKET: { required: [], rejected: ["timeInForce", "price", "stopPrice", "icebergQty", "trailingDelta"] },
  LIMIT_MAKER: {
    required: ["quantity", "price"],
    rejected: ["timeInForce", "quoteOrderQty", "stopPrice", "trailingDelta"],
  },
  STOP_LOSS: STOP,
  STOP_LOSS_LIMIT: STOP_LIMIT,
  TAKE_PROFIT: STOP,
  TAKE_PROFIT_LIMIT: STOP_LIMIT,
};

/** Types of the stop-loss leg of a list. */
export const STOP_LEG_TYPES: readonly OrderType[] = ["STOP_LOSS", "STOP_LOSS_LIMIT"];
/** Types of the take-profit leg of a list: a LIMIT_MAKER, or a type that later clients may send instead. */
export const LIMIT_LEG_TYPES: readonly OrderType[] = ["LIMIT_MAKER", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];
/** Types that a leg of a list may have. Interface 4.3. */
export const LEG_TYPES: readonly OrderType[] = [...LIMIT_LEG_TYPES, ...STOP_LEG_TYPES];
/** Types that the working order of a list may have. */
export const WORKING_TYPES: readonly OrderType[] = ["LIMIT", "LIMIT_MAKER"];
