/**
 * Order lists from their parameters. Interface 4.3 and 7.7. OCO: two orders of which one cancels the other, by the
 * interface's own endpoint, or by that of later clients, which names the legs by their prices. OTO and its relatives:
 * a working order and the pending orders that it places. The checks come in the order of those of single orders.
 */
import {
  type ApiError,
  badPrecision,
  BOTH_LIMITS,
  emptyParameter,
  icebergNotGtc,
  invalidAmount,
  LEG_TYPE_NOT_SUPPORTED,
  mandatory,
  misplaced,
  notRequired,
  PENDING_OPO_NOT_SELL,
  STOP_LIMIT_WITHOUT_TIME,
  UNSUPPORTED_COMBINATION,
  WORKING_OPO_NOT_BUY,
} from "./errors.ts";
import { decimalsOf, icebergOf, isReplaced, isZero, pegFault, type Values } from "./order-request.ts";
import { LEG_TYPES, nameOf, STOP_LEG_TYPES, TYPE_RULES } from "./order-types.ts";
import type { OrderType, ResponseType, Side, TimeInForce } from "./shapes/enums.ts";

/** Amounts are the decimal strings as sent, "" when absent. */
export interface LegRequest {
  /** The first part of the names of its parameters, for example `above`. */
  readonly prefix: string;
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

/** Two orders of which one cancels the other. */
interface Pair {
  /** Its type is STOP_LOSS or STOP_LOSS_LIMIT. */
  readonly stopLeg: LegRequest;
  /** Its type is LIMIT_MAKER, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly limitLeg: LegRequest;
}

interface OfList {
  readonly symbol: string;
  /** "" if the gateway has to generate an id. */
  readonly listClientOrderId: string;
  readonly newOrderRespType: ResponseType;
}

export interface ListRequest extends OfList, Pair {
  readonly side: Side;
  /** The quantity of both legs. */
  readonly quantity: string;
}

/** The names of the parameters with amounts, by asset, in the order in which errors are reported. */
interface Amounts {
  readonly base: readonly string[];
  readonly quote: readonly string[];
  /** Iceberg quantities, also in the base asset. Zero means no iceberg. */
  readonly iceberg: readonly string[];
}

function ofList(values: Values): OfList {
  return {
    symbol: values.get("symbol") ?? "",
    listClientOrderId: values.get("listClientOrderId") ?? "",
    newOrderRespType: (values.get("newOrderRespType") as ResponseType | undefined) ?? "RESULT",
  };
}

function checkAmounts(
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

function isBadIceberg({ icebergQty, timeInForce }: LegRequest): boolean {
  return icebergQty !== "" && timeInForce !== "GTC";
}

// POST order/oco.

const OCO_AMOUNTS: Amounts = {
  base: ["quantity"],
  quote: ["price", "stopPrice", "stopLimitPrice"],
  iceberg: ["limitIcebergQty", "stopIcebergQty"],
};

/** `values` come from `parseRequest`; decimals are those of the symbol's assets. */
export function ocoRequest(values: Values, baseDecimals: number, quoteDecimals: number): ListRequest | ApiError {
  const hasLimit = values.has("stopLimitPrice");
  if (!hasLimit) {
    for (const name of ["stopLimitTimeInForce", "stopIcebergQty"]) if (values.has(name)) return notRequired(name);
  } else if (!values.has("stopLimitTimeInForce")) {
    return STOP_LIMIT_WITHOUT_TIME;
  }
  const stopLeg: LegRequest = {
    prefix: "stop",
    type: hasLimit ? "STOP_LOSS_LIMIT" : "STOP_LOSS",
    timeInForce: (values.get("stopLimitTimeInForce") ?? "GTC") as TimeInForce,
    price: values.get("stopLimitPrice") ?? "",
    stopPrice: values.get("stopPrice") ?? "",
    icebergQty: icebergOf(values.get("stopIcebergQty") ?? ""),
    clientOrderId: values.get("stopClientOrderId") ?? "",
  };
  const limitLeg: LegRequest = {
    prefix: "limit",
    type: "LIMIT_MAKER",
    timeInForce: "GTC",
    price: values.get("price") ?? "",
    stopPrice: "",
    icebergQty: icebergOf(values.get("limitIcebergQty") ?? ""),
    clientOrderId: values.get("limitClientOrderId") ?? "",
  };
  const fault = checkAmounts(values, OCO_AMOUNTS, baseDecimals, quoteDecimals);
  if (fault !== null) return fault;
  return isBadIceberg(stopLeg) ? UNSUPPORTED_COMBINATION : ocoOf(values, { stopLeg, limitLeg });
}

function ocoOf(values: Values, pair: Pair): ListRequest {
  return { ...ofList(values), ...pair, side: values.get("side") as Side, quantity: values.get("quantity") ?? "" };
}

// The legs of the other lists.

/** The fields of a single leg, in the order in which errors are reported. */
const LEG_FIELDS = ["timeInForce", "price", "stopPrice", "icebergQty", "trailingDelta"] as const;

function legOf(values: Values, prefix: string): LegRequest {
  const sent = (field: string): string => values.get(nameOf(prefix, field)) ?? "";
  return {
    prefix,
    type: sent("type") as OrderType,
    timeInForce: (sent("timeInForce") || "GTC") as TimeInForce,
    price: sent("price"),
    stopPrice: sent("stopPrice"),
    icebergQty: icebergOf(sent("icebergQty")),
    clientOrderId: sent("clientOrderId"),
  };
}

/** A leg requires and rejects the same parameters as an order of its type. */
function checkLeg(values: Values, prefix: string): ApiError | null {
  const { required, rejected } = TYPE_RULES[values.get(nameOf(prefix, "type")) as OrderType];
  for (const field of LEG_FIELDS) {
    const name = nameOf(prefix, field);
    if (!required.includes(field) || (values.get(name) ?? "") !== "") continue;
    if (!isReplaced(field, values, prefix)) return mandatory(name);
  }
  for (const field of LEG_FIELDS) {
    const name = nameOf(prefix, field);
    if (rejected.includes(field) && values.has(name)) return notRequired(name);
  }
  for (const field of LEG_FIELDS) {
    const name = nameOf(prefix, field);
    if (values.get(name) === "") return emptyParameter(name);
  }
  return pegFault(values, prefix);
}

function amountsOf(quantities: readonly string[], prefixes: readonly string[]): Amounts {
  return {
    base: quantities,
    quote: prefixes.flatMap((prefix) => [nameOf(prefix, "price"), nameOf(prefix, "stopPrice")]),
    iceberg: prefixes.map((prefix) => nameOf(prefix, "icebergQty")),
  };
}

/** The stop-loss leg is the lower one for a SELL and the upper one for a BUY. */
function pairOf(side: Side, above: LegRequest, below: LegRequest): Pair | ApiError {
  const [stopLeg, limitLeg] = side === "SELL" ? [below, above] : [above, below];
  if (above.type === "LIMIT_MAKER" && below.type === "LIMIT_MAKER") return BOTH_LIMITS;
  if (stopLeg.type === "LIMIT_MAKER") return misplaced("limit", side);
  if (STOP_LEG_TYPES.includes(limitLeg.type)) return misplaced("stop loss", side);
  if (!STOP_LEG_TYPES.includes(stopLeg.type)) return misplaced("take profit", side);
  const iceberg = [above, below].find(isBadIceberg);
  return iceberg === undefined ? { stopLeg, limitLeg } : icebergNotGtc(nameOf(iceberg.prefix, "icebergQty"));
}

function checkLegTypes(values: Values, prefixes: readonly string[]): ApiError | null {
  const isLeg = (prefix: string): boolean => LEG_TYPES.includes(values.get(nameOf(prefix, "type")) as OrderType);
  return prefixes.every(isLeg) ? null : LEG_TYPE_NOT_SUPPORTED;
}

// POST orderList/oco.

const SIDES_OF_LAST = ["above", "below"] as const;
const ABOVE_BELOW_AMOUNTS = amountsOf(["quantity"], SIDES_OF_LAST);

export function aboveBelowRequest(values: Values, baseDecimals: number, quoteDecimals: number): ListRequest | ApiError {
  const fault =
    checkLegTypes(values, SIDES_OF_LAST) ??
    checkLeg(values, "above") ??
    checkLeg(values, "below") ??
    checkAmounts(values, ABOVE_BELOW_AMOUNTS, baseDecimals, quoteDecimals);
  if (fault !== null) return fault;
  const pair = pairOf(values.get("side") as Side, legOf(values, "above"), legOf(values, "below"));
  return "code" in pair ? { ...UNSUPPORTED_COMBINATION, today: pair } : ocoOf(values, pair);
}

// POST orderList/oto, otoco, opo and opoco.

export const OTO_KINDS = ["OTO", "OTOCO", "OPO", "OPOCO"] as const;
export type OtoKind = (typeof OTO_KINDS)[number];

export interface OtoRequest extends OfList {
  readonly kind: OtoKind;
  readonly workingSide: Side;
  readonly workingQuantity: string;
  readonly working: LegRequest;
  readonly pendingSide: Side;
  /** "" for OPO and OPOCO, which sell what the working order buys. */
  readonly pendingQuantity: string;
  /** The pending order, or the stop leg of the pair. */
  readonly pending: LegRequest;
  /** The limit leg of the pair, if the list has one. */
  readonly pendingLimit: LegRequest | null;
}

type OtoReader = (values: Values, baseDecimals: number, quoteDecimals: number) => OtoRequest | ApiError;

/** The reader of a kind of list. */
export function otoReader(kind: OtoKind): OtoReader {
  const prefixes = kind.endsWith("OCO") ? ["pendingAbove", "pendingBelow"] : ["pending"];
  const isOfReceived = kind.startsWith("OPO");
  const quantities = isOfReceived ? ["workingQuantity"] : ["workingQuantity", "pendingQuantity"];
  const amounts = amountsOf(quantities, ["working", ...prefixes]);
  return (values, baseDecimals, quoteDecimals) => {
    const fault =
      (isOfReceived ? checkOpoSides(values) : null) ??
      (prefixes.length === 2 ? checkLegTypes(values, prefixes) : null) ??
      ["working", ...prefixes].reduce<ApiError | null>((found, prefix) => found ?? checkLeg(values, prefix), null) ??
      checkAmounts(values, amounts, baseDecimals, quoteDecimals);
    return fault ?? otoOf(values, kind, prefixes);
  };
}

function checkOpoSides(values: Values): ApiError | null {
  if (values.get("workingSide") !== "BUY") return WORKING_OPO_NOT_BUY;
  return values.get("pendingSide") === "SELL" ? null : PENDING_OPO_NOT_SELL;
}

function otoOf(values: Values, kind: OtoKind, prefixes: readonly string[]): OtoRequest | ApiError {
  const working = legOf(values, "working");
  const [first, second] = prefixes.map((prefix) => legOf(values, prefix)) as [LegRequest, LegRequest?];
  if (isBadIceberg(working) || (second === undefined && isBadIceberg(first))) return UNSUPPORTED_COMBINATION;
  const pendingSide = values.get("pendingSide") as Side;
  const pair = second === undefined ? { stopLeg: first, limitLeg: null } : pairOf(pendingSide, first, second);
  if ("code" in pair) return pair;
  return {
    ...ofList(values),
    kind,
    workingSide: values.get("workingSide") as Side,
    workingQuantity: values.get("workingQuantity") ?? "",
    working,
    pendingSide,
    pendingQuantity: values.get("pendingQuantity") ?? "",
    pending: pair.stopLeg,
    pendingLimit: pair.limitLeg,
  };
}
