/** One HTTP request and its response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HeaderList } from "../rate-limits.ts";
import {
  drainedOrClosed,
  encodeBody,
  type EncodedBody,
  type Encoding,
  discardStream,
  NOT_MODIFIED,
  FaultyResponse,
  writeStream,
} from "./answer-body.ts";
import { ALWAYS_SENT, ownHeaders, SENT_WITH_PAGES } from "./headers.ts";
import type { HttpLimits } from "../limits.ts";
import type { GatewayResponse, Replier, Spoil } from "../request.ts";
import type { SendQueue } from "../send-queue.ts";
import type { PacedSocket } from "../../../platform/transport/http.ts";

/** The edge as seen by its exchanges. */
export interface ExchangeOwner {
  readonly limits: HttpLimits;
  readonly encoding: Encoding;
  /** Response headers that scripts of other origins may read. */
  readonly exposedHeaders: string;
  readonly isStopping: boolean;
  readonly sendQueue: SendQueue;
  /** `ip` is the address against which the request was counted. */
  exchangeDone(ip: string): void;
}

/** If `bodyBytes` is undefined, the length is unknown, and `node:http` sends chunks. */
type Encoded = Pick<EncodedBody, "status" | "headers"> & { readonly bodyBytes: number | undefined };

export class Exchange implements Replier {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly #owner: ExchangeOwner;
  /** The client's address. */
  readonly #ip: string;
  /** Whether the connection closes after this response. */
  closes = false;

  constructor(owner: ExchangeOwner, ip: string, request: IncomingMessage, response: ServerResponse) {
    this.#owner = owner;
    this.#ip = ip;
    this.request = request;
    this.response = response;
  }

  reply(answer: GatewayResponse): void {
    const { stream } = answer;
    if (stream !== undefined) {
      this.#owner.sendQueue.answer(() => void this.#stream(answer, stream));
      return;
    }
    const encoded = encodeBody(answer, this.request.headers, this.#owner.encoding);
    const send = (body: EncodedBody): void => this.#owner.sendQueue.answer(() => this.#send(answer, body));
    if ("status" in encoded) send(encoded);
    else void encoded.then(send);
  }

  /** Sends a response without a body and with only these headers. */
  endWith(status: number, headers: HeaderList): void {
    this.response.writeHead(status, headers);
    this.response.end();
    this.#owner.exchangeDone(this.#ip);
  }

  spoil(answer: GatewayResponse, spoil: Spoil): void {
    discardStream(answer.stream);
    const owner = this.#owner;
    const { response } = this;
    const paced = this.request.socket as unknown as PacedSocket;
    const send = (encoded: EncodedBody): void => {
      const ends = {
        isOpen: () => paced.writable,
        sendHead: () => {
          this.#writeHead(answer, encoded);
          response.flushHeaders();
        },
        write: (bytes: Buffer) => void response.write(bytes),
        finish: () => {
          response.end();
          owner.exchangeDone(this.#ip);
        },
        giveUp: () => owner.exchangeDone(this.#ip),
        destroySoon: () => paced.destroySoon(),
        resetAndDestroy: () => paced.raw.resetAndDestroy(),
      };
      owner.sendQueue.answer(() => spoil(new FaultyResponse(encoded, ends)));
    };
    const encoded = encodeBody(answer, this.request.headers, owner.encoding);
    if ("status" in encoded) send(encoded);
    else void encoded.then(send);
  }

  /** Sends a streamed response. Never rejects. */
  #stream(answer: GatewayResponse, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const { response } = this;
    const paced = this.request.socket as unknown as PacedSocket;
    this.#writeHead(answer, { status: answer.status, headers: [], bodyBytes: undefined });
    return writeStream(pieces, {
      // A HEAD request is answered with the head only.
      isOpen: () => paced.writable && this.request.method !== "HEAD",
      write: (bytes) => response.write(bytes),
      drained: () => drainedOrClosed(response),
      finish: () => {
        response.end();
        this.#owner.exchangeDone(this.#ip);
      },
      breakOff: () => {
        this.#owner.exchangeDone(this.#ip);
        paced.raw.resetAndDestroy();
      },
    });
  }

  #send(answer: GatewayResponse, encoded: EncodedBody): void {
    this.#writeHead(answer, encoded);
    if (typeof encoded.body !== "string") for (const part of encoded.body) this.response.write(part);
    this.response.end(typeof encoded.body === "string" ? encoded.body : undefined);
    this.#owner.exchangeDone(this.#ip);
  }

  #writeHead(answer: GatewayResponse, encoded: Encoded): void {
    const own = ownHeaders(this.request.headers, answer, this.#owner.exposedHeaders);
    const { keeping } = answer;
    const always = keeping === undefined ? ALWAYS_SENT : SENT_WITH_PAGES[keeping];
    const headers = [...always, ...own, ...encoded.headers];
    if (this.closes || this.#owner.isStopping) headers.push("Connection", "close");
    const { status, bodyBytes } = encoded;
    if (status !== NOT_MODIFIED && bodyBytes !== undefined) headers.push("Content-Length", String(bodyBytes));
    this.response.writeHead(encoded.status, headers);
  }
}
