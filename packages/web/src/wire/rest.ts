/**
 * Requests to the node. Each resolves to a value or rejects with `Refused`. Failed requests are not repeated
 * automatically.
 */
import type { Refusal } from "../account/port.ts";
import { WIRE } from "../words/words.ts";
import { type ReadonlySignal, signal } from "@preact/signals";
import { pageHeaders } from "./session.ts";
import { type Query, queryText, type World } from "./world.ts";

// The error of a failed request.

interface RefusedParts {
  readonly code: number | null;
  readonly isUnknown: boolean;
  /** The HTTP status; absent if the node did not respond. */
  readonly status?: number;
  /** The wait that the node requested in `Retry-After`. */
  readonly retryAfterMs?: number;
  /** Additional data of the error, for example the results of both halves of a cancelReplace. */
  readonly data?: unknown;
}

export class Refused extends Error implements Refusal {
  readonly code: number | null;
  readonly isUnknown: boolean;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly data: unknown;

  constructor(message: string, known: RefusedParts) {
    super(message);
    this.name = "Refused";
    this.code = known.code;
    this.isUnknown = known.isUnknown;
    this.status = known.status ?? null;
    this.retryAfterMs = known.retryAfterMs ?? null;
    this.data = known.data;
  }
}

/** Converts any thrown value to an error that can be shown. */
export function refusalOf(thrown: unknown): Refused {
  if (thrown instanceof Refused) return thrown;
  return new Refused(WIRE.fault(thrown instanceof Error ? thrown.message : String(thrown)), {
    code: null,
    isUnknown: true,
  });
}

// The offset between the node's clock and this machine's clock.

interface Sample {
  readonly offsetMs: number;
  /** The part of the offset that the round trip cannot explain. */
  readonly certainOffsetMs: number;
  readonly tripMs: number;
}

/** Number of samples to keep. The one with the shortest round trip is used. */
const SAMPLES_KEPT = 5;
/**
 * Maximum time that a timestamp may be ahead of the node's clock: the node rejects timestamps that are a second ahead.
 * Timestamps behind the node's clock are valid for their receive window (Interface 5.6).
 */
const MOST_AHEAD_MS = 500;
/** If the offset has changed by more than this, older samples are dropped. */
const LEAP_MS = 1000;

export class Clock {
  readonly #offsetMs = signal<number | null>(null);
  /** The node's clock minus this machine's clock; null until it is known. */
  readonly offsetMs: ReadonlySignal<number | null> = this.#offsetMs;
  readonly #certainOffsetMs = signal(0);
  /** The least difference of the clocks that fits the times of the request; 0 if they may be the same. */
  readonly certainOffsetMs: ReadonlySignal<number> = this.#certainOffsetMs;
  #samples: Sample[] = [];

  /** Adds a sample: the node's time `serverMs`, reported between these two times of this machine's clock. */
  note(serverMs: number, sentMs: number, receivedMs: number): void {
    const tripMs = receivedMs - sentMs;
    if (tripMs < 0) return;
    // The node read its clock about half a round trip ago. The correction is limited because long round trips are
    // inexact.
    const offsetMs = serverMs - receivedMs + Math.min(Math.round(tripMs / 2), MOST_AHEAD_MS);
    const certainOffsetMs = Math.max(serverMs - receivedMs, 0) + Math.min(serverMs - sentMs, 0);
    const sample = { offsetMs, certainOffsetMs, tripMs };
    const isNear = ({ offsetMs }: Sample): boolean => Math.abs(offsetMs - sample.offsetMs) <= LEAP_MS + tripMs;
    this.#samples = [...this.#samples.filter(isNear), sample].slice(-SAMPLES_KEPT);
    const best = this.#samples.reduce((one, other) => (other.tripMs < one.tripMs ? other : one));
    this.#offsetMs.value = best.offsetMs;
    this.#certainOffsetMs.value = best.certainOffsetMs;
  }

  /** Drops all samples, after the node has rejected a timestamp. */
  forget(): void {
    this.#samples = [];
  }
}

// Signs requests with HMAC-SHA-256 (Interface 5.5).

export interface SigningKey {
  readonly kind: "key";
  readonly apiKey: string;
  /** Returns the signature of the text as a hexadecimal string. */
  sign(text: string): Promise<string>;
}

/** The session of a customer, whose cookie the browser sends. */
export interface SessionAccess {
  readonly kind: "session";
  readonly sessionId: string;
}

/** The credentials of requests for an account. */
export type Access = SigningKey | SessionAccess;

const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * Imports the secret as a key that scripts cannot export. Rejects with `Refused` if the browser does not support
 * signing: it does so only on `https` pages and on localhost.
 */
export async function signingKey(apiKey: string, secretKey: string): Promise<SigningKey> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) throw new Refused(WIRE.noSigning, { code: null, isUnknown: false });
  if (secretKey === "") throw new Refused(WIRE.noSecret, { code: null, isUnknown: false });
  const bytes = new TextEncoder();
  const key = await subtle.importKey("raw", bytes.encode(secretKey), HMAC, false, ["sign"]);
  return {
    kind: "key",
    apiKey,
    sign: async (text) => hexadecimal(new Uint8Array(await subtle.sign(HMAC.name, key, bytes.encode(text)))),
  };
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Converts an HTTP response to its value or to a refusal (Interface 7.2, 7.4).

/** The account API sends `error` and `message`, the exchange API `code` and `msg`. */
interface ErrorAnswer {
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

const SECOND = 1000;
/**
 * The status of a request that the node did not execute and that can be sent again. After any other 5XX, the request
 * may have been executed.
 */
const NOT_TAKEN = 503;

/** Returns the value of a response. Rejects with `Refused` if it is an error or not JSON. */
async function readAnswer<Value>(response: Response): Promise<Value> {
  const { status, ok } = response;
  let value: unknown;
  try {
    value = JSON.parse(await response.text());
  } catch {
    // The response is incomplete, or comes from a proxy in front of the node.
    const isUnknown = status < 400 || (status >= 500 && status !== NOT_TAKEN);
    throw new Refused(WIRE.noJson(status), { code: null, isUnknown, status, ...waitOf(response) });
  }
  if (ok) return value as Value;
  const {
    code,
    message,
    msg = message,
    data,
  } = (typeof value === "object" && value !== null ? value : {}) as ErrorAnswer;
  throw new Refused(typeof msg === "string" ? msg : WIRE.noJson(status), {
    code: typeof code === "number" ? code : null,
    isUnknown: status >= 500 && status !== NOT_TAKEN,
    status,
    data,
    ...waitOf(response),
  });
}

function waitOf(response: Response): { readonly retryAfterMs?: number } {
  const seconds = Number(response.headers.get("retry-after") ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * SECOND } : {};
}

// The client of the exchange API.

type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Sent {
  readonly method: Method;
  readonly path: string;
  /** The parameters, encoded. POST and PUT send them in the body. */
  readonly text?: string;
  /** The body as JSON, instead of parameters. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const KEY_HEADER = "X-MBX-APIKEY";
const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** After this time without a response, the outcome of a request counts as unknown. */
const ANSWER_WITHIN_MS = 10_000;
/** The node does not execute an account's requests that arrive later than this (Interface 5.6). */
export const RECV_WINDOW_MS = 5000;
const TOO_MANY_REQUESTS = -1003;
export const WRONG_TIME = -1021;
/** The wait if the node does not send `Retry-After`: the time window of its rate limits. */
const BLOCKED_MS = 60_000;

export class Rest {
  readonly clock = new Clock();
  /** The node's URL without a trailing slash; "" for the page's own origin. */
  readonly base: string;
  readonly #world: World;
  readonly #blockedUntilMs = signal<number | null>(null);
  /** Until when the node rejects all requests from this IP address, by this machine's clock; null if it does not. */
  readonly blockedUntilMs: ReadonlySignal<number | null> = this.#blockedUntilMs;
  #facts: Promise<unknown> | null = null;

  constructor(base: string, world: World) {
    this.base = base;
    this.#world = world;
  }

  get<Value>(path: string, parameters: Query = {}): Promise<Value> {
    return this.#send<Value>({ method: "GET", path, text: queryText(parameters) });
  }

  /** Makes the frame that calls a method of the WebSocket API for the account of the key (Interface 11). */
  async signedMethod(method: string, key: SigningKey): Promise<string> {
    if (this.clock.offsetMs.value === null) await this.readClock().catch(() => {});
    const timestamp = this.#world.nowMs() + (this.clock.offsetMs.value ?? 0);
    // Signed in the order of their names.
    const params = { apiKey: key.apiKey, recvWindow: RECV_WINDOW_MS, timestamp };
    return JSON.stringify({ id: "1", method, params: { ...params, signature: await key.sign(queryText(params)) } });
  }

  /**
   * Sends a request for an account: signed with its API key, or with its session. The node carries it out within the
   * receive window or never. If it rejects the timestamp, the request is sent once more with a corrected one.
   */
  async authorized<Value>(method: Method, path: string, access: Access, parameters: Query = {}): Promise<Value> {
    if (this.clock.offsetMs.value === null) await this.readClock().catch(() => {});
    try {
      return await this.#sendTimed<Value>(method, path, access, parameters);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== WRONG_TIME) throw error;
      this.clock.forget();
      await this.readClock();
      return this.#sendTimed<Value>(method, path, access, parameters);
    }
  }

  /** Calls the account API; `path` is relative to `/account/v1/`. `sessionId`: null if none is known. */
  account<Value>(method: Method, path: string, sessionId: string | null, body?: object): Promise<Value> {
    return this.#send<Value>({
      ...{ method, path: `/account/v1/${path}`, headers: pageHeaders(sessionId) },
      ...(body !== undefined && { json: JSON.stringify(body) }),
    });
  }

  /** Fetches data that the node sends only to its own pages. Concurrent callers share one request. */
  terminalFacts<Facts>(): Promise<Facts> {
    this.#facts ??= this.get("/terminal.json").finally(() => {
      this.#facts = null;
    });
    return this.#facts as Promise<Facts>;
  }

  async readClock(): Promise<void> {
    const sentMs = this.#world.nowMs();
    const { serverTime } = await this.get<{ readonly serverTime: number }>("/api/v3/time");
    this.clock.note(serverTime, sentMs, this.#world.nowMs());
  }

  async #sendTimed<Value>(method: Method, path: string, access: Access, parameters: Query): Promise<Value> {
    const timestamp = this.#world.nowMs() + (this.clock.offsetMs.value ?? 0);
    const text = queryText({ ...parameters, recvWindow: RECV_WINDOW_MS, timestamp });
    if (access.kind === "session")
      return this.#send<Value>({ method, path, text, headers: pageHeaders(access.sessionId) });
    const headers = { [KEY_HEADER]: access.apiKey };
    return this.#send<Value>({ method, path, text: `${text}&signature=${await access.sign(text)}`, headers });
  }

  async #send<Value>({ method, path, text = "", json, headers = {} }: Sent): Promise<Value> {
    this.#refuseWhileBlocked();
    const isForm = json === undefined && text !== "" && (method === "POST" || method === "PUT");
    const type = isForm ? FORM_TYPE : json === undefined ? null : JSON_TYPE;
    const late = new AbortController();
    const stop = this.#world.after(ANSWER_WITHIN_MS, () => late.abort());
    const address = this.base + path + (isForm || text === "" ? "" : `?${text}`);
    try {
      const response = await this.#world
        .fetch(address, {
          method,
          headers: { ...headers, ...(type !== null && { "Content-Type": type }) },
          body: json ?? (isForm ? text : null),
          cache: "no-store",
          credentials: "same-origin",
          redirect: "error",
          signal: late.signal,
        })
        .catch((cause: unknown) => {
          throw new Refused(late.signal.aborted ? WIRE.late : WIRE.unreachable, {
            code: null,
            isUnknown: true,
            data: cause,
          });
        });
      return await readAnswer<Value>(response);
    } catch (error) {
      if (error instanceof Refused && error.code === TOO_MANY_REQUESTS) this.#block(error);
      throw error;
    } finally {
      stop();
    }
  }

  #refuseWhileBlocked(): void {
    const untilMs = this.#blockedUntilMs.value;
    const leftMs = (untilMs ?? 0) - this.#world.nowMs();
    if (leftMs <= 0) return;
    throw new Refused(WIRE.blocked(Math.ceil(leftMs / 1000)), {
      ...{ code: TOO_MANY_REQUESTS, isUnknown: false, retryAfterMs: leftMs },
    });
  }

  #block({ status, retryAfterMs }: Refused): void {
    if (status !== 429 && status !== 418) return;
    const waitMs = retryAfterMs ?? BLOCKED_MS;
    const untilMs = this.#world.nowMs() + waitMs;
    if (untilMs <= (this.#blockedUntilMs.value ?? 0)) return;
    this.#blockedUntilMs.value = untilMs;
    this.#world.after(waitMs, () => {
      if (this.#blockedUntilMs.value === untilMs) this.#blockedUntilMs.value = null;
    });
  }
}
