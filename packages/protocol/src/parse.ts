/**
 * Parses the received bytes of a request into its parameters. Rejections come in the order of Interface 7.7: every
 * -1100 first, then -1101, -1102 and -1105, and last the values that are readable but not allowed. `unread` is reported
 * later, after key, timing and signature.
 *
 * Two rules are more lenient than those of the original interface. Parameters that an open endpoint does not have are
 * ignored (clients add `timestamp`, `signature` and `_` everywhere), so that -1101 'Too many parameters' is sent only
 * for more than `MAX_PARAMETERS`. And a `+` is a space in the query as it is in a body.
 */
import {
  type ApiError,
  BAD_COMBINATION,
  BAD_RECV_WINDOW,
  DUPLICATE_VALUES,
  eitherMandatory,
  emptyParameter,
  ILLEGAL_CHARACTERS,
  mandatory,
  pendingTag,
  TIMESTAMP_AHEAD,
  TIMESTAMP_TOO_OLD,
  TOO_MANY_PARAMETERS,
  unreadParameters,
} from "./errors.ts";
import { MAX_PARAMETERS, type Scan, scanPart, withoutEscapes, withoutSignature } from "./scan.ts";
import { checksOf, type EndpointChecks, type ParameterCheck, timeOf } from "./check-parameter.ts";
import type { Endpoint } from "./endpoint.ts";

export const DEFAULT_RECV_WINDOW_MS = 5000;
/** The largest `recvWindow`, inclusive: Interface 5.6. */
export const MAX_RECV_WINDOW_MS = 60_000;
/** A timestamp must be less than this many milliseconds ahead of the server's clock. */
export const MAX_AHEAD_MS = 1000;

/** Returns null if `nowMs` is within the time window of the request. */
export function checkTiming(timestampMs: number, recvWindowMs: number, nowMs: number): ApiError | null {
  if (recvWindowMs > MAX_RECV_WINDOW_MS) return BAD_RECV_WINDOW;
  if (timestampMs >= nowMs + MAX_AHEAD_MS) return TIMESTAMP_AHEAD;
  if (nowMs - timestampMs > recvWindowMs) return TIMESTAMP_TOO_OLD;
  return null;
}

export interface ParsedRequest {
  /** Known and unknown parameters by name, percent-decoded; query before body. Repeated values are joined by commas. */
  readonly values: ReadonlyMap<string, string>;
  /** 0 for endpoints that are not signed. */
  readonly timestampMs: number;
  /** With up to three decimals. Default: 5000. Always 5000 for endpoints that are not signed. */
  readonly recvWindowMs: number;
  /** Hex, as sent; "" for endpoints that are not signed. */
  readonly signature: string;
  /** The signed text: query then body as received (latin1), each without its signature. Interface 5.5. */
  readonly payload: string;
  /**
   * The parts that `payload` joins, if they are percent-encoded. Empty for the WebSocket API, which does not encode.
   */
  readonly encodedParts: readonly string[];
  /** Another text that a client of the WebSocket API may have signed: `payload` including parameters that are null. */
  readonly payloadWithNulls?: string;
  /** The -1104 error, which is reported only after key, timing and signature. */
  readonly unread: ApiError | null;
}

/**
 * The alternative text that a client may have signed: `payload` without its escapes, or including its nulls. Undefined
 * if there is none, or if that text would parse as other parameters.
 */
export function otherPayload({ payload, payloadWithNulls, encodedParts }: ParsedRequest): string | undefined {
  if (payloadWithNulls !== undefined) return payloadWithNulls;
  if (encodedParts.length === 0 || !/[%+]/.test(payload)) return undefined;
  const parts = encodedParts.map(withoutEscapes);
  return parts.includes(null) ? undefined : parts.join("");
}

type Values = ReadonlyMap<string, string>;
type Sent = Pick<Scan, "count" | "hasDuplicates" | "broken">;

/**
 * `query` (without its `?`) and `body` hold the received bytes, one character per byte. The body of a GET is ignored:
 * its parameters are in the query (Interface 1.4). Never throws.
 */
export function parseRequest(endpoint: Endpoint, query: string, body: string): ParsedRequest | ApiError {
  const checks = checksOf(endpoint);
  const form = endpoint.method === "GET" ? "" : body;
  const inQuery = scanPart(query, checks.mayRepeat);
  const inBody = form === "" ? null : scanPart(form, checks.mayRepeat);
  const values = merge(inQuery, inBody);
  const read = checkAll(endpoint, checks, values, inQuery, inBody);
  if (typeof read !== "number") return read;
  if (!checks.isSigned) return openRequest(values);
  const encodedParts = [withoutSignature(query, inQuery)];
  if (inBody !== null) encodedParts.push(withoutSignature(form, inBody));
  return signedRequest(endpoint, values, { payload: encodedParts.join(""), encodedParts }, read);
}

type SignedText = Pick<ParsedRequest, "payload" | "encodedParts">;

function signedRequest(
  endpoint: Endpoint,
  values: Values,
  { payload, encodedParts }: SignedText,
  read: number,
): ParsedRequest {
  return {
    values,
    timestampMs: timeOf(values, "timestamp") ?? 0,
    recvWindowMs: Number(values.get("recvWindow") ?? DEFAULT_RECV_WINDOW_MS),
    signature: values.get("signature") ?? "",
    payload,
    encodedParts,
    unread: read === values.size ? null : (refused(endpoint, values) ?? unreadParameters(read, values.size)),
  };
}

function refused({ refuses = [] }: Endpoint, values: Values): ApiError | undefined {
  const name = refuses.find((each) => values.has(each));
  return name === undefined ? undefined : pendingTag(name);
}

/** A request of the WebSocket API, whose values are already parsed. */
export interface ReadRequest {
  readonly values: Values;
  /** The signed bytes, one character per byte. */
  readonly payload: string;
  /**
   * An alternative text that a client may have signed: includes parameters that are null, which otherwise count as not
   * sent.
   */
  readonly payloadWithNulls?: string | undefined;
  /** Whether the connection is logged on, so that the request has no signature. */
  readonly isLoggedOn: boolean;
}

/** Like `parseRequest`, for values that are already parsed. */
export function parseValues(
  endpoint: Endpoint,
  { values, payload, payloadWithNulls, isLoggedOn }: ReadRequest,
): ParsedRequest | ApiError {
  const checks = checksOf(endpoint, isLoggedOn);
  const scan = { count: values.size, hasDuplicates: false, broken: null };
  const read = checkAll(endpoint, checks, values, scan, null);
  if (typeof read !== "number") return read;
  if (!checks.isSigned) return openRequest(values);
  const parsed = signedRequest(endpoint, values, { payload, encodedParts: [] }, read);
  return payloadWithNulls === undefined ? parsed : { ...parsed, payloadWithNulls };
}

/**
 * Request weight for the parameters as sent, valid or not, because the weight is charged before the parameters are
 * checked.
 */
export function weightOf(endpoint: Endpoint, query: string, body: string): number {
  const { weight, method } = endpoint;
  if (typeof weight === "number") return weight;
  const { mayRepeat } = checksOf(endpoint);
  const inBody = method === "GET" ? null : scanPart(body, mayRepeat);
  return weight(merge(scanPart(query, mayRepeat), inBody));
}

export function weightOfValues({ weight }: Endpoint, values: Values): number {
  return typeof weight === "number" ? weight : weight(values);
}

function openRequest(values: Values): ParsedRequest {
  return {
    values,
    timestampMs: 0,
    recvWindowMs: DEFAULT_RECV_WINDOW_MS,
    signature: "",
    payload: "",
    encodedParts: [],
    unread: null,
  };
}

/** A parameter in the query takes precedence over the same one in the body. */
function merge(inQuery: Scan, inBody: Scan | null): Values {
  if (inBody === null) return inQuery.values;
  if (inQuery.count === 0) return inBody.values;
  const values = new Map(inQuery.values);
  for (const [name, value] of inBody.values) {
    if (!values.has(name)) values.set(name, value);
  }
  return values;
}

/** Returns the number of known parameters, or the first error. */
function checkAll(
  endpoint: Endpoint,
  checks: EndpointChecks,
  values: Values,
  inQuery: Sent,
  inBody: Sent | null,
): number | ApiError {
  const broken = inQuery.broken ?? inBody?.broken ?? null;
  if (broken !== null) return checks.byName.get(broken)?.illegal ?? ILLEGAL_CHARACTERS;
  if (inQuery.count + (inBody?.count ?? 0) > MAX_PARAMETERS) return TOO_MANY_PARAMETERS;
  const first = checkEach(checks.parameters, values);
  if (first.illegal !== null) return first.illegal;
  if (inQuery.hasDuplicates || inBody?.hasDuplicates === true) return DUPLICATE_VALUES;
  if (first.missing !== null) return mandatory(first.missing.name);
  if (endpoint.either !== undefined && !isEitherSent(values, endpoint.either)) {
    return eitherMandatory(endpoint.either[0], endpoint.either[1]);
  }
  if (first.empty !== null) return emptyParameter(first.empty.name);
  if (first.wrong !== null) return first.wrong;
  return isExclusive(values, endpoint.exclusive) ? first.read : BAD_COMBINATION;
}

/** The first error of each kind, in the order in which the endpoint table lists the parameters. */
interface FirstFaults {
  read: number;
  illegal: ApiError | null;
  missing: ParameterCheck | null;
  empty: ParameterCheck | null;
  wrong: ApiError | null;
}

function checkEach(parameters: readonly ParameterCheck[], values: Values): FirstFaults {
  const first: FirstFaults = { read: 0, illegal: null, missing: null, empty: null, wrong: null };
  for (const check of parameters) {
    const value = values.get(check.name);
    if (value !== undefined) first.read++;
    if (value === undefined || value === "") {
      if (check.required && !isReplaced(check, values)) first.missing ??= check;
      else if (value === "" && !check.conditional) first.empty ??= check;
    } else if (check.test !== null && !check.test(value)) {
      first.illegal ??= check.illegal;
    } else if (check.wrongValue !== null) {
      first.wrong ??= check.wrongValue(value);
    }
  }
  return first;
}

function isReplaced({ name, replacedBy }: ParameterCheck, values: Values): boolean {
  return replacedBy !== undefined && !values.has(name) && values.has(replacedBy);
}

function isEitherSent(values: Values, names: readonly string[]): boolean {
  return names.some((name) => (values.get(name) ?? "") !== "");
}

function isExclusive(values: Values, pairs: Endpoint["exclusive"]): boolean {
  return pairs === undefined || !pairs.some(([one, other]) => values.has(one) && values.has(other));
}
