/** The errors of the interface: codes, exact texts (misspellings included) and HTTP statuses. Interface 7.6, 7.7. */
import type { Family } from "./endpoint.ts";

export interface ApiError {
  readonly code: number;
  readonly msg: string;
  /** HTTP status. The wallet family still answers most rejections with 200: see `httpStatus`. */
  readonly status: number;
  /** The parameter that an interface may name in the text. */
  readonly parameter?: string;
  /** The error of today's interface in its place. */
  readonly today?: ApiError;
}

/** Distinguishes an error from the successful result of a parser. */
export function isApiError(value: object): value is ApiError {
  return "code" in value && "msg" in value;
}

/** The name of a code and the HTTP status of its answers. */
export interface ErrorKind {
  readonly code: number;
  readonly name: string;
  readonly status: number;
}

const kind = (code: number, name: string, status = 400): ErrorKind => ({ code, name, status });

/** Every code that is sent. Their texts are in this file and in `rejects.ts`. */
export const ERROR_KINDS: readonly ErrorKind[] = [
  kind(-1000, "UNKNOWN", 500),
  kind(-1001, "DISCONNECTED", 503),
  kind(-1002, "UNAUTHORIZED", 401),
  kind(-1003, "TOO_MANY_REQUESTS", 429),
  kind(-1006, "UNEXPECTED_RESP", 500),
  kind(-1007, "TIMEOUT", 504),
  kind(-1008, "SERVER_BUSY", 503),
  kind(-1010, "ERROR_MSG_RECEIVED"),
  kind(-1013, "INVALID_MESSAGE"),
  kind(-1014, "UNKNOWN_ORDER_COMPOSITION"),
  kind(-1015, "TOO_MANY_ORDERS", 429),
  kind(-1016, "SERVICE_SHUTTING_DOWN", 503),
  kind(-1020, "UNSUPPORTED_OPERATION"),
  kind(-1021, "INVALID_TIMESTAMP"),
  kind(-1022, "INVALID_SIGNATURE"),
  kind(-1099, "NOT_FOUND_OR_AUTHORIZED", 401),
  kind(-1100, "ILLEGAL_CHARS"),
  kind(-1101, "TOO_MANY_PARAMETERS"),
  kind(-1102, "MANDATORY_PARAM_EMPTY_OR_MALFORMED"),
  kind(-1103, "UNKNOWN_PARAM"),
  kind(-1104, "UNREAD_PARAMETERS"),
  kind(-1105, "PARAM_EMPTY"),
  kind(-1106, "PARAM_NOT_REQUIRED"),
  kind(-1108, "PARAM_OVERFLOW"),
  kind(-1111, "BAD_PRECISION"),
  kind(-1112, "NO_DEPTH"),
  kind(-1114, "TIF_NOT_REQUIRED"),
  kind(-1115, "INVALID_TIF"),
  kind(-1116, "INVALID_ORDER_TYPE"),
  kind(-1117, "INVALID_SIDE"),
  kind(-1118, "EMPTY_NEW_CL_ORD_ID"),
  kind(-1119, "EMPTY_ORG_CL_ORD_ID"),
  kind(-1120, "BAD_INTERVAL"),
  kind(-1121, "BAD_SYMBOL"),
  kind(-1122, "INVALID_SYMBOLSTATUS"),
  kind(-1125, "INVALID_LISTEN_KEY"),
  kind(-1127, "MORE_THAN_XX_HOURS"),
  kind(-1128, "OPTIONAL_PARAMS_BAD_COMBO"),
  kind(-1130, "INVALID_PARAMETER"),
  kind(-1131, "BAD_RECV_WINDOW"),
  kind(-1134, "BAD_STRATEGY_TYPE"),
  kind(-1135, "INVALID_JSON"),
  kind(-1136, "INVALID_RESP_TYPE"),
  kind(-1139, "INVALID_TICKER_TYPE"),
  kind(-1145, "INVALID_CANCEL_RESTRICTIONS"),
  kind(-1151, "DUPLICATE_SYMBOLS"),
  kind(-1158, "OCO_ORDER_TYPE_REJECTED"),
  kind(-1160, "OCO_ICEBERGQTY_TIMEINFORCE"),
  kind(-1165, "BUY_OCO_LIMIT_MUST_BE_BELOW"),
  kind(-1166, "SELL_OCO_LIMIT_MUST_BE_ABOVE"),
  kind(-1168, "BOTH_OCO_ORDERS_CANNOT_BE_LIMIT"),
  kind(-1191, "TOO_MANY_SUBSCRIPTIONS"),
  kind(-1194, "INVALID_TIME_UNIT"),
  kind(-1196, "BUY_OCO_STOP_LOSS_MUST_BE_ABOVE"),
  kind(-1197, "SELL_OCO_STOP_LOSS_MUST_BE_BELOW"),
  kind(-1198, "BUY_OCO_TAKE_PROFIT_MUST_BE_BELOW"),
  kind(-1199, "SELL_OCO_TAKE_PROFIT_MUST_BE_ABOVE"),
  kind(-1210, "INVALID_PEG_PRICE_TYPE"),
  kind(-1211, "INVALID_PEG_OFFSET_TYPE"),
  kind(-1220, "SYMBOL_DOES_NOT_MATCH_STATUS"),
  kind(-1222, "OPO_WORKING_MUST_BE_BUY"),
  kind(-1223, "OPO_PENDING_MUST_BE_SELL"),
  kind(-1225, "PENDING_PARAM_NOT_REQUIRED"),
  kind(-2008, "BAD_API_ID", 401),
  kind(-2010, "NEW_ORDER_REJECTED"),
  kind(-2011, "CANCEL_REJECTED"),
  kind(-2013, "NO_SUCH_ORDER"),
  kind(-2014, "BAD_API_KEY_FMT", 401),
  kind(-2015, "REJECTED_MBX_KEY", 401),
  kind(-2016, "NO_TRADING_WINDOW"),
  kind(-2021, "CANCEL_REPLACE_PARTLY_FAILED", 409),
  kind(-2022, "CANCEL_REPLACE_FAILED"),
  kind(-2035, "SUBSCRIPTION_ACTIVE"),
  kind(-2036, "SUBSCRIPTION_INACTIVE"),
  kind(-2038, "ORDER_AMEND_REJECTED"),
  kind(-2039, "CLIENT_ORDER_ID_INVALID"),
  kind(-2042, "MAX_SUBSCRIPTION_ID"),
  kind(-2043, "NO_REFERENCE_PRICE"),
  // Codes of the wallet, for which the original interface has no names.
  kind(-4001, "INVALID_OPERATION"),
  kind(-4005, "TOO_MANY_WALLET_REQUESTS"),
  kind(-4006, "MASTER_ACCOUNT_ONLY"),
  kind(-4007, "BAD_ADDRESS"),
  kind(-4008, "BAD_ADDRESS_TAG"),
  kind(-4015, "WITHDRAWAL_LIMITED"),
  kind(-4018, "UNKNOWN_ASSET"),
  kind(-4019, "WITHDRAWAL_SUSPENDED"),
  kind(-4021, "WITHDRAWAL_NOT_A_MULTIPLE"),
  kind(-4022, "WITHDRAWAL_BELOW_MINIMUM"),
  kind(-4023, "WITHDRAWAL_ABOVE_MAXIMUM"),
  kind(-4026, "INSUFFICIENT_BALANCE"),
  kind(-4028, "WITHDRAWAL_BELOW_FEE"),
  kind(-4029, "NO_SUCH_WITHDRAWAL"),
  kind(-4032, "VERIFICATION_FAILED"),
  kind(-4033, "ILLEGAL_ADDRESS"),
  kind(-4035, "ADDRESS_NOT_LISTED"),
  kind(-4042, "NO_DEPOSIT_ADDRESS"),
  kind(-4047, "TOO_LONG_INTERVAL"),
  kind(-4056, "KEY_KIND_NOT_SUPPORTED"),
  kind(-5001, "NO_DUST"),
  kind(-5002, "DUST_INSUFFICIENT_BALANCE"),
  kind(-5003, "DUST_UNKNOWN_ASSET"),
  kind(-5004, "DUST_TOO_MUCH"),
  kind(-5005, "DUST_TOO_LITTLE"),
  kind(-5006, "DUST_TOO_SOON"),
  kind(-5021, "NOT_RELATED"),
];

const STATUSES: ReadonlyMap<number, number> = new Map(ERROR_KINDS.map(({ code, status }) => [code, status]));

/** Creates an error. `status` is passed only if the code does not determine it (418, 404, 413). */
export function apiError(code: number, msg: string, status = STATUSES.get(code) ?? 400): ApiError {
  return { code, msg, status };
}

export type ErrorBody =
  | { readonly code: number; readonly msg: string }
  | { readonly success: false; readonly msg: string; readonly code: number };

/** Texts that differ under /wapi. Interface 7.3. */
const WAPI_TEXTS: ReadonlyMap<number, string> = new Map([
  [-1002, "You don't have permission."],
  [-1016, "system maintenance"],
  [-4019, "The current currency is not open for withdrawal"],
  [-4026, "The user has insufficient balance available"],
]);

/**
 * The JSON body of an error. Interface 7.2, 7.3. In the wallet family, `code` is an addition to the family's own two
 * fields (Interface S.3).
 */
export function errorBody({ code, msg }: ApiError, family: Family): ErrorBody {
  return family === "wapi" ? { success: false, msg: WAPI_TEXTS.get(code) ?? msg, code } : { code, msg };
}

/** The wallet family rejects with HTTP 200, except for limits, the firewall and internal errors (Interface S.3). */
export function httpStatus(error: ApiError, family: Family): number {
  if (family !== "wapi") return error.status;
  const { status } = error;
  return status === 403 || status === 418 || status === 429 || status >= 500 ? status : 200;
}

// Rejections before a request reaches the engine.

export const UNKNOWN_ERROR = apiError(-1000, "An unknown error occured while processing the request.");
export const DISCONNECTED = apiError(-1001, "Internal error; unable to process your request. Please try again.");
export const UNAUTHORIZED = apiError(-1002, "You are not authorized to execute this request.");
export const TIMEOUT = apiError(
  -1007,
  "Timeout waiting for response from backend server. Send status unknown; execution status unknown.",
);
export const SERVER_BUSY = apiError(
  -1008,
  "Server is currently overloaded with other requests. Please try again in a few minutes.",
);
export const SHUTTING_DOWN = apiError(-1016, "This service is no longer available.");
export const UNSUPPORTED_OPERATION = apiError(-1020, "This operation is not supported.");
export const INVALID_SIGNATURE = apiError(-1022, "Signature for this request is not valid.");
/** The path does not exist (404), or does not support the method (405). Interface S.3. */
export const UNKNOWN_PATH = apiError(-1099, "Not found, authenticated, or authorized", 404);
export const WRONG_METHOD = apiError(-1020, "This operation is not supported.", 405);
export const INVALID_SYMBOL = apiError(-1121, "Invalid symbol.");
export const OTHER_SYMBOL_STATUS = apiError(-1220, "The symbol's status does not match the requested symbolStatus.");
export const NO_REFERENCE_PRICE = apiError(-2043, "This symbol doesn't have a reference price.");
export const UNKNOWN_LISTEN_KEY = apiError(-1125, "This listenKey does not exist.");
export const NO_SUCH_ORDER = apiError(-2013, "Order does not exist.");
export const NO_SUCH_ORDER_LIST = apiError(-2013, "Order list does not exist.");
/** Only in today's interface; in that of 2019, the order does not exist. */
export const OTHER_CLIENT_ORDER_ID = apiError(-2039, "Client order ID is not correct for this order ID.");
// Subscriptions of the WebSocket API; only in today's interface.
export const SUBSCRIPTION_ACTIVE = apiError(-2035, "User Data Stream subscription already active.");
export const SUBSCRIPTION_NOT_ACTIVE = apiError(-2036, "User Data Stream subscription not active.");
export const NO_MORE_SUBSCRIPTION_IDS = apiError(-2042, "Maximum subscription ID reached for this connection.");
export const BAD_API_KEY_FORMAT = apiError(-2014, "API-key format invalid.");
export const REJECTED_API_KEY = apiError(-2015, "Invalid API-key, IP, or permissions for action.");

// Parameters.

export const ILLEGAL_CHARACTERS = apiError(-1100, "Illegal characters found in a parameter.");
export const TOO_MANY_PARAMETERS = apiError(-1101, "Too many parameters sent for this endpoint.");
export const DUPLICATE_VALUES = apiError(-1101, "Duplicate values for a parameter detected.");
export const DUPLICATE_SYMBOLS = apiError(-1151, "Symbol is present multiple times in the list.");
export const BAD_COMBINATION = apiError(-1128, "Combination of optional parameters invalid.");
export const BAD_RECV_WINDOW = apiError(-1131, "recvWindow must be less than 60000");
/** Only in today's interface, instead of the above. */
export const RECV_WINDOW_TOO_LARGE = apiError(
  -1102,
  "'recvWindow' contains unexpected value. Cannot be greater than 60000.",
);
export const TIMESTAMP_AHEAD = apiError(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
export const TIMESTAMP_TOO_OLD = apiError(-1021, "Timestamp for this request is outside of the recvWindow.");

export function illegalCharacters(name: string, pattern: string): ApiError {
  return apiError(-1100, `Illegal characters found in parameter '${name}'; legal range is '${pattern}'.`);
}
export function mandatory(name: string): ApiError {
  return apiError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
}
export function eitherMandatory(one: string, other: string): ApiError {
  return apiError(-1102, `Param '${one}' or '${other}' must be sent, but both were empty/null!`);
}
export function unreadParameters(read: number, sent: number): ApiError {
  return apiError(-1104, `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${sent}'.`);
}
export function emptyParameter(name: string): ApiError {
  return apiError(-1105, `Parameter '${name}' was empty.`);
}
export function notRequired(name: string): ApiError {
  return apiError(-1106, `Parameter '${name}' sent when not required.`);
}
export function overflowed(name: string): ApiError {
  return apiError(-1108, `Parameter '${name}' overflowed.`);
}
export function fieldsTogether(names: readonly string[]): ApiError {
  return apiError(-1128, `Fields [${names.join(", ")}] must be sent together or omitted entirely.`);
}
export function invalidData(name: string): ApiError {
  return apiError(-1130, `Data sent for paramter '${name}' is not valid.`);
}
export function tooManyValues(name: string, max: number): ApiError {
  return apiError(-1101, `Too many values sent for parameter '${name}', maximum allowed up to ${max}.`);
}
/** `hours` is 1 for aggTrades, 24 for the lists of an account. Interface 1.11. */
export function moreThanHours(hours: number): ApiError {
  return apiError(-1127, `More than ${hours} hours between startTime and endTime.`);
}

// The WebSocket API: its frames and its own rejections.

export const INVALID_JSON = apiError(-1135, "Invalid JSON request.");
export const INVALID_REQUEST_ID = apiError(
  -1135,
  "Invalid 'id' in JSON request; expected an integer, a string matching '^[a-zA-Z0-9-_]{1,36}$', or null.",
);
export const INVALID_REQUEST_METHOD = apiError(-1135, "Invalid 'method' in JSON request; expected a string.");
export const INVALID_REQUEST_PARAMS = apiError(-1135, "Invalid 'params' in JSON request; expected an object.");
/** Too many requests are queued on one connection. */
export const TOO_MANY_QUEUED = apiError(-1003, "Too many requests queued.");
/** Only Ed25519 keys can log on. */
export const LOGON_BY_HMAC_KEY = apiError(-4056, "HMAC_SHA256 API key is not supported.");

export function tooManySubscriptions(limit: number): ApiError {
  return apiError(-1191, `Too many subscriptions. Connection may create up to '${limit}' subscriptions at a time.`);
}

export const INVALID_TIME_UNIT = apiError(
  -1194,
  "Invalid value for time unit; expected either MICROSECOND or MILLISECOND.",
);

// Orders.

/** The text of 2019 does not name the parameter; that of today does. */
export function badPrecision(parameter: string): ApiError {
  return { ...apiError(-1111, "Precision is over the maximum defined for this asset."), parameter };
}
export const SELF_TRADE_PREVENTION_NOT_ALLOWED = apiError(
  -1013,
  "This symbol does not allow the specified self-trade prevention mode.",
);
export const UNSUPPORTED_COMBINATION = apiError(-1014, "Unsupported order combination.");
/** A stop limit price was sent without the time in force of the resulting order. */
export const STOP_LIMIT_WITHOUT_TIME = apiError(
  -1128,
  "Combination of optional parameters invalid. Recommendation: 'stopLimitTimeInForce' should also be sent.",
);
// Order lists. In the interface of 2019, most faults of a pair are -1014.
export const LEG_TYPE_NOT_SUPPORTED = apiError(-1158, "Order type not supported in OCO.");
export const BOTH_LIMITS = apiError(-1168, "At least one OCO order must be contingent.");
export const WORKING_OPO_NOT_BUY = apiError(-1222, "Working order in an OPO list must be a bid.");
export const PENDING_OPO_NOT_SELL = apiError(-1223, "Pending orders in an OPO list must be asks.");

export function icebergNotGtc(name: string): ApiError {
  const condition = "`aboveTimeInForce`/`belowTimeInForce` is not GTC";
  return apiError(-1160, `Parameter '${name}' is not supported if ${condition}.`);
}
export function pendingTag(name: string): ApiError {
  return apiError(-1225, `Pending orders should not include the '${name}' tag.`);
}

/** The error for a leg of a pair on the wrong side of the last price. */
export function misplaced(leg: "limit" | "stop loss" | "take profit", side: "BUY" | "SELL"): ApiError {
  const [inBuy, inSell] = MISPLACED[leg];
  const mustBeAbove = (leg === "stop loss") === (side === "BUY");
  const text = `A ${leg} order in a ${side === "BUY" ? "buy" : "sell"} OCO must be ${mustBeAbove ? "above" : "below"}.`;
  return apiError(side === "BUY" ? inBuy : inSell, text);
}
const MISPLACED = { limit: [-1165, -1166], "stop loss": [-1196, -1197], "take profit": [-1198, -1199] } as const;

export const CANCEL_REPLACE_PARTLY_FAILED = apiError(-2021, "Order cancel-replace partially failed.");
export const CANCEL_REPLACE_FAILED = apiError(-2022, "Order cancel-replace failed.");

/** The error for an amount such as `quantity` or `stopPrice` that is not above zero. */
export function invalidAmount(name: string): ApiError {
  return apiError(-1013, `Invalid ${name}.`);
}

/** The error for a value that is not in an enumeration. */
export function invalidWord(code: number, name: string): ApiError {
  return WRONG_WORDS.get(code) ?? invalidData(name);
}

const WRONG_WORDS: ReadonlyMap<number, ApiError> = new Map(
  [
    apiError(-1115, "Invalid timeInForce."),
    apiError(-1116, "Invalid orderType."),
    apiError(-1117, "Invalid side."),
    apiError(-1120, "Invalid interval."),
    apiError(-1122, "Invalid symbolStatus."),
    apiError(-1134, "strategyType was less than 1000000."),
    apiError(-1136, "Invalid newOrderRespType."),
    apiError(-1139, "Invalid ticker type."),
    apiError(-1145, "Invalid cancelRestrictions"),
    apiError(-1210, "Invalid pegPriceType."),
    apiError(-1211, "Invalid pegOffsetType."),
  ].map((error) => [error.code, error]),
);

// The wallet: Interface 7.10.

export const INVALID_OPERATION = apiError(-4001, "Invalid operation.");
export const TOO_MANY_WALLET_REQUESTS = apiError(-4005, "Too many new requests.");
export const MASTER_ACCOUNT_ONLY = apiError(-4006, "Support main account only.");
export const BAD_ADDRESS = apiError(-4007, "Address validation is not passed.");
export const BAD_ADDRESS_TAG = apiError(-4008, "Address tag validation is not passed.");
export const WITHDRAWAL_LIMITED = apiError(-4015, "Withdraw is limited.");
export const UNKNOWN_ASSET = apiError(-4018, "We don't have this asset.");
export const WITHDRAWAL_SUSPENDED = apiError(-4019, "Current asset is not open for withdrawal.");
export const NO_SUCH_WITHDRAWAL = apiError(-4029, "The withdrawal record does not exist.");
/** A two-factor code is wrong or was already used. */
export const VERIFICATION_FAILED = apiError(-4032, "Withdraw verification exception.");
export const ILLEGAL_ADDRESS = apiError(-4033, "Illegal address.");
export const ADDRESS_NOT_LISTED = apiError(-4035, "This address is not on the whitelist. Please join and try again.");
export const NO_DEPOSIT_ADDRESS = apiError(-4042, "This asset cannot get deposit address again.");
export const TOO_LONG_INTERVAL = apiError(-4047, "Time interval must be within 0-90 days.");
export const DUST_NOT_OFFERED = apiError(-5001, "Don't allow transfer to micro assets.");
export const DUST_UNKNOWN_ASSET = apiError(-5003, "You don't have this asset.");
export const NOT_RELATED = apiError(-5021, "This parent sub have no relation");

// Rate limits: Interface S.4.

/** The 429 error for weight. `intervalNum` and `interval` come from the limiter and are printed as `1 MINUTE`. */
export function tooMuchWeight(limit: number, intervalNum: number, interval: string): ApiError {
  return apiError(
    -1003,
    `Too much request weight used; current limit is ${limit} request weight per ${intervalNum} ${interval}. Please use the websocket for live updates to avoid polling the API.`,
  );
}
/** The 429 error for raw requests. */
export function tooManyRequests(limit: number, intervalNum: number, interval: string): ApiError {
  return apiError(
    -1003,
    `Too many requests; current limit is ${limit} requests per ${intervalNum} ${interval}. Please use the websocket for live updates to avoid polling the API.`,
  );
}
/** The 418 error until the ban ends. */
export function banned(untilMs: number): ApiError {
  return apiError(
    -1003,
    `Way too much request weight used; IP banned until ${untilMs}. Please use the websocket for live updates to avoid bans.`,
    418,
  );
}
/** The 429 error for orders, as in `10 orders per SECOND`; a longer interval includes its number. */
export function tooManyOrders(limit: number, intervalNum: number, interval: string): ApiError {
  const span = intervalNum === 1 ? interval : `${intervalNum} ${interval}`;
  return apiError(-1015, `Too many new orders; current limit is ${limit} orders per ${span}.`);
}
