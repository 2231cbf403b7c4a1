/** Enumerations, valid ranges and required parameters of order types, from the protocol's own lists. */
import {
  API_KEY_PATTERN,
  ASKED_SYMBOL_STATUSES,
  CANCEL_REPLACE_MODES,
  CLIENT_ORDER_ID_PATTERN,
  DECIMAL_PATTERN,
  ED25519_SIGNATURE_PATTERN,
  INTEGER_PATTERN,
  KLINE_INTERVALS,
  LIST_ORDER_STATUSES,
  LIST_STATUS_TYPES,
  LISTEN_KEY_PATTERN,
  ORDER_STATUSES,
  ORDER_TYPES,
  RATE_LIMIT_INTERVALS,
  RATE_LIMIT_TYPES,
  RESPONSE_TYPES,
  SELF_TRADE_PREVENTION_MODES,
  SIDES,
  SIGNATURE_PATTERN,
  SYMBOL_PATTERN,
  SYMBOL_STATUSES,
  SYMBOLS_PATTERN,
  TEXT_PATTERN,
  TICKER_TYPES,
  TIMES_IN_FORCE,
} from "@pricetime/protocol";
import { eachField, FIELD_DESCRIPTIONS, MAX_AVERAGE_PRICE_MINS, SYMBOL_FILTERS } from "@pricetime/engine";
import { TYPE_RULES } from "../../packages/protocol/src/order-types.ts";
import { code, table } from "./markdown.ts";

const ENUMERATIONS: readonly (readonly [what: string, words: readonly string[]])[] = [
  ["status of a symbol (`status`)", SYMBOL_STATUSES],
  ["symbol statuses that can be requested (`symbolStatus`)", ASKED_SYMBOL_STATUSES],
  ["side of an order (`side`)", SIDES],
  ["type of an order (`type`, `orderTypes`)", ORDER_TYPES],
  ["time in force (`timeInForce`)", TIMES_IN_FORCE],
  ["status of an order (`status`)", ORDER_STATUSES],
  ["response to an order (`newOrderRespType`)", RESPONSE_TYPES],
  ["cancel and replace (`cancelReplaceMode`)", CANCEL_REPLACE_MODES],
  ["self-trade prevention (`selfTradePreventionMode`)", SELF_TRADE_PREVENTION_MODES],
  ["event of an order list (`listStatusType`)", LIST_STATUS_TYPES],
  ["status of an order list (`listOrderStatus`)", LIST_ORDER_STATUSES],
  ["interval of a kline (`interval`)", KLINE_INTERVALS],
  ["type of a ticker (`type`)", TICKER_TYPES],
  ["limiter (`rateLimitType`)", RATE_LIMIT_TYPES],
  ["interval of a limiter (`interval`)", RATE_LIMIT_INTERVALS],
];

export function enumerationTable(): string {
  return table(
    ["enumeration", "words"],
    ENUMERATIONS.map(([what, words]) => [what, words.map(code).join(", ")]),
  );
}

const RANGES: readonly (readonly [what: string, pattern: string])[] = [
  ["symbol", SYMBOL_PATTERN],
  ["`symbols`: a JSON array of them", SYMBOLS_PATTERN],
  ["LONG and INT", INTEGER_PATTERN],
  ["DECIMAL", DECIMAL_PATTERN],
  ["client order ids", CLIENT_ORDER_ID_PATTERN],
  ["`signature` (HMAC)", SIGNATURE_PATTERN],
  ["`signature` (Ed25519)", ED25519_SIGNATURE_PATTERN],
  ["API key", API_KEY_PATTERN],
  ["`listenKey`", LISTEN_KEY_PATTERN],
  ["other texts", TEXT_PATTERN],
];

export function rangeTable(): string {
  return table(
    ["value", "legal range"],
    RANGES.map(([what, pattern]) => [what, code(pattern)]),
  );
}

export function orderTypeTable(): string {
  const names = (parameters: readonly string[]): string => parameters.map(code).join(", ");
  return table(
    ["type", "required", "not allowed"],
    ORDER_TYPES.map((type) => {
      const { required, rejected } = TYPE_RULES[type];
      const needs = required.length === 0 ? "`quantity` or `quoteOrderQty`" : names(required);
      return [code(type), needs, names(rejected)];
    }),
  );
}

const VALUES = {
  ...{ price: "text", quantity: "text", amount: "text", multiplier: "text" },
  ...{ minutes: `0 to ${MAX_AVERAGE_PRICE_MINS}`, count: "0 to 1000000", flag: "`true`, `false`" },
};

/** The fields of filters, as operators set them. */
export function filterSettingsTable(): string {
  const rows = Object.entries(eachField(SYMBOL_FILTERS, VALUES)).flatMap(([key, fields]) =>
    Object.entries(fields).map(([field, values]) => [`${key}.${field}`, values] as const),
  );
  const descriptions: Readonly<Record<string, string>> = FIELD_DESCRIPTIONS;
  return table(
    ["setting", "description", "default", "values"],
    rows.map(([path, values]) => [code(path), descriptions[path] ?? "", "required", values]),
  );
}
