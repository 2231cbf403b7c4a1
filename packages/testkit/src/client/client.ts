/** A simple client as a user would write it: it signs requests and maintains an order book from a depth stream. */
import { createHmac, type KeyObject, sign as signWith } from "node:crypto";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { ORDER_NUMBERS } from "@pricetime/engine";
import assert from "node:assert/strict";

// Request signing. Tests have their own implementation of it, so that they can verify the node's.

export type Parameters = Readonly<Record<string, string | number>>;

/** An API key with the secret key that signs a client's requests. */
export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Encodes parameters as in a query or a form. */
export function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Returns the HMAC SHA256 in hexadecimal digits. */
export function sign(secretKey: string | Uint8Array, payload: string | Uint8Array): string {
  return createHmac("sha256", secretKey).update(payload).digest("hex");
}

/** Returns the encoded parameters, followed by their signature. */
export function encodeSigned(parameters: Parameters, secretKey: string): string {
  const payload = encode(parameters);
  return `${payload}&signature=${sign(secretKey, payload)}`;
}

/** An HMAC or Ed25519 key. */
export interface SigningKey {
  readonly apiKey: string;
  readonly sign: (payload: string) => string;
}

export function hmacKey({ apiKey, secretKey }: Credentials): SigningKey {
  return { apiKey, sign: (payload) => sign(secretKey, payload) };
}

export function ed25519Key(apiKey: string, privateKey: KeyObject): SigningKey {
  return { apiKey, sign: (payload) => signWith(null, Buffer.from(payload), privateKey).toString("base64") };
}

/** Parameter values of a WebSocket API call. */
export type Params = Readonly<Record<string, unknown>>;

/** Returns the signed text of a WebSocket API call: parameters sorted by name, with unencoded values. */
export function payloadOf(params: Params): string {
  const names = Object.keys(params).sort();
  return names.map((name) => `${name}=${textOf(params[name])}`).join("&");
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: T;
}

export interface Sent {
  readonly query?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 60_000;
const FORM = "application/x-www-form-urlencoded";

export class Client {
  readonly #base: URL;
  readonly #account: Credentials | undefined;
  readonly #agent: Agent;

  constructor(rest: string, account?: Credentials, connections = 8) {
    this.#base = new URL(rest);
    this.#account = account;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends the request as it is. */
  send<T>(method: string, path: string, { query, body, headers }: Sent = {}): Promise<Answer<T>> {
    const { hostname, port } = this.#base;
    const target = query === undefined || query === "" ? path : `${path}?${query}`;
    return new Promise((done, failed) => {
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: target,
          agent: this.#agent,
          headers: {
            ...(body === undefined ? {} : { "content-type": FORM, "content-length": Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (incoming) => void read<T>(incoming).then(done, failed),
      );
      // `on` instead of `once`, because a failing connection may emit an error for the write and another for the read,
      // and the second would be unhandled.
      outgoing.on("error", failed);
      outgoing.end(body);
    });
  }

  /** Sends the request without a key or signature. */
  public<T>(path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.send("GET", path, { query: encode(parameters) });
  }

  /** Sends the request with a key but without a signature, and with all parameters in the query. */
  keyed<T>(method: string, path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.send(method, path, { query: encode(parameters), headers: this.#key() });
  }

  /** Sends the request with key, timestamp and signature: in the query for GET and DELETE, otherwise in the body. */
  signed<T>(method: string, path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.#sign<T>(method, path, parameters, {});
  }

  #sign<T>(
    method: string,
    path: string,
    parameters: Parameters,
    more: Readonly<Record<string, string>>,
  ): Promise<Answer<T>> {
    const timed = { ...parameters, timestamp: parameters.timestamp ?? Date.now() };
    const all = encodeSigned(timed, this.#account?.secretKey ?? "");
    const inQuery = method === "GET" || method === "DELETE";
    return this.send(method, path, {
      ...(inQuery ? { query: all } : { body: all }),
      headers: { ...this.#key(), ...more },
    });
  }

  /** Like `signed`, but on a node of a cluster that must have applied entry `seq`. */
  after<T>(seq: number, method: string, path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.#sign<T>(method, path, parameters, { "X-PRICETIME-SEQ": String(seq) });
  }

  /**
   * Sends a signed GET. Repeats it while the node answers that it is busy, because history may lag on a slow machine.
   */
  async patient<T>(path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.signed<T>("GET", path, parameters);
      if (answer.status !== 503 || performance.now() > endMs) return answer;
      await sleep(100);
    }
  }

  #key(): Record<string, string> {
    return this.#account === undefined ? {} : { "X-MBX-APIKEY": this.#account.apiKey };
  }
}

async function read<T>(incoming: IncomingMessage): Promise<Answer<T>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const text = (incoming.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString();
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) as T };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// An order book that is maintained from a depth stream by the published rules (Interface 10.4). Any violation of the
// rules fails the test.

export type WireLevel = readonly [price: string, quantity: string];

export interface DepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly WireLevel[];
  readonly a: readonly WireLevel[];
}

export interface DepthSnapshot {
  readonly lastUpdateId: number;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

const NOTHING = "0.00000000";

export class LocalBook {
  #snapshotId: number | undefined;
  #lastEvent: DepthEvent | undefined;
  readonly #waiting: DepthEvent[] = [];
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();

  /** The update id of the book; -1 before the first snapshot. */
  get updateId(): number {
    return Math.max(this.#snapshotId ?? -1, this.#snapshotId === undefined ? -1 : (this.#lastEvent?.u ?? -1));
  }

  /** Whether events are buffered until a snapshot arrives. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Starts from a snapshot that was requested after the stream was opened. Returns false if the snapshot is older than
   * the stream, so that another one is needed.
   */
  start(snapshot: DepthSnapshot): boolean {
    const [first] = this.#waiting;
    if (first !== undefined && snapshot.lastUpdateId < first.U - 1) return false;
    this.#snapshotId = snapshot.lastUpdateId;
    put(this.#bids, snapshot.bids);
    put(this.#asks, snapshot.asks);
    for (const event of this.#waiting.splice(0)) this.apply(event);
    return true;
  }

  apply(event: DepthEvent): void {
    assert.ok(event.U <= event.u, "an event spans at least one update");
    if (this.#snapshotId === undefined) {
      this.#waiting.push(event);
      return;
    }
    if (event.u <= this.#snapshotId) return;
    if (this.#lastEvent === undefined) {
      assert.ok(event.U <= this.#snapshotId + 1, `the first event begins at ${event.U}, after ${this.#snapshotId} + 1`);
    } else {
      assert.equal(event.U, this.#lastEvent.u + 1, "each event begins where the one before it ended");
    }
    this.#lastEvent = event;
    put(this.#bids, event.b);
    put(this.#asks, event.a);
  }

  bids(): WireLevel[] {
    return [...this.#bids].sort(([one], [other]) => Number(other) - Number(one));
  }
  asks(): WireLevel[] {
    return [...this.#asks].sort(([one], [other]) => Number(one) - Number(other));
  }
}

function put(side: Map<string, string>, levels: readonly WireLevel[]): void {
  for (const [price, quantity] of levels) {
    if (quantity === NOTHING) side.delete(price);
    else side.set(price, quantity);
  }
}

// Ids inside the exchange in what clients, operators and files get, where only numbers within a symbol may be.

/** Tests place fewer orders on a symbol, and other large numbers, such as times, hardly ever look like an id of them. */
const MOST_ORDERS = 10_000;
/** Composed ids have 12 to 16 digits. In a CSV file, text may follow without a space. */
const LONG_NUMBER = /(?<![0-9A-Za-z.])[0-9]{12,16}(?![0-9A-Za-z.])/g;

/** Throws if the text contains the composed id of an order. `where` is named by the error. */
export function assertNoComposedId(text: string, where: string): void {
  for (const [number] of text.matchAll(LONG_NUMBER)) {
    const rest = Number(number) % ORDER_NUMBERS;
    assert.ok(
      rest === 0 || rest >= MOST_ORDERS,
      `${where} shows the id ${number} of order ${rest}: ${text.slice(0, 500)}`,
    );
  }
}
