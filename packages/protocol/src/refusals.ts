/** Texts of refusals that a request may get before it reaches the engine. Interface 7.6, 7.7. */
import { type ApiError, apiError } from "./errors.ts";

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
/** No such path (404), or a method that the path does not have (405). Interface S.3. */
export const UNKNOWN_PATH = apiError(-1099, "Not found, authenticated, or authorized", 404);
export const WRONG_METHOD = apiError(-1020, "This operation is not supported.", 405);
export const INVALID_SYMBOL = apiError(-1121, "Invalid symbol.");
export const OTHER_SYMBOL_STATUS = apiError(-1220, "The symbol's status does not match the requested symbolStatus.");
export const UNKNOWN_LISTEN_KEY = apiError(-1125, "This listenKey does not exist.");
export const NO_SUCH_ORDER = apiError(-2013, "Order does not exist.");
export const NO_SUCH_ORDER_LIST = apiError(-2013, "Order list does not exist.");
export const BAD_API_KEY_FORMAT = apiError(-2014, "API-key format invalid.");
export const REJECTED_API_KEY = apiError(-2015, "Invalid API-key, IP, or permissions for action.");

// parameters

export const ILLEGAL_CHARACTERS = apiError(-1100, "Illegal characters found in a parameter.");
export const TOO_MANY_PARAMETERS = apiError(-1101, "Too many parameters sent for this endpoint.");
export const DUPLICATE_VALUES = apiError(-1101, "Duplicate values for a parameter detected.");
export const BAD_COMBINATION = apiError(-1128, "Combination of optional parameters invalid.");
export const BAD_RECV_WINDOW = apiError(-1131, "recvWindow must be less than 60000");
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
export function invalidData(name: string): ApiError {
  return apiError(-1130, `Data sent for paramter '${name}' is not valid.`);
}
/** `hours` is 1 for aggTrades, 24 for the lists of an account. Interface 1.11. */
export function moreThanHours(hours: number): ApiError {
  return apiError(-1127, `More than ${hours} hours between startTime and endTime.`);
}

// the WebSocket API: its frames, and its own refusals

export const INVALID_JSON = apiError(-1135, "Invalid JSON request.");
export const INVALID_REQUEST_ID = apiError(
  -1135,
  "Invalid 'id' in JSON request; expected an integer, a string matching '^[a-zA-Z0-9-_]{1,36}$', or null.",
);
export const INVALID_REQUEST_METHOD = apiError(-1135, "Invalid 'method' in JSON request; expected a string.");
export const INVALID_REQUEST_PARAMS = apiError(-1135, "Invalid 'params' in JSON request; expected an object.");
/** More requests wait on one connection than it may have. */
export const TOO_MANY_QUEUED = apiError(-1003, "Too many requests queued.");
/** Only Ed25519 keys log on. */
export const LOGON_BY_HMAC_KEY = apiError(-4056, "HMAC_SHA256 API key is not supported.");

export function tooManySubscriptions(limit: number): ApiError {
  return apiError(-1191, `Too many subscriptions. Connection may create up to '${limit}' subscriptions at a time.`);
}

/** Times in microseconds are not supported. */
export const INVALID_TIME_UNIT = apiError(-1194, "Invalid value for time unit; expected MILLISECOND.");

// orders

export const BAD_PRECISION = apiError(-1111, "Precision is over the maximum defined for this asset.");
export const SELF_TRADE_PREVENTION_NOT_ALLOWED = apiError(
  -1013,
  "This symbol does not allow the specified self-trade prevention mode.",
);
export const UNSUPPORTED_COMBINATION = apiError(-1014, "Unsupported order combination.");
/** A stop limit price without the time in force of the resulting order. */
export const STOP_LIMIT_WITHOUT_TIME = apiError(
  -1128,
  "Combination of optional parameters invalid. Recommendation: 'stopLimitTimeInForce' should also be sent.",
);
export const CANCEL_REPLACE_PARTLY_FAILED = apiError(-2021, "Order cancel-replace partially failed.");
export const CANCEL_REPLACE_FAILED = apiError(-2022, "Order cancel-replace failed.");

/** An amount such as `quantity` or `stopPrice` must be above zero. */
export function invalidAmount(name: string): ApiError {
  return apiError(-1013, `Invalid ${name}.`);
}

/** A word that is not in the list of an enumeration. */
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
    apiError(-1136, "Invalid newOrderRespType."),
    apiError(-1139, "Invalid ticker type."),
  ].map((error) => [error.code, error]),
);

// the wallet: Interface 7.10

export const INVALID_OPERATION = apiError(-4001, "Invalid operation.");
export const TOO_MANY_WALLET_REQUESTS = apiError(-4005, "Too many new requests.");
export const MASTER_ACCOUNT_ONLY = apiError(-4006, "Support main account only.");
export const BAD_ADDRESS = apiError(-4007, "Address validation is not passed.");
export const BAD_ADDRESS_TAG = apiError(-4008, "Address tag validation is not passed.");
export const WITHDRAWAL_LIMITED = apiError(-4015, "Withdraw is limited.");
export const UNKNOWN_ASSET = apiError(-4018, "We don't have this asset.");
export const WITHDRAWAL_SUSPENDED = apiError(-4019, "Current asset is not open for withdrawal.");
export const NO_SUCH_WITHDRAWAL = apiError(-4029, "The withdrawal record does not exist.");
/** A two-factor code is wrong or was used before. */
export const VERIFICATION_FAILED = apiError(-4032, "Withdraw verification exception.");
export const ILLEGAL_ADDRESS = apiError(-4033, "Illegal address.");
export const ADDRESS_NOT_LISTED = apiError(-4035, "This address is not on the whitelist. Please join and try again.");
export const NO_DEPOSIT_ADDRESS = apiError(-4042, "This asset cannot get deposit address again.");
export const TOO_LONG_INTERVAL = apiError(-4047, "Time interval must be within 0-90 days.");
export const DUST_NOT_OFFERED = apiError(-5001, "Don't allow transfer to micro assets.");
export const DUST_UNKNOWN_ASSET = apiError(-5003, "You don't have this asset.");
export const NOT_RELATED = apiError(-5021, "This parent sub have no relation");

// limits: Interface S.4

/** 429 for weight. `intervalNum` and `interval` come from the limiter and print as `1 MINUTE`. */
export function tooMuchWeight(limit: number, intervalNum: number, interval: string): ApiError {
  return apiError(
    -1003,
    `Too much request weight used; current limit is ${limit} request weight per ${intervalNum} ${interval}. Please use the websocket for live updates to avoid polling the API.`,
  );
}
/** 429 for raw requests. */
export function tooManyRequests(limit: number, intervalNum: number, interval: string): ApiError {
  return apiError(
    -1003,
    `Too many requests; current limit is ${limit} requests per ${intervalNum} ${interval}. Please use the websocket for live updates to avoid polling the API.`,
  );
}
/** 418 until the ban ends. */
export function banned(untilMs: number): ApiError {
  return apiError(
    -1003,
    `Way too much request weight used; IP banned until ${untilMs}. Please use the websocket for live updates to avoid bans.`,
    418,
  );
}
/** 429 for orders, as in `10 orders per SECOND`; a longer interval includes its number. */
export function tooManyOrders(limit: number, intervalNum: number, interval: string): ApiError {
  const span = intervalNum === 1 ? interval : `${intervalNum} ${interval}`;
  return apiError(-1015, `Too many new orders; current limit is ${limit} orders per ${span}.`);
}
