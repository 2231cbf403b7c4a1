/**
 * Orders and order lists from their parameters. Interface 3.2, 4.2 and 7.7 define which parameters each type needs and
 * rejects. The checks come in this order: missing (-1102), not applicable (-1106), empty (-1105), precision (-1111),
 * zero (-1013), combination (-1014). The engine checks filters and funds.
 */
import {
  type ApiError,
  badPrecision,
  eitherMandatory,
  emptyParameter,
  invalidAmount,
  mandatory,
  notRequired,
  STOP_LIMIT_WITHOUT_TIME,
  UNSUPPORTED_COMBINATION,
} from "./errors.ts";
import { type Conditional, CONDITIONAL, LIMIT_LEG_TYPES, STOP_LEG_TYPES, TYPE_RULES } from "./order-types.ts";
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
function isZero(amount: string): boolean {
  for (let i = 0; i < amount.length; i++) {
    const c = amount.charCodeAt(i);
    if (c !== 48 && c !== 46) return false;
  }
  return amount !== "";
}

/** "" if absent, or if zero was sent: an iceberg quantity of zero means no iceberg. */
function icebergOf(amount: string): string {
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

type Values = ReadonlyMap<string, string>;

/**
 * Reads an order. `values` come from `parseRequest`, in range and with valid enumeration values. Decimals are those of
 * the symbol's assets.
 */
export function orderRequest(values: Values, baseDecimals: number, quoteDecimals: number): OrderRequest | ApiError {
  const order = orderOf(values);
  return (
    checkType(order, values) ?? checkPrecision(order, baseDecimals, quoteDecimals) ?? checkOrderAmounts(order) ?? order
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
    if ((values.get(name) ?? "") === "" && !isReplaced(name, values)) return mandatory(name);
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

/** Whether a stop order has a distance from the price in place of its stop price. */
function isReplaced(name: Conditional, values: Values): boolean {
  return name === "stopPrice" && !values.has("stopPrice") && values.has("trailingDelta");
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

// Order lists: two orders of which one cancels the other. The parameters are those of the interface's own endpoint
// (4.3), or of the endpoint of later clients, which names the legs by their prices. Interface 3.5.

/** Amounts are the decimal strings as sent, "" when absent. */
export interface LegRequest {
  readonly type: OrderType;
  /** GTC if the type has no time in force. */
  readonly timeInForce: TimeInForce;
  readonly price: string;
  readonly stopPrice: string;
  /** "" if absent or if zero was sent: no iceberg. */
  readonly icebergQty: string;
  /** "" if the gateway has to generate an id. */
  readonly clientOrderId: string;
}

export interface ListRequest {
  readonly symbol: string;
  readonly side: Side;
  /** The quantity of both legs. */
  readonly quantity: string;
  /** Its type is STOP_LOSS or STOP_LOSS_LIMIT. */
  readonly stopLeg: LegRequest;
  /** Its type is LIMIT_MAKER, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly limitLeg: LegRequest;
  /** "" if the gateway has to generate an id. */
  readonly listClientOrderId: string;
  readonly newOrderRespType: ResponseType;
}

/** The names of the parameters with amounts, by asset, in the order in which errors are reported. */
interface Amounts {
  readonly base: readonly string[];
  readonly quote: readonly string[];
  /** Iceberg quantities, also in the base asset. Zero means no iceberg. */
  readonly iceberg: readonly string[];
}

const OCO_AMOUNTS: Amounts = {
  base: ["quantity"],
  quote: ["price", "stopPrice", "stopLimitPrice"],
  iceberg: ["limitIcebergQty", "stopIcebergQty"],
};
const ABOVE_BELOW_AMOUNTS: Amounts = {
  base: ["quantity"],
  quote: ["abovePrice", "aboveStopPrice", "belowPrice", "belowStopPrice"],
  iceberg: ["aboveIcebergQty", "belowIcebergQty"],
};

/** POST order/oco. `values` come from `parseRequest`; decimals are those of the symbol's assets. */
export function ocoRequest(values: Values, baseDecimals: number, quoteDecimals: number): ListRequest | ApiError {
  const hasLimit = values.has("stopLimitPrice");
  if (!hasLimit) {
    for (const name of ["stopLimitTimeInForce", "stopIcebergQty"]) if (values.has(name)) return notRequired(name);
  } else if (!values.has("stopLimitTimeInForce")) {
    return STOP_LIMIT_WITHOUT_TIME;
  }
  const stopLeg: LegRequest = {
    type: hasLimit ? "STOP_LOSS_LIMIT" : "STOP_LOSS",
    timeInForce: (values.get("stopLimitTimeInForce") ?? "GTC") as TimeInForce,
    price: values.get("stopLimitPrice") ?? "",
    stopPrice: values.get("stopPrice") ?? "",
    icebergQty: icebergOf(values.get("stopIcebergQty") ?? ""),
    clientOrderId: values.get("stopClientOrderId") ?? "",
  };
  const limitLeg: LegRequest = {
    type: "LIMIT_MAKER",
    timeInForce: "GTC",
    price: values.get("price") ?? "",
    stopPrice: "",
    icebergQty: icebergOf(values.get("limitIcebergQty") ?? ""),
    clientOrderId: values.get("limitClientOrderId") ?? "",
  };
  return checkListAmounts(values, OCO_AMOUNTS, baseDecimals, quoteDecimals) ?? listOf(values, stopLeg, limitLeg);
}

/** POST orderList/oco. The stop-loss leg is the lower one for a SELL and the upper one for a BUY. */
export function aboveBelowRequest(values: Values, baseDecimals: number, quoteDecimals: number): ListRequest | ApiError {
  const fault =
    checkLeg(values, "above") ??
    checkLeg(values, "below") ??
    checkListAmounts(values, ABOVE_BELOW_AMOUNTS, baseDecimals, quoteDecimals);
  if (fault !== null) return fault;
  const [above, below] = [legOf(values, "above"), legOf(values, "below")];
  return values.get("side") === "SELL" ? listOf(values, below, above) : listOf(values, above, below);
}

function listOf(values: Values, stopLeg: LegRequest, limitLeg: LegRequest): ListRequest | ApiError {
  const isPair = STOP_LEG_TYPES.includes(stopLeg.type) && LIMIT_LEG_TYPES.includes(limitLeg.type);
  if (!isPair || isBadIceberg(stopLeg) || isBadIceberg(limitLeg)) return UNSUPPORTED_COMBINATION;
  return {
    symbol: values.get("symbol") ?? "",
    side: values.get("side") as Side,
    quantity: values.get("quantity") ?? "",
    stopLeg,
    limitLeg,
    listClientOrderId: values.get("listClientOrderId") ?? "",
    newOrderRespType: (values.get("newOrderRespType") as ResponseType | undefined) ?? "RESULT",
  };
}

function isBadIceberg({ icebergQty, timeInForce }: LegRequest): boolean {
  return icebergQty !== "" && timeInForce !== "GTC";
}

// The legs of orderList/oco.

type Place = "above" | "below";
/** The fields of a single leg, in the order in which errors are reported. */
const LEG_FIELDS = ["timeInForce", "price", "stopPrice", "icebergQty", "trailingDelta"] as const;
type LegField = (typeof LEG_FIELDS)[number];

/** A parameter's name, for example `aboveStopPrice`. */
function nameOf(place: Place, field: LegField | "type" | "clientOrderId"): string {
  return `${place}${field[0]?.toUpperCase() ?? ""}${field.slice(1)}`;
}

function legOf(values: Values, place: Place): LegRequest {
  const sent = (field: LegField | "type" | "clientOrderId"): string => values.get(nameOf(place, field)) ?? "";
  return {
    type: sent("type") as OrderType,
    timeInForce: (sent("timeInForce") || "GTC") as TimeInForce,
    price: sent("price"),
    stopPrice: sent("stopPrice"),
    icebergQty: icebergOf(sent("icebergQty")),
    clientOrderId: sent("clientOrderId"),
  };
}

/** A leg requires and rejects the same parameters as an order of its type. */
function checkLeg(values: Values, place: Place): ApiError | null {
  const { required, rejected } = TYPE_RULES[values.get(nameOf(place, "type")) as OrderType];
  for (const field of LEG_FIELDS) {
    const name = nameOf(place, field);
    if (!required.includes(field) || (values.get(name) ?? "") !== "") continue;
    const isTrailing = field === "stopPrice" && !values.has(name) && values.has(nameOf(place, "trailingDelta"));
    if (!isTrailing) return mandatory(name);
  }
  for (const field of LEG_FIELDS) {
    const name = nameOf(place, field);
    if (rejected.includes(field) && values.has(name)) return notRequired(name);
  }
  for (const field of LEG_FIELDS) {
    const name = nameOf(place, field);
    if (values.get(name) === "") return emptyParameter(name);
  }
  return null;
}

// Both endpoints for order lists.

function checkListAmounts(
  values: Values,
  { base, quote, iceberg }: Amounts,
  baseDecimals: number,
  quoteDecimals: number,
): ApiError | null {
  const sent = (name: string): string => values.get(name) ?? "";
  const tooFine =
    [...base, ...iceberg].find((name) => decimalsOf(sent(name)) > baseDecimals) ??
    quote.find((name) => decimalsOf(sent(name)) > quoteDecimals);
  if (tooFine !== undefined) return badPrecision(tooFine);
  const zero = [...base, ...quote].find((name) => isZero(sent(name)));
  return zero === undefined ? null : invalidAmount(zero);
}
