/** The parameters that many endpoints share, and short constructors for the others. */
import type { Parameter, ParameterKind } from "../endpoint.ts";
import { timeZoneOffset } from "../shapes/kline-interval.ts";
import { ASKED_SYMBOL_STATUSES, SELF_TRADE_PREVENTION_MODES } from "../shapes/enums.ts";

/** The maximum number of rows in a list. Interface 8.6. */
export const MAX_LIST_LIMIT = 1000;
export const MAX_DEPTH_LIMIT = 5000;
/** The maximum number of symbols in a request for statistics of a window. */
export const MAX_WINDOW_SYMBOLS = 100;

type Extra = Partial<Omit<Parameter, "name" | "kind" | "required">>;

export function required(name: string, kind: ParameterKind, extra: Extra = {}): Parameter {
  return { name, kind, required: true, ...extra };
}

export function optional(name: string, kind: ParameterKind, extra: Extra = {}): Parameter {
  return { name, kind, required: false, ...extra };
}

export const SYMBOL = required("symbol", "symbol");
export const OPTIONAL_SYMBOL = optional("symbol", "symbol");
export const SYMBOLS = optional("symbols", "symbols", { note: 'A JSON array, for example ["BTCUSDT","ETHUSDT"].' });
export const LIMIT = optional("limit", "limit", { default: "500", max: MAX_LIST_LIMIT });
export const FROM_ID = optional("fromId", "integer", { note: "Inclusive." });
export const START_TIME = optional("startTime", "time", { note: "Inclusive." });
export const END_TIME = optional("endTime", "time", { note: "Inclusive." });
export const ORDER_ID = optional("orderId", "integer");
export const ORIG_CLIENT_ORDER_ID = optional("origClientOrderId", "clientOrderId");
export const NEW_CLIENT_ORDER_ID = optional("newClientOrderId", "clientOrderId", { note: "Generated when absent." });
export const ORDER_LIST_ID = optional("orderListId", "integer");
export const LIST_CLIENT_ORDER_ID = optional("listClientOrderId", "clientOrderId");
export const LISTEN_KEY = required("listenKey", "listenKey");

export const SYMBOL_STATUS = optional("symbolStatus", "enum", {
  words: ASKED_SYMBOL_STATUSES,
  wrongWord: -1122,
  note: "Symbols with another status are omitted; if one is named, it is rejected.",
});
export const SELF_TRADE_PREVENTION_MODE = optional("selfTradePreventionMode", "enum", {
  words: SELF_TRADE_PREVENTION_MODES,
  note: "What happens instead of a trade with an order of the same account. Default: that of the symbol (exchangeInfo).",
});

/** A list of prevented matches weighs as much as one of trades. */
export function preventedMatchesWeight(sent: Sent): number {
  return sent.has("orderId") ? 5 : 1;
}

// Parameters of the wallet.

export const OPTIONAL_ASSET = optional("asset", "string");
export const OPTIONAL_COIN = optional("coin", "string");
export const AMOUNT = required("amount", "decimal");
export const NETWORK = optional("network", "string", { note: "Default: the asset's default network." });
/** Filter by status code. Interface 2.10. */
export const WITHDRAWAL_STATUS = optional("status", "enum", {
  words: ["0", "1", "2", "3", "4", "5", "6"],
  note: "0 email sent, 1 canceled, 2 awaiting approval, 3 rejected, 4 processing, 5 failure, 6 completed.",
});
export const PAGE = optional("page", "limit", { default: "1" });
/** The parameters of a withdrawal besides its asset. */
export const WITHDRAWAL = [
  NETWORK,
  required("address", "string"),
  optional("addressTag", "string", { note: "For networks with shared addresses." }),
  required("amount", "decimal", { note: "The amount that leaves the account; the fee is deducted from it." }),
  optional("name", "string", { note: "The client's label of the address." }),
  optional("withdrawOrderId", "clientOrderId", { note: "The client's own id, which can be used once." }),
  optional("code", "string", { note: "Two-factor code, if the account has two-factor authentication." }),
] as const;

// Weights that vary with the parameters sent. Interface 4.1, 4.2.

type Sent = ReadonlyMap<string, string>;

const DEPTH_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ["500", 5],
  ["1000", 10],
  ["5000", 50],
]);

/** The weight depends on `limit`. A limit that will be rejected costs as little as the smallest one. */
export function depthWeight(sent: Sent): number {
  return DEPTH_WEIGHTS.get(sent.get("limit") ?? "") ?? 1;
}

/**
 * Klines that history does not store weigh more: those of a second are computed from trades, those of a time zone are
 * merged from up to 14 shorter ones each.
 */
export function klineWeight(sent: Sent): number {
  const isStored = sent.get("interval") !== "1s" && (timeZoneOffset(sent.get("timeZone") ?? "0") ?? 0) === 0;
  return isStored ? 1 : COMPUTED_KLINES_WEIGHT;
}
const COMPUTED_KLINES_WEIGHT = 5;

/** Weight 1 for one symbol, `all` without a symbol. */
export function bySymbol(all: number): (sent: Sent) => number {
  return (sent) => (sent.has("symbol") ? 1 : all);
}

/** Weight 1 for each symbol, but at most `all`. */
export function bySymbols(all: number): (sent: Sent) => number {
  return (sent) => {
    if (sent.has("symbol")) return 1;
    const symbols = sent.get("symbols");
    return symbols === undefined ? all : Math.min(all, symbols.split(",").length);
  };
}

const WINDOW_WEIGHT = 4;
const MAX_WINDOW_WEIGHT = 200;

/** Statistics of a window weigh more than those of 24 hours, because they are computed from history. */
export function windowWeight(sent: Sent): number {
  const symbols = sent.get("symbols")?.split(",").length ?? 1;
  return Math.min(MAX_WINDOW_WEIGHT, WINDOW_WEIGHT * symbols);
}

const RULE_WEIGHT = 2;
const MAX_RULE_WEIGHT = 40;

export function ruleWeight(sent: Sent): number {
  if (sent.has("symbol")) return RULE_WEIGHT;
  const symbols = sent.get("symbols")?.split(",").length ?? Infinity;
  return Math.min(MAX_RULE_WEIGHT, RULE_WEIGHT * symbols);
}
