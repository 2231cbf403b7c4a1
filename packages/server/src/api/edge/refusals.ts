/** Rejections by the gateway: the error that handlers throw, and the errors of the HTTP edge itself. */
import {
  apiError,
  type ApiError,
  banned,
  tooManyOrders,
  tooManyRequests,
  tooMuchWeight,
  UNSUPPORTED_OPERATION,
} from "@pricetime/protocol";
import type { IpRefusal, OrderRefusal } from "./rate-limits.ts";

/** Thrown to reject a request with an error of the interface. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly error: ApiError;
  /** Value of the Retry-After header in seconds; 0 to omit the header. */
  readonly retryAfterSeconds: number;
  /** Value of the Allow header; "" to omit the header. */
  readonly allow: string;

  constructor(error: ApiError, retryAfterSeconds = 0, allow = "") {
    super(error.msg);
    this.error = error;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
  }
}

/** A path with characters or segments (`..`) that no path of the API has. Interface S.3. */
export const FORBIDDEN_PATH = apiError(-1100, "Illegal characters found in the path.", 403);
export const URL_TOO_LONG = apiError(-1013, "The address is too long.", 403);
export const BODY_TOO_LARGE = apiError(-1013, "The body is too large.", 413);
/** A web page of another origin tries to open a socket that carries account data. */
export const FOREIGN_ORIGIN = apiError(-1002, "Web pages of this origin may not open this socket.", 403);
/** A request with a session is unencrypted or does not come from a page of this node. */
export const FOREIGN_REQUEST = apiError(-1002, "Only pages of this exchange may use a session, over TLS.", 403);
/** The session has expired or does not exist. */
export const REJECTED_SESSION = apiError(-2015, "You are not signed in, or no longer.", 401);
/** An address has too many open connections, HTTP or WebSocket. */
export const TOO_MANY_CONNECTIONS = apiError(
  -1003,
  "Too many open connections; please use one connection for many requests or streams.",
);
/** An estimate for Retry-After, because it is unknown when the address will close a connection. */
export const TOO_MANY_CONNECTIONS_RETRY_SECONDS = 60;
/** Bodies must be forms (Interface 1.5); parameters cannot be read from other content types. */
export const NOT_A_FORM = apiError(
  UNSUPPORTED_OPERATION.code,
  "This content type is not supported; send parameters in the query or as application/x-www-form-urlencoded.",
  415,
);

// Responses to clients that exceed a limit. Interface 8.5, S.4.

export function limitRefusal(refusal: IpRefusal): Refused {
  if (refusal.kind === "ban") return new Refused(banned(refusal.untilMs), refusal.retryAfterSeconds);
  const { rateLimitType, limit, intervalNum, interval } = refusal.rule;
  const text = rateLimitType === "REQUEST_WEIGHT" ? tooMuchWeight : tooManyRequests;
  return new Refused(text(limit, intervalNum, interval), refusal.retryAfterSeconds);
}

export function orderLimitRefusal({ rule, retryAfterSeconds }: OrderRefusal): Refused {
  return new Refused(tooManyOrders(rule.limit, rule.intervalNum, rule.interval), retryAfterSeconds);
}
