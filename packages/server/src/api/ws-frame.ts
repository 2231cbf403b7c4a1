/** Frames of the WebSocket API: parses requests and formats responses. Interface 11. */
import type { HeaderList } from "./edge/rate-limits.ts";
import { headerName, type LimitRule } from "./edge/rate-limit-rules.ts";
import type { TextResponse } from "./edge/request.ts";
import {
  type ApiError,
  INVALID_JSON,
  INVALID_REQUEST_ID,
  INVALID_REQUEST_METHOD,
  INVALID_REQUEST_PARAMS,
  MAX_PARAMETERS,
  TOO_MANY_PARAMETERS,
} from "@pricetime/protocol";
import { BODY_TOO_LARGE } from "./edge/refusals.ts";

// The use of each rate limit, read from the headers that an HTTP response would have.

export class RateLimits {
  /** The JSON of an element before its count, by header. */
  readonly #starts: ReadonlyMap<string, string>;

  constructor(rules: readonly LimitRule[]) {
    this.#starts = new Map(rules.flatMap((rule) => startOf(rule)));
  }

  /** The use of each limit in the headers as a JSON array. */
  json(headers: HeaderList): string {
    const elements: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      const start = this.#starts.get(headers[i] as string);
      if (start !== undefined) elements.push(`${start}${headers[i + 1]}}`);
    }
    return `[${elements.join(",")}]`;
  }
}

function startOf(rule: LimitRule): [header: string, start: string][] {
  const { rateLimitType, interval, intervalNum, limit } = rule;
  const header = headerName(rule);
  if (header === undefined) return [];
  const start =
    `{"rateLimitType":"${rateLimitType}","interval":"${interval}",` +
    `"intervalNum":${intervalNum},"limit":${limit},"count":`;
  return [[header, start]];
}

// Converts responses of the gateway to frames.

/** `id` and `rateLimits` are JSON. If `rateLimits` is "", the frame omits it. */
export function answerFrame(id: string, response: TextResponse, rateLimits: string, nowMs: number): string {
  const { status, body } = response;
  const outcome = status === 200 ? `"result":${body}` : `"error":${withRetry(response, nowMs)}`;
  return `{"id":${id},"status":${status},${outcome}${frameEnd(rateLimits)}`;
}

/** The texts of the frame before and after a long result. */
export function aroundResult(id: string, rateLimits: string): [before: string, behind: string] {
  return [`{"id":${id},"status":200,"result":`, frameEnd(rateLimits)];
}

function frameEnd(rateLimits: string): string {
  return rateLimits === "" ? "}" : `,"rateLimits":${rateLimits}}`;
}

/**
 * Adds `retryAfter`, the time of the next attempt in milliseconds of the server's clock, to rejections by a rate limit.
 */
function withRetry({ status, body, headers }: TextResponse, nowMs: number): string {
  const seconds = retryAfterSeconds(headers);
  if ((status !== 429 && status !== 418) || seconds === 0) return body;
  const fields = `"serverTime":${nowMs},"retryAfter":${nowMs + seconds * 1000}}}`;
  // The error of a cancelReplace already has `data`, with the results of its two parts.
  return body.endsWith("}}") ? `${body.slice(0, -2)},${fields}` : `${body.slice(0, -1)},"data":{${fields}`;
}

function retryAfterSeconds(headers: HeaderList): number {
  const at = headers.indexOf("Retry-After");
  return at === -1 ? 0 : Number(headers[at + 1]);
}

// Parses requests. Numbers keep the digits that were sent, because clients sign them and expect them back in that form.

export interface Frame {
  /** The id as JSON, which the response repeats. */
  readonly id: string;
  readonly method: string;
  /** All parameters except `apiKey` and `returnRateLimits`. */
  readonly values: ReadonlyMap<string, string>;
  readonly apiKey: string | undefined;
  /** Undefined if it was not sent. */
  readonly returnRateLimits: boolean | undefined;
  /** All parameters except `signature`, sorted by name, as `k=v` joined by `&`: UTF-8, one character per byte. */
  readonly payload: string;
  /** The same text including parameters that are null, as `k=null`; undefined if none is null. Some clients sign it. */
  readonly payloadWithNulls: string | undefined;
}

export interface BadFrame {
  readonly id: string;
  readonly error: ApiError;
}

/** A number with its original digits. */
class WrittenNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): number {
    return Number(this.digits);
  }
}

type Fields = Readonly<Record<string, unknown>>;
/** The callback of `JSON.parse`, which also receives the source text of primitive values. */
type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_, value, { source = "" }) =>
  typeof value === "number" ? new WrittenNumber(source) : value;

const REQUEST_ID = /^[a-zA-Z0-9-_]{1,36}$/;
const INTEGER = /^-?[0-9]{1,19}$/;

/**
 * Maximum number of characters in a frame. It equals the limit for the body of a REST request, because every value in a
 * frame has a cost.
 */
export const MAX_FRAME_LENGTH = 16 * 1024;

export function readFrame(text: string): Frame | BadFrame {
  if (text.length > MAX_FRAME_LENGTH) return { id: "null", error: BODY_TOO_LARGE };
  let frame: unknown;
  try {
    frame = JSON.parse(text, keepDigits as (this: unknown, key: string, value: unknown) => unknown);
  } catch {
    // The text is not JSON, or is nested too deeply.
    return { id: "null", error: INVALID_JSON };
  }
  if (!isObject(frame)) return { id: "null", error: INVALID_JSON };
  const id = idOf(frame["id"]);
  if (id === null) return { id: "null", error: INVALID_REQUEST_ID };
  const { method, params } = frame as { method?: unknown; params?: unknown };
  if (typeof method !== "string") return { id, error: INVALID_REQUEST_METHOD };
  const sent = params ?? {};
  if (!isObject(sent)) return { id, error: INVALID_REQUEST_PARAMS };
  return requestOf(id, method, sent);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);
}

function idOf(id: unknown): string | null {
  if (id === null) return "null";
  if (id instanceof WrittenNumber) return INTEGER.test(id.digits) ? id.digits : null;
  return typeof id === "string" && REQUEST_ID.test(id) ? `"${id}"` : null;
}

function requestOf(id: string, method: string, params: Fields): Frame | BadFrame {
  const names = Object.keys(params);
  if (names.length > MAX_PARAMETERS) return { id, error: TOO_MANY_PARAMETERS };
  // A parameter that is null counts as not sent, because serializers write null for omitted values.
  const sent = names.filter((name) => params[name] !== null);
  const values = new Map(sent.map((name) => [name, textOf(params[name])]));
  const payload = payloadOf(sent, values);
  const payloadWithNulls = sent.length < names.length ? payloadOf(names, values) : undefined;
  const apiKey = values.get("apiKey");
  values.delete("apiKey");
  const returnRateLimits = values.get("returnRateLimits");
  values.delete("returnRateLimits");
  return {
    id,
    method,
    values,
    apiKey,
    returnRateLimits: returnRateLimits === undefined ? undefined : returnRateLimits !== "false",
    payload,
    payloadWithNulls,
  };
}

/** Returns strings unchanged, and everything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof WrittenNumber ? value.digits : JSON.stringify(value);
}

function payloadOf(names: readonly string[], values: ReadonlyMap<string, string>): string {
  const signed = names.filter((name) => name !== "signature").sort();
  const text = signed.map((name) => `${name}=${values.get(name) ?? "null"}`).join("&");
  return Buffer.from(text, "utf8").toString("latin1");
}
