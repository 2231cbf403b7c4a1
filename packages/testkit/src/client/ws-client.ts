/** A client of the WebSocket API based on `ws`. It signs requests and stores everything that it receives. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { type Params, payloadOf, type SigningKey } from "./client.ts";

export interface RateLimit {
  readonly rateLimitType: string;
  readonly interval: string;
  readonly intervalNum: number;
  readonly limit: number;
  readonly count: number;
}

export interface Answer<T = Record<string, unknown>> {
  readonly id: unknown;
  readonly status: number;
  readonly result: T;
  readonly error: { readonly code: number; readonly msg: string; readonly data?: unknown };
  readonly rateLimits: readonly RateLimit[];
}

export interface UserEvent {
  readonly subscriptionId: number;
  readonly event: Readonly<Record<string, unknown>> & { readonly e: string };
}

export class ApiClient {
  readonly socket: WebSocket;
  readonly events: UserEvent[] = [];
  readonly #waiting = new Map<unknown, (answer: Answer<never>) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    // Waiting for 'open' rejects with the first error. A later error, after the node has stopped, can be ignored.
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as UserEvent | Answer<never>;
      if ("event" in message) this.events.push(message);
      else this.#settle(message);
    });
  }

  static async open(ws: string, query = ""): Promise<ApiClient> {
    const socket = new WebSocket(`${ws}/ws-api/v3${query}`);
    const client = new ApiClient(socket);
    await once(socket, "open");
    return client;
  }

  #settle(answer: Answer<never>): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  /** Sends a frame unchanged and returns the answer with this id. */
  raw<T = Record<string, unknown>>(frame: string | Buffer, id: unknown): Promise<Answer<T>> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.socket.send(frame, { binary: typeof frame !== "string" });
    });
  }

  call<T = Record<string, unknown>>(method: string, params: Params = {}): Promise<Answer<T>> {
    const id = ++this.#lastId;
    return this.raw(JSON.stringify({ id, method, params }), id);
  }

  signed<T = Record<string, unknown>>(
    method: string,
    { apiKey, sign: signer }: SigningKey,
    params: Params = {},
  ): Promise<Answer<T>> {
    const all: Params = { timestamp: Date.now(), apiKey, ...params };
    return this.call(method, { ...all, signature: signer(payloadOf(all)) });
  }

  close(): Promise<unknown> {
    const closed = once(this.socket, "close");
    this.socket.close();
    return closed;
  }
}
