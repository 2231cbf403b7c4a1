/**
 * An order from its parameters. Interface 3.2, 4.2 say which parameters each type needs and refuses. The checks come in
 * this order: missing (-1102), not applicable (-1106), empty (-1105), precision (-1111), zero (-1013), combination
 * (-1014). The engine checks filters and funds.
 */
import type { ApiError } from "./errors.ts";
import {
  BAD_PRECISION,
  eitherMandatory,
  emptyParameter,
  invalidAmount,
  mandatory,
  notRequired,
  UNSUPPORTED_COMBINATION,
} from "./refusals.ts";
import { CONDITIONAL, TYPE_RULES } from "./order-types.ts";
import { decimalsOf, icebergOf, isZero } from "./sent-amounts.ts";
import type { OrderType, ResponseType, Side, TimeInForce } from "./shapes/enums.ts";

/** Amounts are the decimal strings that were sent, "" when absent. */
export interface OrderRequest {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  /** GTC when the type has none. */
  readonly timeInForce: TimeInForce;
  readonly quantity: string;
  /** Only for MARKET orders, and then `quantity` is "". */
  readonly quoteOrderQty: string;
  readonly price: string;
  readonly stopPrice: string;
  /** "" also when zero was sent: no iceberg. */
  readonly icebergQty: string;
  /** "" when the gateway has to generate one. */
  readonly newClientOrderId: string;
  readonly newOrderRespType: ResponseType;
}

type Values = ReadonlyMap<string, string>;

/** `values` come from `parseRequest`: in range, words valid. Decimals are those of the symbol's assets. */
export function orderRequest(values: Values, baseDecimals: number, quoteDecimals: number): OrderRequest | ApiError {
  const order = orderOf(values);
  return checkType(order, values) ?? checkPrecision(order, baseDecimals, quoteDecimals) ?? checkAmounts(order) ?? order;
}

function orderOf(values: Values): OrderRequest {
  const type = values.get("type") as OrderType;
  return {
    symbol: values.get("symbol") ?? "",
    side: values.get("side") as Side,
    type,
    timeInForce: (values.get("timeInForce") || "GTC") as TimeInForce,
    quantity: values.get("quantity") ?? "",
    quoteOrderQty: values.get("quoteOrderQty") ?? "",
    price: values.get("price") ?? "",
    stopPrice: values.get("stopPrice") ?? "",
    icebergQty: icebergOf(values.get("icebergQty") ?? ""),
    newClientOrderId: values.get("newClientOrderId") ?? "",
    newOrderRespType: (values.get("newOrderRespType") as ResponseType | undefined) ?? defaultResponse(type),
  };
}

function defaultResponse(type: OrderType): ResponseType {
  return type === "MARKET" || type === "LIMIT" ? "FULL" : "ACK";
}

function checkType({ type, quantity, quoteOrderQty }: OrderRequest, values: Values): ApiError | null {
  const { required, refused } = TYPE_RULES[type];
  for (const name of required) {
    if ((values.get(name) ?? "") === "") return mandatory(name);
  }
  if (type === "MARKET" && quantity === "" && quoteOrderQty === "") {
    return eitherMandatory("quantity", "quoteOrderQty");
  }
  for (const name of refused) {
    if (values.has(name)) return notRequired(name);
  }
  for (const name of CONDITIONAL) {
    if (values.get(name) === "") return emptyParameter(name);
  }
  return quantity !== "" && quoteOrderQty !== "" ? notRequired("quoteOrderQty") : null;
}

function checkPrecision(order: OrderRequest, baseDecimals: number, quoteDecimals: number): ApiError | null {
  const fits =
    decimalsOf(order.quantity) <= baseDecimals &&
    decimalsOf(order.icebergQty) <= baseDecimals &&
    decimalsOf(order.price) <= quoteDecimals &&
    decimalsOf(order.stopPrice) <= quoteDecimals &&
    decimalsOf(order.quoteOrderQty) <= quoteDecimals;
  return fits ? null : BAD_PRECISION;
}

function checkAmounts(order: OrderRequest): ApiError | null {
  if (isZero(order.quantity)) return invalidAmount("quantity");
  if (isZero(order.quoteOrderQty)) return invalidAmount("quoteOrderQty");
  if (isZero(order.price)) return invalidAmount("price");
  if (isZero(order.stopPrice)) return invalidAmount("stopPrice");
  if (order.icebergQty !== "" && order.timeInForce !== "GTC") return UNSUPPORTED_COMBINATION;
  return null;
}
