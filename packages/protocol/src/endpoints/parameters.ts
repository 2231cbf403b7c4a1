/** The parameters that many endpoints share, and short ways to write the others. */
import type { Parameter, ParameterKind } from "../endpoint.ts";

/** Most rows that a list answers with. Interface 8.6. */
export const MAX_LIST_LIMIT = 1000;
export const MAX_DEPTH_LIMIT = 5000;

type Extra = Partial<Omit<Parameter, "name" | "kind" | "required">>;

export function required(name: string, kind: ParameterKind, extra: Extra = {}): Parameter {
  return { name, kind, required: true, ...extra };
}

export function optional(name: string, kind: ParameterKind, extra: Extra = {}): Parameter {
  return { name, kind, required: false, ...extra };
}

export const SYMBOL = required("symbol", "symbol");
export const OPTIONAL_SYMBOL = optional("symbol", "symbol");
export const SYMBOLS = optional("symbols", "symbols", { note: 'A JSON array, as in ["BTCUSDT","ETHUSDT"].' });
export const LIMIT = optional("limit", "limit", { default: "500", max: MAX_LIST_LIMIT });
export const FROM_ID = optional("fromId", "integer", { note: "Inclusive." });
export const START_TIME = optional("startTime", "integer", { note: "Milliseconds, inclusive." });
export const END_TIME = optional("endTime", "integer", { note: "Milliseconds, inclusive." });
export const ORDER_ID = optional("orderId", "integer");
export const ORIG_CLIENT_ORDER_ID = optional("origClientOrderId", "clientOrderId");
export const NEW_CLIENT_ORDER_ID = optional("newClientOrderId", "clientOrderId", { note: "Generated when absent." });
export const ORDER_LIST_ID = optional("orderListId", "integer");
export const LIST_CLIENT_ORDER_ID = optional("listClientOrderId", "clientOrderId");
export const LISTEN_KEY = required("listenKey", "listenKey");
