/** One HTTP request and the answer to it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptsGzip, ALWAYS_SENT, ownHeaders } from "./headers.ts";
import type { HeaderList } from "../limits/headers.ts";
import type { HttpLimits } from "./limits.ts";
import type { GatewayResponse, Replier } from "../request.ts";

/** What an exchange asks of the edge that made it. */
export interface ExchangeOwner {
  readonly limits: HttpLimits;
  /** Names of the headers that scripts of other origins may read. */
  readonly exposedHeaders: string;
  readonly isStopping: boolean;
  /** Compresses it, unless too much is being compressed already: then, and when it cannot be, undefined comes back. */
  compress(body: string, done: (packed: Buffer | undefined) => void): void;
  /** `ip`: whose it was, as it was taken. */
  exchangeDone(ip: string): void;
}

export class Exchange implements Replier {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly #owner: ExchangeOwner;
  /** Whom the request comes from. */
  readonly #ip: string;
  /** The connection ends with this answer. */
  closes = false;

  constructor(owner: ExchangeOwner, ip: string, request: IncomingMessage, response: ServerResponse) {
    this.#owner = owner;
    this.#ip = ip;
    this.request = request;
    this.response = response;
  }

  reply(answer: GatewayResponse): void {
    const headers = [...ALWAYS_SENT, ...ownHeaders(this.request.headers, answer, this.#owner.exposedHeaders)];
    if (this.closes || this.#owner.isStopping) headers.push("Connection", "close");
    if (
      answer.body.length < this.#owner.limits.gzipFromBytes ||
      !acceptsGzip(this.request.headers["accept-encoding"])
    ) {
      // Behind what this turn has to tell streams: they hear of an order no later than the one who placed it.
      queueMicrotask(() => this.#send(answer.status, headers, answer.body));
      return;
    }
    this.#owner.compress(answer.body, (packed) => {
      if (packed === undefined) this.#send(answer.status, headers, answer.body);
      else this.#send(answer.status, [...headers, "Content-Encoding", "gzip", "Vary", "Accept-Encoding"], packed);
    });
  }

  /** An answer without a body, and with these headers alone. */
  endWith(status: number, headers: HeaderList): void {
    this.response.writeHead(status, headers);
    this.response.end();
    this.#owner.exchangeDone(this.#ip);
  }

  #send(status: number, headers: HeaderList, body: string | Buffer): void {
    headers.push("Content-Length", String(Buffer.byteLength(body)));
    this.response.writeHead(status, headers);
    this.response.end(body);
    this.#owner.exchangeDone(this.#ip);
  }
}
