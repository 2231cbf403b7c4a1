/** The engine's reasons for a rejection as errors of the interface. Interface 7.8 to 7.10. */
import type { RejectReason } from "@pricetime/engine";
import {
  ADDRESS_NOT_LISTED,
  type ApiError,
  apiError,
  DUST_NOT_OFFERED,
  DUST_UNKNOWN_ASSET,
  ILLEGAL_ADDRESS,
  INVALID_OPERATION,
  INVALID_SYMBOL,
  invalidAmount,
  invalidData,
  mandatory,
  MASTER_ACCOUNT_ONLY,
  NO_SUCH_WITHDRAWAL,
  NOT_RELATED,
  SELF_TRADE_PREVENTION_NOT_ALLOWED,
  SHUTTING_DOWN,
  TOO_MANY_WALLET_REQUESTS,
  UNKNOWN_ASSET,
  UNKNOWN_LISTEN_KEY,
  UNSUPPORTED_OPERATION,
  VERIFICATION_FAILED,
  WITHDRAWAL_LIMITED,
  WITHDRAWAL_SUSPENDED,
} from "./errors.ts";
import type { OrderType } from "./shapes/enums.ts";
import { EXCHANGE_FILTERS, type FilterType, SYMBOL_FILTERS } from "./shapes/market.ts";

/** The kind of request, which determines the code: -2010, -2011, -2038 or -1010. */
export type RejectContext = "place" | "cancel" | "amend" | "other";

const CODES: Readonly<Record<RejectContext, number>> = { place: -2010, cancel: -2011, amend: -2038, other: -1010 };

/** Reasons with their own texts. The code depends on the context. */
const TEXTS: ReadonlyMap<RejectReason, string> = new Map([
  ["MARKET_CLOSED", "Market is closed."],
  ["CANCEL_ONLY", "This order type is not possible in this trading phase."],
  ["INSUFFICIENT_BALANCE", "Account has insufficient balance for requested action."],
  ["DUPLICATE_ORDER", "Duplicate order sent."],
  ["UNKNOWN_ORDER", "Unknown order sent."],
  ["CANCEL_IDS_DISAGREE", "Cancel order is invalid. Check origClOrdId and orderId."],
  ["CANCEL_RESTRICTED", "Order was not canceled due to cancel restrictions."],
  ["AMEND_NOT_SUPPORTED", "Order amend is not supported for this symbol."],
  ["AMEND_INCREASES", "Order amend (quantity increase) is not supported."],
  // The interface writes this text without a full stop, unlike the others.
  ["AMEND_CHANGES_NOTHING", "The requested action would change no state; rejecting"],
  ["AMEND_PENDING_OPO", "Order amend (pending OPO order) is not supported."],
  ["MAX_NUM_ORDER_AMENDS", "Filter failure: MAX_NUM_ORDER_AMENDS"],
  ["ICEBERG_NOT_SUPPORTED", "Iceberg orders are not supported for this symbol."],
  ["ICEBERG_EXCEEDS_QUANTITY", "IcebergQty exceeds QTY."],
  ["QUOTE_ORDER_QTY_NOT_SUPPORTED", "Quote order qty market orders are not support for this symbol."],
  ["UNSUPPORTED_COMBINATION", "Unsupported order combination"],
  ["TRAILING_STOP_NOT_SUPPORTED", "Trailing stop orders are not supported for this symbol."],
  ["PEG_NOT_SUPPORTED", "Pegged orders are not supported for this symbol."],
  ["PEG_ORDER_TYPE", "This order type may not use pegged price."],
  ["PEG_PRICE_TYPE", "This price peg cannot be used with this order type."],
  ["PEG_LEVEL_MISSING", "Order book liquidity is too low for this pegged order."],
  ["WOULD_MATCH_IMMEDIATELY", "Order would immediately match and take."],
  ["WOULD_TRIGGER_IMMEDIATELY", "Order would trigger immediately."],
  // The interface writes this text without a full stop, unlike the others.
  ["OCO_NOT_SUPPORTED", "OCO orders are not supported for this symbol"],
  // The interface has no text for OTO.
  ["OTO_NOT_SUPPORTED", "OTO orders are not supported for this symbol."],
  ["OPO_NOT_SUPPORTED", "OPO orders are not supported for this symbol."],
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

/** Filters whose names in error texts differ. */
const OTHER_NAMES: { readonly [Type in FilterType]?: string } = {
  MAX_NUM_ALGO_ORDERS: "MAX_ALGO_ORDERS",
  EXCHANGE_MAX_NUM_ALGO_ORDERS: "EXCHANGE_MAX_ALGO_ORDERS",
};

/** Whether new orders can fail the filter. The filter of amendments has their code. */
const isOfOrder = ({ filterType }: { readonly filterType: FilterType }): boolean =>
  filterType !== "MAX_NUM_ORDER_AMENDS";

/** Reasons that give the same error in every context. */
const FIXED: ReadonlyMap<RejectReason, ApiError> = new Map([
  ...[...SYMBOL_FILTERS, ...EXCHANGE_FILTERS]
    .filter(isOfOrder)
    .map(({ filterType }): [FilterType, ApiError] => [
      filterType,
      filterFailure(OTHER_NAMES[filterType] ?? filterType),
    ]),
  // The engine's own limit on the open orders of all accounts, which clients see as this filter.
  ["TOO_MANY_OPEN_ORDERS", filterFailure("EXCHANGE_MAX_NUM_ORDERS")],
  ["INVALID_QUANTITY", invalidAmount("quantity")],
  ["SELF_TRADE_PREVENTION_NOT_ALLOWED", SELF_TRADE_PREVENTION_NOT_ALLOWED],
  ["UNKNOWN_SYMBOL", INVALID_SYMBOL],
  ["UNKNOWN_LISTEN_KEY", UNKNOWN_LISTEN_KEY],
  ["LISTEN_KEYS_RETIRED", UNSUPPORTED_OPERATION],
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
 * The error for a reason. `type` is the order type in the text `… orders are not supported for this symbol.` Errors for
 * the wallet's reasons are in `withdrawalError`, `transferError` and `dustError`.
 */
export function rejectError(reason: RejectReason, context: RejectContext, type: OrderType = "LIMIT"): ApiError {
  const fixed = FIXED.get(reason);
  if (fixed !== undefined) return fixed;
  if (reason === "ORDER_TYPE_NOT_SUPPORTED") {
    return apiError(CODES[context], `${TYPE_NAMES[type]} orders are not supported for this symbol.`);
  }
  const text = TEXTS.get(reason);
  return text === undefined ? INVALID_OPERATION : apiError(CODES[context], text);
}

// Rejections of the wallet's commands. Interface 7.10.

/** The amounts that the error texts contain, as decimals for clients. */
export interface WithdrawalBounds {
  readonly min: string;
  readonly step: string;
}

type Table = ReadonlyMap<RejectReason, ApiError>;

const WITHDRAWAL: Table = new Map([
  ["UNKNOWN_ASSET", UNKNOWN_ASSET],
  ["UNKNOWN_NETWORK", invalidData("network")],
  ["WITHDRAWAL_SUSPENDED", WITHDRAWAL_SUSPENDED],
  ["ACCOUNT_MAY_NOT_WITHDRAW", WITHDRAWAL_LIMITED],
  ["WITHDRAWAL_ABOVE_MAXIMUM", apiError(-4023, "Within 24 hours, the withdrawal exceeds the maximum amount.")],
  ["WITHDRAWAL_BELOW_FEE", apiError(-4028, "The amount of withdrawal must be greater than the Commission.")],
  ["INSUFFICIENT_BALANCE", apiError(-4026, "You have insufficient balance.")],
  ["ADDRESS_NOT_ALLOWED", ADDRESS_NOT_LISTED],
  ["ADDRESS_IS_OWN", ILLEGAL_ADDRESS],
  ["TOTP_REQUIRED", mandatory("code")],
  ["TOTP_REUSED", VERIFICATION_FAILED],
  ["TOTP_DIFFERS", VERIFICATION_FAILED],
  ["UNKNOWN_WITHDRAWAL", NO_SUCH_WITHDRAWAL],
  ["TOO_MANY", TOO_MANY_WALLET_REQUESTS],
  // The client's own id was used before, for an equal or a different request. The second request is rejected in both
  // cases.
  ["ALREADY_EXISTS", invalidData("withdrawOrderId")],
  ["REPEAT_DIFFERS", invalidData("withdrawOrderId")],
  ["CONTENTS_NOT_KEPT", invalidData("withdrawOrderId")],
  ["INVALID_VALUE", INVALID_OPERATION],
]);

export function withdrawalError(reason: RejectReason, { min, step }: WithdrawalBounds): ApiError {
  if (reason === "WITHDRAWAL_BELOW_MINIMUM") {
    return apiError(-4022, `Not less than the minimum pick-up quantity ${min}.`);
  }
  if (reason === "WITHDRAWAL_NOT_A_MULTIPLE") {
    return apiError(-4021, `Asset withdrawal must be an integer multiple of ${step}.`);
  }
  return WITHDRAWAL.get(reason) ?? rejectError(reason, "other");
}

const TRANSFER: Table = new Map([
  ["UNKNOWN_ASSET", UNKNOWN_ASSET],
  ["INSUFFICIENT_BALANCE", apiError(-4026, "You have insufficient balance.")],
  ["MASTER_ONLY", MASTER_ACCOUNT_ONLY],
  ["NOT_RELATED", NOT_RELATED],
  ["UNKNOWN_ACCOUNT", NOT_RELATED],
  ["SAME_ACCOUNT", INVALID_OPERATION],
  ["INVALID_VALUE", INVALID_OPERATION],
  ["ACCOUNT_MAY_NOT_WITHDRAW", WITHDRAWAL_LIMITED],
  // The client's own id was used before, for a different transfer.
  ["REPEAT_DIFFERS", invalidData("clientTranId")],
]);

export function transferError(reason: RejectReason): ApiError {
  return TRANSFER.get(reason) ?? rejectError(reason, "other");
}

const DUST: Table = new Map([
  ["DUST_NOT_OFFERED", DUST_NOT_OFFERED],
  ["DUST_ASSET_ITSELF", DUST_NOT_OFFERED],
  ["NO_PRICE", DUST_NOT_OFFERED],
  ["TREASURY_SHORT", DUST_NOT_OFFERED],
  ["INSUFFICIENT_BALANCE", apiError(-5002, "You have insufficient balance.")],
  ["UNKNOWN_ASSET", DUST_UNKNOWN_ASSET],
  ["INVALID_VALUE", invalidData("asset")],
  ["TOO_MANY", invalidData("asset")],
]);

/** The values that the error texts about dust contain. */
export interface DustWords {
  /** The rejected assets, for example `ETH,XRP`. */
  readonly assets: string;
  /** For example `0.001BTC`. */
  readonly limit: string;
  /** The minimum time between two conversions. */
  readonly pauseMs: number;
}

const SPANS: readonly (readonly [ms: number, unit: string])[] = [
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
  [1, "millisecond"],
];

/** The duration in the largest unit that divides it, for example `24 hours`. */
function spanText(spanMs: number): string {
  const [ms, unit] = SPANS.find(([unitMs]) => spanMs % unitMs === 0) ?? [1, "millisecond"];
  const count = spanMs / ms;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

export function dustError(reason: RejectReason, { assets, limit, pauseMs }: DustWords): ApiError {
  if (reason === "DUST_TOO_SOON") return apiError(-5006, `Only transfer once in ${spanText(pauseMs)}.`);
  if (reason === "DUST_TOO_MUCH") {
    return apiError(-5004, `The residual balances of ${assets} have exceeded ${limit}, Please re-choose.`);
  }
  if (reason === "DUST_TOO_LITTLE") {
    return apiError(-5005, `The residual balances of ${assets} is too low, Please re-choose.`);
  }
  return DUST.get(reason) ?? rejectError(reason, "other");
}
