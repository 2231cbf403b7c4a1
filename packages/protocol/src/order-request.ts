/**
 * Orders from their parameters. Interface 3.2, 4.2 and 7.7 define which parameters each type needs and rejects. The checks come in this order: missing (-1102), not applicable (-1106), empty (-1105), precision (-1111),
 * zero (-1013), combination (-1014). The engine checks filters and funds.
 */
import {
  type ApiError,
  badPrecision,
  fieldsTogether,
  eitherMandatory,
  emptyParameter,
  invalidAmount,
  mandatory,
  notRequired,
  UNSUPPORTED_COMBINATION,
} from "./errors.ts";
import { type Conditional, CONDITIONAL, nameOf, REPLACEMENTS, TYPE_RULES } from "./order-types.ts";
import type { OrderType, ResponseType, Side, TimeInForce } from "./shapes/enums.ts";

/**
 * The error for an amount of an asset with this many decimals: too precise (-1111) or zero (-1013). Null if it is
 * valid.
 */
export function amountFault(name: string, amount: string, decimals: number): ApiError | null {
  if (decimalsOf(amount) > decimals) return badPrecision(name);
  return isZero(amount) ? invalidAmount(name) : null;
}

/** The number of digits after the decimal point, not counting trailing zeros. */
export function decimalsOf(amount: string): number {
  const point = amount.indexOf(".");
  if (point === -1) return 0;
  let end = amount.length;
  while (amount.charCodeAt(end - 1) === 48) end--;
  return end - point - 1;
}

/** Whether an amount was sent and is zero. */
export function isZero(amount: string): boolean {
  for (let i = 0; i < amount.length; i++) {
    const c = amount.charCodeAt(i);
    if (c !== 48 && c !== 46) return false;
  }
  return amount !== "";
}

/** "" if absent, or if zero was sent: an iceberg quantity of zero means no iceberg. */
export function icebergOf(amount: string): string {
  return isZero(amount) ? "" : amount;
}

/** Amounts are the decimal strings as sent, "" when absent. */
export interface OrderRequest {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  /** GTC if the type has no time in force. */
  readonly timeInForce: TimeInForce;
  readonly quantity: string;
  /** Only for MARKET orders, and then `quantity` is "". */
  readonly quoteOrderQty: string;
  readonly price: string;
  readonly stopPrice: string;
  /** "" if absent or if zero was sent: no iceberg. */
  readonly icebergQty: string;
  /** "" if the gateway has to generate an id. */
  readonly newClientOrderId: string;
  readonly newOrderRespType: ResponseType;
}

export type Values = ReadonlyMap<string, string>;

/**
 * Reads an order. `values` come from `parseRequest`, in range and with valid enumeration values. Decimals are those of
 * the symbol's assets.
 */
export function orderRequest(values: Values, baseDecimals: number, quoteDecimals: number): OrderRequest | ApiError {
  const order = orderOf(values);
  return (
    checkType(order, values) ??
    pegFault(values, "") ??
    checkPrecision(order, baseDecimals, quoteDecimals) ??
    checkOrderAmounts(order) ??
    order
  );
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
  const { required, rejected } = TYPE_RULES[type];
  for (const name of required) {
    if ((values.get(name) ?? "") === "" && !isReplaced(name, values, "")) return mandatory(name);
  }
  if (type === "MARKET" && quantity === "" && quoteOrderQty === "") {
    return eitherMandatory("quantity", "quoteOrderQty");
  }
  for (const name of rejected) {
    if (values.has(name)) return notRequired(name);
  }
  for (const name of CONDITIONAL) {
    if (values.get(name) === "") return emptyParameter(name);
  }
  return quantity !== "" && quoteOrderQty !== "" ? notRequired("quoteOrderQty") : null;
}

/** Whether another parameter was sent in place of a required one. `prefix` names the order of a list. */
export function isReplaced(field: Conditional, values: Values, prefix: string): boolean {
  const replacement = REPLACEMENTS[field];
  return replacement !== undefined && !values.has(nameOf(prefix, field)) && values.has(nameOf(prefix, replacement));
}

/** The offset of a pegged order has a type and a value. `prefix` names the order of a list. */
export function pegFault(values: Values, prefix: string): ApiError | null {
  const offset = [nameOf(prefix, "pegOffsetType"), nameOf(prefix, "pegOffsetValue")];
  const sent = offset.filter((name) => values.has(name));
  if (sent.length === 1) return fieldsTogether(offset);
  const [first] = sent;
  return first === undefined || values.has(nameOf(prefix, "pegPriceType")) ? null : notRequired(first);
}

function checkPrecision(order: OrderRequest, baseDecimals: number, quoteDecimals: number): ApiError | null {
  if (decimalsOf(order.quantity) > baseDecimals) return badPrecision("quantity");
  if (decimalsOf(order.icebergQty) > baseDecimals) return badPrecision("icebergQty");
  if (decimalsOf(order.price) > quoteDecimals) return badPrecision("price");
  if (decimalsOf(order.stopPrice) > quoteDecimals) return badPrecision("stopPrice");
  return decimalsOf(order.quoteOrderQty) > quoteDecimals ? badPrecision("quoteOrderQty") : null;
}

function checkOrderAmounts(order: OrderRequest): ApiError | null {
  if (isZero(order.quantity)) return invalidAmount("quantity");
  if (isZero(order.quoteOrderQty)) return invalidAmount("quoteOrderQty");
  if (isZero(order.price)) return invalidAmount("price");
  if (isZero(order.stopPrice)) return invalidAmount("stopPrice");
  if (order.icebergQty !== "" && order.timeInForce !== "GTC") return UNSUPPORTED_COMBINATION;
  return null;
}
