/** Responses that a fault returns instead of the exchange's, and checks of faults that the schema cannot express. */
import { SECOND_MS } from "@pricetime/engine";
import {
  type ApiError,
  apiError,
  BAD_API_KEY_FORMAT,
  banned,
  DISCONNECTED,
  ERROR_KINDS,
  errorBody,
  type Family,
  httpStatus,
  INVALID_SIGNATURE,
  INVALID_SYMBOL,
  NO_SUCH_ORDER,
  REJECTED_API_KEY,
  rejectError,
  SERVER_BUSY,
  SHUTTING_DOWN,
  TIMEOUT,
  TIMESTAMP_TOO_OLD,
  tooManyOrders,
  tooMuchWeight,
  UNAUTHORIZED,
  UNKNOWN_ERROR,
  UNKNOWN_LISTEN_KEY,
} from "@pricetime/protocol";
import type { GatewayResponse } from "../../api/edge/request.ts";
import { type Fault, isChoosing, MAX_REPLY_HEADERS, type RequestFault } from "./fault.ts";
import { BAN_LADDER_MS } from "../../api/edge/rate-limits.ts";
import { type LimitRule, secondsToWindowEnd } from "../../api/edge/rate-limit-rules.ts";
import { Rejection } from "../../people/http/answer.ts";

type Reply = Extract<RequestFault, { fault: "reply" }>;
type Failure = Extract<RequestFault, { fault: "fail-before" | "fail-after" }>;

/** The text of each error code that is not about a limit; a representative one if the code has several. */
const TEXTS: ReadonlyMap<number, string> = new Map(
  [
    UNKNOWN_ERROR,
    DISCONNECTED,
    UNAUTHORIZED,
    TIMEOUT,
    SERVER_BUSY,
    SHUTTING_DOWN,
    TIMESTAMP_TOO_OLD,
    INVALID_SIGNATURE,
    INVALID_SYMBOL,
    UNKNOWN_LISTEN_KEY,
    rejectError("INSUFFICIENT_BALANCE", "place"),
    rejectError("UNKNOWN_ORDER", "cancel"),
    NO_SUCH_ORDER,
    BAD_API_KEY_FORMAT,
    REJECTED_API_KEY,
  ].map(({ code, msg }) => [code, msg]),
);
/** The limit that an error is about, and its text. */
const LIMITS: ReadonlyMap<number, readonly [LimitRule["rateLimitType"], typeof tooMuchWeight]> = new Map([
  [tooMuchWeight(0, 1, "").code, ["REQUEST_WEIGHT", tooMuchWeight]],
  [tooManyOrders(0, 1, "").code, ["ORDERS", tooManyOrders]],
]);
const CODES: ReadonlySet<number> = new Set(ERROR_KINDS.map(({ code }) => code));

/** Returns why the reply is invalid; null if it is valid. */
function whyNoReply({ status, code, msg, body, headers }: Reply): string | null {
  if (body !== undefined && (code ?? msg) !== undefined) return "a body of its own has neither code nor msg";
  if (body === undefined && code === undefined) return "code: is missing, or a body";
  if (body !== undefined && status === undefined) return "status: is missing";
  if (code !== undefined && msg === undefined && !TEXTS.has(code) && !LIMITS.has(code))
    return `msg: is missing: ${code} has no text here`;
  if (code !== undefined && status === undefined && !CODES.has(code)) {
    return `status: is missing: ${code} has none here`;
  }
  if (status === 204 || status === 205 || status === 304) return `status: ${status} has no body`;
  const own = Object.keys(headers).find((name) => OWN_HEADERS.has(name.toLowerCase()));
  return own === undefined ? null : `headers: ${own} is the connection's own`;
}

const OWN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** `rules` are the limits of the node, of which texts and headers speak. */
export function replyOf(reply: Reply, family: Family, nowMs: number, rules: readonly LimitRule[]): GatewayResponse {
  const { status, body } = reply;
  const { error, seconds } = errorOf(reply, nowMs, rules);
  const entries = Object.entries(reply.headers);
  if (seconds !== undefined && body === undefined) entries.push(["Retry-After", String(seconds)]);
  const isType = ([name]: readonly [string, string]): boolean => name.toLowerCase() === "content-type";
  const type = entries.find(isType)?.[1] ?? (body?.trimStart().startsWith("<") ? "text/html" : undefined);
  const others = entries.filter((entry) => !isType(entry)).flat();
  const kept = { headers: others, ...(type !== undefined && { contentType: type }) };
  if (body !== undefined) return { status: status ?? 200, body, ...kept };
  return { status: status ?? httpStatus(error, family), body: JSON.stringify(errorBody(error, family)), ...kept };
}

/** `seconds` is the value of Retry-After if the error has this header (Interface 8) and the fault does not set it. */
function errorOf(
  { code = 0, msg, status, headers }: Reply,
  nowMs: number,
  rules: readonly LimitRule[],
): { readonly error: ApiError; readonly seconds?: number } {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  const [type, text] = LIMITS.get(code) ?? [];
  const rule = rules.find(({ rateLimitType }) => rateLimitType === type);
  if (rule === undefined || text === undefined) return { error: apiError(code, msg ?? TEXTS.get(code) ?? "", status) };
  const isBan = code === BAN.code && status === BAN.status;
  const seconds = isBan ? (BAN_LADDER_MS[0] as number) / SECOND_MS : secondsToWindowEnd(rule, nowMs);
  const error = isBan
    ? banned(nowMs + Number(own ?? seconds) * SECOND_MS)
    : text(rule.limit, rule.intervalNum, rule.interval);
  const isLimited = status === undefined || status === 429 || isBan;
  return {
    error: msg === undefined && isLimited ? error : apiError(code, msg ?? error.msg, status),
    ...(own === undefined && isLimited && { seconds }),
  };
}

/** The response to a banned address. Its text contains the end of the ban. */
const BAN = banned(0);

/** Returns a 5XX response; by default one that leaves open whether the request was executed. */
export function failureOf({ status, code, msg }: Failure, family: Family): GatewayResponse {
  const error = apiError(
    code ?? TIMEOUT.code,
    msg ?? (code === undefined ? TIMEOUT.msg : (TEXTS.get(code) ?? "")),
    status ?? TIMEOUT.status,
  );
  return { status: error.status, headers: [], body: JSON.stringify(errorBody(error, family)) };
}

/** Rejects fields that exclude each other, and times in the past. Throws `Rejection` 400. */
export function checkFault(fault: Fault, nowMs: number): void {
  const why = whyNot(fault, nowMs);
  if (why !== null) throw new Rejection(400, "BAD_REQUEST", why);
}

function whyNot(fault: Fault, nowMs: number): string | null {
  if (isChoosing(fault)) {
    const { every, probability, fromMs, toMs } = fault;
    if (every !== undefined && probability !== undefined) return "probability: not together with every";
    if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) return "toMs: must be more than fromMs";
    if (toMs !== undefined && toMs <= nowMs) return `toMs: is over: the clock shows ${nowMs}`;
  } else if (fault.fromMs !== undefined && fault.after !== undefined) return "after: not together with fromMs";
  switch (fault.fault) {
    case "delay":
    case "hold":
      return whyNoWait(fault);
    case "reply":
      if (Object.keys(fault.headers).length > MAX_REPLY_HEADERS) return `headers: at most ${MAX_REPLY_HEADERS}`;
      return whyNoReply(fault);
    case "skew":
      return fault.ms === 0 ? "ms: must not be 0" : null;
    default:
      return null;
  }
}

function whyNoWait({ ms, medianMs, sigma }: Extract<Fault, { fault: "delay" | "hold" }>): string | null {
  if (ms === undefined) return medianMs === undefined ? "ms: is missing, or medianMs and sigma" : null;
  return medianMs === undefined && sigma === undefined ? null : "ms: not together with medianMs and sigma";
}
