/** The gateway's refusals: the error that handlers throw, and the refusals of the HTTP edge itself. */
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

/** A client's mistake or misfortune, thrown wherever it is found. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly error: ApiError;
  /** Value of the Retry-After header; 0: none. */
  readonly retryAfterSeconds: number;
  /** Value of the Allow header; "": none. */
  readonly allow: string;

  constructor(error: ApiError, retryAfterSeconds = 0, allow = "") {
    super(error.msg);
    this.error = error;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
  }
}

/** Paths with characters or steps (`..`) that none of our paths has. Interface S.3. */
export const FORBIDDEN_PATH = apiError(-1100, "Illegal characters found in the path.", 403);
export const URL_TOO_LONG = apiError(-1013, "The address is too long.", 403);
export const BODY_TOO_LARGE = apiError(-1013, "The body is too large.", 413);
/** A web page of another origin asks for a socket that carries an account's data. */
export const FOREIGN_ORIGIN = apiError(-1002, "Web pages of this origin may not open this socket.", 403);
/** A request that a session would authenticate comes from no page of this node, or in clear text over a network. */
export const FOREIGN_REQUEST = apiError(-1002, "Only pages of this exchange may use a session, over TLS.", 403);
/** The session is over, or there is none. */
export const REJECTED_SESSION = apiError(-2015, "You are not signed in, or no longer.", 401);
/** Too many connections of one address, of either kind. */
export const TOO_MANY_CONNECTIONS = apiError(
  -1003,
  "Too many open connections; please use one connection for many requests or streams.",
);
/** A guess for Retry-After: nobody knows when the address will close a connection. */
export const TOO_MANY_CONNECTIONS_RETRY_SECONDS = 60;
/** Bodies are forms (Interface 1.5): nothing else can be read as parameters. */
export const NOT_A_FORM = apiError(
  UNSUPPORTED_OPERATION.code,
  "This content type is not supported; send parameters in the query or as application/x-www-form-urlencoded.",
  415,
);

// Answers to clients over a limit. Interface 8.5, S.4.

export function limitRefusal(refusal: IpRefusal): Refused {
  if (refusal.kind === "ban") return new Refused(banned(refusal.untilMs), refusal.retryAfterSeconds);
  const { rateLimitType, limit, intervalNum, interval } = refusal.rule;
  const text = rateLimitType === "REQUEST_WEIGHT" ? tooMuchWeight : tooManyRequests;
  return new Refused(text(limit, intervalNum, interval), refusal.retryAfterSeconds);
}

export function orderLimitRefusal({ rule, retryAfterSeconds }: OrderRefusal): Refused {
  return new Refused(tooManyOrders(rule.limit, rule.intervalNum, rule.interval), retryAfterSeconds);
}
