/** One HTTP request and the answer to it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HeaderList } from "../limits/headers.ts";
import { encodeBody, NOT_MODIFIED } from "./encoding.ts";
import type { EncodedBody, Encoding } from "./encoding.ts";
import { ALWAYS_SENT, ownHeaders, SENT_WITH_PAGES } from "./headers.ts";
import type { HttpLimits } from "./limits.ts";
import type { GatewayResponse, Replier } from "../request.ts";
import type { TellingOrder } from "../telling-order.ts";

/** The interface of the edge for its exchanges. */
export interface ExchangeOwner {
  readonly limits: HttpLimits;
  readonly encoding: Encoding;
  /** Names of the headers that scripts of other origins may read. */
  readonly exposedHeaders: string;
  readonly isStopping: boolean;
  readonly telling: TellingOrder;
  /** `ip` is the address for which it was counted. */
  exchangeDone(ip: string): void;
}

export class Exchange implements Replier {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly #owner: ExchangeOwner;
  /** The address of the client. */
  readonly #ip: string;
  /** Whether the connection ends with this answer. */
  closes = false;

  constructor(owner: ExchangeOwner, ip: string, request: IncomingMessage, response: ServerResponse) {
    this.#owner = owner;
    this.#ip = ip;
    this.request = request;
    this.response = response;
  }

  reply(answer: GatewayResponse): void {
    const encoded = encodeBody(answer, this.request.headers, this.#owner.encoding);
    const send = (body: EncodedBody): void => this.#owner.telling.answer(() => this.#send(answer, body));
    if ("status" in encoded) send(encoded);
    else void encoded.then(send);
  }

  /** An answer without a body and with only these headers. */
  endWith(status: number, headers: HeaderList): void {
    this.response.writeHead(status, headers);
    this.response.end();
    this.#owner.exchangeDone(this.#ip);
  }

  #send(answer: GatewayResponse, encoded: EncodedBody): void {
    const own = ownHeaders(this.request.headers, answer, this.#owner.exposedHeaders);
    const { keeping } = answer;
    const always = keeping === undefined ? ALWAYS_SENT : SENT_WITH_PAGES[keeping];
    const headers = [...always, ...own, ...encoded.headers];
    if (this.closes || this.#owner.isStopping) headers.push("Connection", "close");
    if (encoded.status !== NOT_MODIFIED) headers.push("Content-Length", String(encoded.bodyBytes));
    this.response.writeHead(encoded.status, headers);
    if (typeof encoded.body !== "string") for (const part of encoded.body) this.response.write(part);
    this.response.end(typeof encoded.body === "string" ? encoded.body : undefined);
    this.#owner.exchangeDone(this.#ip);
  }
}
