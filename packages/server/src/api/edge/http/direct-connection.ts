/**
 * A connection whose requests have been ordinary so far. They are read and answered directly on the socket, one at a
 * time, at half the cost of `node:http`. A body may arrive in several chunks. At the first request that is not
 * ordinary, or if the client sends more before it has its response, the connection and its unread bytes are permanently
 * handed over to `node:http`. Both apply the same limits.
 */
import { STATUS_CODES } from "node:http";
import type { HeaderList } from "../rate-limits.ts";
import {
  drainedOrClosed,
  encodeBody,
  type EncodedBody,
  discardStream,
  NOT_MODIFIED,
  FaultyResponse,
  writeStream,
} from "./answer-body.ts";
import { ALWAYS_SENT, CONTENT_TYPE, exposedHeaders, SENT_WITH_PAGES } from "./headers.ts";
import type { GatewayResponse, Keeping, Replier, Spoil } from "../request.ts";
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { endWith } from "./own-answers.ts";
import { socketIp } from "../client-address.ts";
import type { ExchangeOwner } from "./exchange.ts";
import type { HttpLimits } from "../limits.ts";
import { Pieces } from "./read-request.ts";
import type { Clock, Timers } from "../../../platform/world/port.ts";
import type { OrdinaryRequest, OrdinaryRequests } from "./ordinary-request.ts";

// The head of a response as a single string, identical to the one from `node:http`.

/** The variable parts of the head. */
interface AnswerHead {
  readonly status: number;
  readonly contentType: string | undefined;
  /**
   * Lists of alternating names and values, besides the constant headers. We generate them, so they contain no line
   * ends.
   */
  readonly headers: readonly HeaderList[];
  /** Undefined if the length is unknown; the body is then sent in chunks. */
  readonly bodyBytes: number | undefined;
  readonly nowMs: number;
  /** The idle timeout announced to the client; 0 if the connection closes after this response. */
  readonly keepAliveMs: number;
  /** Undefined if the response is not a page. */
  readonly keeping: Keeping | undefined;
}

/** The complete head, up to the body. */
function headText(head: AnswerHead): string {
  const { status, bodyBytes } = head;
  let text = beginning(head);
  for (const headers of head.headers) text += linesOf(headers);
  if (bodyBytes === undefined) text += "Transfer-Encoding: chunked\r\n";
  else if (status !== NOT_MODIFIED) text += `Content-Length: ${bodyBytes}\r\n`;
  return text + ending(head);
}

function linesOf(headers: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** Cached beginning of the head of a JSON response, up to the Content-Type, by status. */
const beginnings = new Map<number, string>();

function beginning({ status, contentType, keeping }: AnswerHead): string {
  const isUsual = contentType === undefined && keeping === undefined;
  const known = isUsual ? beginnings.get(status) : undefined;
  if (known !== undefined) return known;
  const always = keeping === undefined ? ALWAYS_SENT : SENT_WITH_PAGES[keeping];
  const lines = linesOf([...always, "Content-Type", contentType ?? CONTENT_TYPE]);
  const text = inOnePiece(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}`);
  if (isUsual) beginnings.set(status, text);
  return text;
}

let ended = { second: 0, keepAliveMs: 0, text: "" };

/** The Date and Connection headers. Formatted once per second, as in Node. */
function ending({ nowMs, keepAliveMs }: AnswerHead): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== ended.second || keepAliveMs !== ended.keepAliveMs) {
    const connection =
      keepAliveMs === 0 ? "close" : `keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`;
    const text = inOnePiece(`Date: ${new Date(nowMs).toUTCString()}\r\nConnection: ${connection}\r\n\r\n`);
    ended = { second, keepAliveMs, text };
  }
  return ended.text;
}

/**
 * Flattens the text. V8 represents concatenated text as a tree and would copy it part by part for each response, at
 * twice the cost.
 */
function inOnePiece(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** The edge as seen by its connections. */
export interface DirectOwner extends ExchangeOwner {
  readonly world: Clock & Timers;
  readonly limits: HttpLimits;
  readonly requests: OrdinaryRequests;
  /** Handles the request. `peer` is the remote address of the connection. Returns the client's address. */
  serve(request: OrdinaryRequest, peer: string, replier: Replier): string;
  /** Reports that the client has unread bytes. */
  unread(socket: Socket, ip: string): void;
  /** The response to a request that did not arrive completely. */
  rejectionText(errorCode: string, peer: string): string;
  /** Permanently hands the socket over to `node:http`. */
  handOver(connection: DirectConnection, socket: Socket): void;
  closed(connection: DirectConnection): void;
}

/** Used between requests, so that an idle connection does not retain its last request. */
const NONE: OrdinaryRequest = { method: "", url: "", headers: {}, body: "" };
const NO_ANSWER: GatewayResponse = { status: 0, headers: [], body: "" };
const NOT_ENCODED: EncodedBody = { status: 0, headers: [], body: "", bodyBytes: 0 };

/** A request whose head has arrived, but not all of its body. */
interface PartialRequest {
  readonly pieces: Pieces;
  missingBytes: number;
  /** Number of calls of `check` since the head arrived. */
  checks: number;
}

export class DirectConnection implements Replier {
  readonly #owner: DirectOwner;
  readonly #socket: Socket;
  readonly #peer: string;
  /** The client address of the last request. */
  #ip = "";
  #request = NONE;
  #answer = NO_ANSWER;
  #encoded = NOT_ENCODED;
  #partial: PartialRequest | undefined;
  #hasRequested = false;
  #isAnswering = false;
  /** Whether more bytes arrived before the response was sent. */
  #isHolding = false;
  /** Whether the client has closed its side. */
  #hasEnded = false;

  constructor(owner: DirectOwner, socket: Socket) {
    this.#owner = owner;
    this.#socket = socket;
    this.#peer = socketIp(socket.remoteAddress);
    socket.setTimeout(owner.limits.headersTimeoutMs);
    socket.on("data", this.#onData).on("end", this.#onEnd).on("timeout", this.#onTimeout);
    socket.on("error", this.#onError).on("close", this.#onClose);
  }

  get isIdle(): boolean {
    return !this.#isAnswering && !this.#isHolding && this.#partial === undefined;
  }

  /** Called every `timeoutCheckMs`. Rejects a request that takes too long to arrive. */
  check(): void {
    const { timeoutCheckMs, requestTimeoutMs } = this.#owner.limits;
    if (this.#partial !== undefined && ++this.#partial.checks * timeoutCheckMs > requestTimeoutMs) {
      this.#giveUp("ERR_HTTP_REQUEST_TIMEOUT");
    }
  }

  destroy(): void {
    this.#socket.destroy();
  }

  reply(answer: GatewayResponse): void {
    this.#answer = answer;
    if (answer.stream !== undefined) {
      const { stream } = answer;
      this.#owner.sendQueue.answer(() => void this.#stream(answer.status, stream));
      return;
    }
    const encoded = encodeBody(answer, this.#request.headers, this.#owner.encoding);
    if ("status" in encoded) {
      this.#encoded = encoded;
      this.#owner.sendQueue.answer(this.#sendEncoded);
    } else {
      void encoded.then((packed) => this.#owner.sendQueue.answer(() => this.#send(packed)));
    }
  }

  readonly #sendEncoded = (): void => this.#send(this.#encoded);

  spoil(answer: GatewayResponse, spoil: Spoil): void {
    discardStream(answer.stream);
    this.#answer = answer;
    const owner = this.#owner;
    const socket = this.#socket;
    const send = (encoded: EncodedBody): void => {
      const ends = {
        isOpen: () => socket.writable,
        sendHead: () => this.#write(this.#headOf(encoded)),
        write: (bytes: Buffer) => this.#write(bytes),
        finish: () => this.#answered(),
        giveUp: () => owner.exchangeDone(this.#ip),
        destroySoon: () => socket.destroySoon(),
        resetAndDestroy: () => socket.resetAndDestroy(),
      };
      owner.sendQueue.answer(() => spoil(new FaultyResponse(encoded, ends)));
    };
    const encoded = encodeBody(answer, this.#request.headers, owner.encoding);
    if ("status" in encoded) send(encoded);
    else void encoded.then(send);
  }

  /** Sends a streamed response in chunks. Never rejects. */
  #stream(status: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const socket = this.#socket;
    this.#write(this.#headOf({ status, headers: [], bodyBytes: undefined }));
    return writeStream(pieces, {
      isOpen: () => socket.writable,
      write: (bytes) => {
        socket.cork();
        socket.write(`${bytes.length.toString(16)}\r\n`);
        socket.write(bytes);
        const isRead = socket.write("\r\n");
        socket.uncork();
        if (socket.writableLength > 0) this.#owner.unread(socket, this.#ip);
        return isRead;
      },
      drained: () => drainedOrClosed(socket),
      finish: () => {
        this.#write("0\r\n\r\n");
        this.#answered();
      },
      breakOff: () => {
        this.#owner.exchangeDone(this.#ip);
        socket.resetAndDestroy();
      },
    });
  }

  #write(bytes: string | Buffer): void {
    if (this.#socket.writable) this.#socket.write(bytes, "latin1");
  }

  #send(encoded: EncodedBody): void {
    const socket = this.#socket;
    if (socket.writable) {
      const head = this.#headOf(encoded);
      const { body, bodyBytes } = encoded;
      // ASCII text has as many bytes as characters, so it is sent with the head in one write.
      if (body.length === bodyBytes && typeof body === "string") socket.write(head + body, "latin1");
      else {
        socket.cork();
        socket.write(head, "latin1");
        for (const part of typeof body === "string" ? [body] : body) socket.write(part);
        socket.uncork();
      }
    }
    this.#answered();
  }

  #headOf({
    status,
    headers,
    bodyBytes,
  }: Pick<AnswerHead, "status" | "bodyBytes"> & Pick<EncodedBody, "headers">): string {
    const owner = this.#owner;
    const answer = this.#answer;
    return headText({
      status,
      contentType: answer.contentType,
      headers: [answer.headers, exposedHeaders(this.#request.headers, owner.exposedHeaders), headers],
      bodyBytes,
      nowMs: owner.world.nowMs(),
      keeping: answer.keeping,
      keepAliveMs: owner.isStopping ? 0 : owner.limits.keepAliveTimeoutMs,
    });
  }

  /** Called when the response has been written, or discarded because the client has disconnected. */
  #answered(): void {
    const owner = this.#owner;
    const socket = this.#socket;
    this.#isAnswering = false;
    this.#request = NONE;
    this.#answer = NO_ANSWER;
    this.#encoded = NOT_ENCODED;
    owner.exchangeDone(this.#ip);
    if (socket.writableLength > 0) owner.unread(socket, this.#ip);
    if (owner.isStopping || this.#hasEnded) socket.destroySoon();
    // Other connections get their turn first.
    else if (this.#isHolding) owner.world.soon(this.#goOn);
  }

  /** Hands the connection over when the client has read its response. */
  readonly #goOn = (): void => {
    const socket = this.#socket;
    // Node would wait forever on a destroyed socket.
    if (socket.destroyed) return;
    if (socket.writableNeedDrain) socket.once("drain", this.#goOn);
    else this.#leave();
  };

  readonly #onData = (chunk: Buffer): void => {
    const isWaiting = this.#isAnswering || this.#isHolding;
    if (isWaiting || this.#socket.writableNeedDrain) {
      this.#isHolding = true;
      this.#socket.pause();
      this.#socket.unshift(chunk);
      if (!isWaiting) this.#goOn();
      return;
    }
    if (this.#partial !== undefined) {
      this.#addTo(this.#partial, chunk);
      return;
    }
    const isOrdinary = chunk.length <= this.#owner.limits.maxHeaderBytes;
    const request = isOrdinary ? this.#owner.requests.read(chunk.toString("latin1")) : null;
    if (request === null) {
      this.#leave(chunk);
      return;
    }
    if (!this.#hasRequested) this.#socket.setTimeout(this.#owner.limits.keepAliveTimeoutMs);
    this.#hasRequested = true;
    if (typeof request === "number") this.#begin(chunk, request);
    else this.#serve(request);
  };

  #begin(chunk: Buffer, missingBytes: number): void {
    const pieces = new Pieces();
    pieces.add(chunk);
    this.#partial = { pieces, missingBytes, checks: 0 };
  }

  #addTo(partial: PartialRequest, chunk: Buffer): void {
    partial.pieces.add(chunk);
    partial.missingBytes -= chunk.length;
    if (partial.missingBytes > 0) return;
    this.#partial = undefined;
    const bytes = partial.pieces.whole();
    if (partial.missingBytes < 0) {
      this.#leave(bytes);
      return;
    }
    // Parse the collected chunks as if they had arrived as one.
    const request = this.#owner.requests.read(bytes.toString("latin1"));
    assert(request !== null && typeof request !== "number", "the head parsed differently the second time");
    this.#serve(request);
  }

  #serve(request: OrdinaryRequest): void {
    this.#request = request;
    this.#isAnswering = true;
    this.#ip = this.#owner.serve(request, this.#peer, this);
  }

  /** Hands the socket over to `node:http`. `chunk` was already read from it and is put back. */
  #leave(chunk?: Buffer): void {
    const socket = this.#socket;
    socket.off("data", this.#onData).off("end", this.#onEnd).off("timeout", this.#onTimeout);
    socket.off("error", this.#onError).off("close", this.#onClose);
    if (chunk !== undefined) socket.unshift(chunk);
    this.#owner.handOver(this, socket);
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#partial !== undefined) this.#giveUp("HPE_INVALID_EOF_STATE");
    else if (!this.#isAnswering) this.#socket.end();
  };

  /** On timeout, a client that has not sent a request gets a response; any other idle connection is just closed. */
  readonly #onTimeout = (): void => {
    if (!this.#hasRequested) this.#giveUp("ERR_HTTP_REQUEST_TIMEOUT");
    else this.#socket.destroy();
  };

  /** Rejects the request and ignores all later bytes. */
  #giveUp(errorCode: string): void {
    this.#partial = undefined;
    this.#socket.off("data", this.#onData);
    endWith(this.#socket, this.#owner.rejectionText(errorCode, this.#peer));
  }

  /** Ignored, because the `close` event follows. */
  readonly #onError = (): void => {};

  readonly #onClose = (): void => this.#owner.closed(this);
}
