/** The errors of the interface: codes, texts to the letter (misspellings included) and HTTP statuses. Interface 7.6. */
import type { Family } from "./endpoint.ts";

export interface ApiError {
  readonly code: number;
  readonly msg: string;
  /** HTTP status; the wallet family answers most refusals with 200 nevertheless: see `httpStatus`. */
  readonly status: number;
}

/** Distinguishes an error from a parser's result. */
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

/** Every code that is sent. Its texts are in `refusals.ts` and `rejects.ts`. */
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
  kind(-1135, "INVALID_JSON"),
  kind(-1136, "INVALID_RESP_TYPE"),
  kind(-1139, "INVALID_TICKER_TYPE"),
  kind(-1191, "TOO_MANY_SUBSCRIPTIONS"),
  kind(-1194, "INVALID_TIME_UNIT"),
  kind(-1220, "SYMBOL_DOES_NOT_MATCH_STATUS"),
  kind(-2008, "BAD_API_ID", 401),
  kind(-2010, "NEW_ORDER_REJECTED"),
  kind(-2011, "CANCEL_REJECTED"),
  kind(-2013, "NO_SUCH_ORDER"),
  kind(-2014, "BAD_API_KEY_FMT", 401),
  kind(-2015, "REJECTED_MBX_KEY", 401),
  kind(-2016, "NO_TRADING_WINDOW"),
  kind(-2021, "CANCEL_REPLACE_PARTLY_FAILED", 409),
  kind(-2022, "CANCEL_REPLACE_FAILED"),
  // the wallet's: the parent has no names for them
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

/** `status` is given only where the code does not decide it (418, 404, 413). */
export function apiError(code: number, msg: string, status = STATUSES.get(code) ?? 400): ApiError {
  return { code, msg, status };
}

export type ErrorBody =
  | { readonly code: number; readonly msg: string }
  | { readonly success: false; readonly msg: string; readonly code: number };

/** Texts that /wapi words differently. Interface 7.3. */
const WAPI_TEXTS: ReadonlyMap<number, string> = new Map([
  [-1002, "You don't have permission."],
  [-1016, "system maintenance"],
  [-4019, "The current currency is not open for withdrawal"],
  [-4026, "The user has insufficient balance available"],
]);

/** The JSON body of an error. Interface 7.2, 7.3; `code` beside the wallet's own two is an extra (Interface S.3). */
export function errorBody({ code, msg }: ApiError, family: Family): ErrorBody {
  return family === "wapi" ? { success: false, msg: WAPI_TEXTS.get(code) ?? msg, code } : { code, msg };
}

/** The wallet family refuses with HTTP 200, except for limits, the firewall and our own faults (Interface S.3). */
export function httpStatus(error: ApiError, family: Family): number {
  if (family !== "wapi") return error.status;
  const { status } = error;
  return status === 403 || status === 418 || status === 429 || status >= 500 ? status : 200;
}
