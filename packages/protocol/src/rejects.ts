/** The engine's refusals as errors of the interface. Interface 7.8, 7.9. */
import { type ApiError, apiError } from "./errors.ts";
import { INVALID_OPERATION, INVALID_SYMBOL, invalidAmount, SHUTTING_DOWN, UNKNOWN_LISTEN_KEY } from "./refusals.ts";
import type { OrderType } from "./shapes/enums.ts";
import type { RejectWord } from "./reject-word.ts";

/** The kind of request, which decides between -2010, -2011 and -1010. */
export type RejectContext = "place" | "cancel" | "other";

const CODES: Readonly<Record<RejectContext, number>> = { place: -2010, cancel: -2011, other: -1010 };

/** Reasons with texts of their own whose code depends on the context. */
const TEXTS: ReadonlyMap<RejectWord, string> = new Map([
  ["MARKET_CLOSED", "Market is closed."],
  ["INSUFFICIENT_BALANCE", "Account has insufficient balance for requested action."],
  ["DUPLICATE_ORDER", "Duplicate order sent."],
  ["UNKNOWN_ORDER", "Unknown order sent."],
  ["CANCEL_IDS_DISAGREE", "Cancel order is invalid. Check origClOrdId and orderId."],
  ["ICEBERG_NOT_SUPPORTED", "Iceberg orders are not supported for this symbol."],
  ["ICEBERG_EXCEEDS_QUANTITY", "IcebergQty exceeds QTY."],
  ["QUOTE_ORDER_QTY_NOT_SUPPORTED", "Quote order qty market orders are not support for this symbol."],
  ["UNSUPPORTED_COMBINATION", "Unsupported order combination"],
  ["WOULD_MATCH_IMMEDIATELY", "Order would immediately match and take."],
  ["WOULD_TRIGGER_IMMEDIATELY", "Order would trigger immediately."],
  // Without a full stop, unlike its neighbours.
  ["OCO_NOT_SUPPORTED", "OCO orders are not supported for this symbol"],
  ["OCO_BAD_PRICES", "The relationship of the prices for the orders is not correct."],
  ["ACCOUNT_MAY_NOT_TRADE", "This action disabled is on this account."],
  ["API_TRADING_LOCKED", "This action disabled is on this account."],
  ["UNKNOWN_ACCOUNT", "Unknown account."],
  ["UNKNOWN_ASSET", "Unknown asset."],
  ["UNKNOWN_API_KEY", "Unknown API key."],
  ["ALREADY_EXISTS", "It exists already."],
  ["INVALID_VALUE", "Invalid value."],
  ["TOO_MANY", "The maximum is reached."],
]);

const filterFailure = (filter: string): ApiError => apiError(-1013, `Filter failure: ${filter}`);

/** Reasons that give the same error in every context. */
const FIXED: ReadonlyMap<RejectWord, ApiError> = new Map([
  ["PRICE_FILTER", filterFailure("PRICE_FILTER")],
  ["PERCENT_PRICE", filterFailure("PERCENT_PRICE")],
  ["LOT_SIZE", filterFailure("LOT_SIZE")],
  ["MIN_NOTIONAL", filterFailure("MIN_NOTIONAL")],
  ["ICEBERG_PARTS", filterFailure("ICEBERG_PARTS")],
  ["MARKET_LOT_SIZE", filterFailure("MARKET_LOT_SIZE")],
  ["MAX_NUM_ORDERS", filterFailure("MAX_NUM_ORDERS")],
  ["MAX_NUM_ALGO_ORDERS", filterFailure("MAX_ALGO_ORDERS")],
  ["MAX_NUM_ICEBERG_ORDERS", filterFailure("MAX_NUM_ICEBERG_ORDERS")],
  ["EXCHANGE_MAX_NUM_ORDERS", filterFailure("EXCHANGE_MAX_NUM_ORDERS")],
  ["EXCHANGE_MAX_NUM_ALGO_ORDERS", filterFailure("EXCHANGE_MAX_ALGO_ORDERS")],
  // The engine's own bound on the open orders of all accounts, shown to clients as this filter.
  ["TOO_MANY_OPEN_ORDERS", filterFailure("EXCHANGE_MAX_NUM_ORDERS")],
  ["INVALID_QUANTITY", invalidAmount("quantity")],
  ["UNKNOWN_SYMBOL", INVALID_SYMBOL],
  ["UNKNOWN_LISTEN_KEY", UNKNOWN_LISTEN_KEY],
  ["MAINTENANCE", SHUTTING_DOWN],
]);

const TYPE_NAMES: Readonly<Record<OrderType, string>> = {
  LIMIT: "Limit",
  MARKET: "Market",
  LIMIT_MAKER: "Limit maker",
  STOP_LOSS: "Stop loss",
  STOP_LOSS_LIMIT: "Stop loss limit",
  TAKE_PROFIT: "Take profit",
  TAKE_PROFIT_LIMIT: "Take profit limit",
};

/**
 * `type` names the order in `… orders are not supported for this symbol.` Reasons of the wallet have their errors in
 * `wallet-rejects.ts`.
 */
export function rejectError(reason: RejectWord, context: RejectContext, type: OrderType = "LIMIT"): ApiError {
  const fixed = FIXED.get(reason);
  if (fixed !== undefined) return fixed;
  if (reason === "ORDER_TYPE_NOT_SUPPORTED") {
    return apiError(CODES[context], `${TYPE_NAMES[type]} orders are not supported for this symbol.`);
  }
  const text = TEXTS.get(reason);
  return text === undefined ? INVALID_OPERATION : apiError(CODES[context], text);
}
