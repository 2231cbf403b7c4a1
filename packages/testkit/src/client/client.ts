/** A small signing client on `node:http`, keep-alive, that returns everything it received. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type Credentials, encode, encodeSigned, type Parameters } from "./signing.ts";

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
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

  /** Sends exactly what is given. */
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
      // `on`, not `once`: a dying connection may fail the write and then the read, and the second would be unhandled.
      outgoing.on("error", failed);
      outgoing.end(body);
    });
  }

  /** Sends without key or signature. */
  public<T>(path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.send("GET", path, { query: encode(parameters) });
  }

  /** Sends with the key alone, everything in the query. */
  keyed<T>(method: string, path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.send(method, path, { query: encode(parameters), headers: this.#key() });
  }

  /** Sends with key, timestamp and signature: in the query for GET and DELETE, else in the body. */
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

  /** As `signed`, at a node of a cluster that must have applied entry `seq`. */
  after<T>(seq: number, method: string, path: string, parameters: Parameters = {}): Promise<Answer<T>> {
    return this.#sign<T>(method, path, parameters, { "X-PRICETIME-SEQ": String(seq) });
  }

  /** Sends a signed GET, again while the node says that it is busy: history may be behind on a slow machine. */
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
