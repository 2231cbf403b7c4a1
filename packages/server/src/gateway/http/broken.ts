/**
 * Connections whose bytes are not HTTP, stall or break off. The answer is JSON; it waits for the
 * answers to the whole requests that came before it on the same connection.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { rawResponse } from "./headers.ts";

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly code: number;
  readonly msg: string;
}

const MALFORMED: Refusal = { status: 400, reason: "Bad Request", code: -1013, msg: "Malformed HTTP request." };

/** By the code of node's error. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: {
    status: 400,
    reason: "Bad Request",
    code: -1100,
    msg: "Illegal characters found in a parameter.",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "Request Header Fields Too Large",
    code: -1013,
    msg: "Request headers are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: "Request Timeout",
    code: -1013,
    msg: "The request did not arrive in time.",
  },
};

export function refusalText(errorCode: string | undefined): string {
  const { status, reason, code, msg } = REFUSALS[errorCode ?? ""] ?? MALFORMED;
  return rawResponse(status, reason, JSON.stringify({ code, msg }));
}

interface ConnectionState {
  /** Requests that are being read or answered. */
  unanswered: number;
  /** The youngest of them: the only one that may still be arriving. */
  youngest: IncomingMessage;
  /** What ends the connection once they are. */
  lastWords: string | undefined;
}

export class BrokenConnections {
  readonly #states = new WeakMap<Socket, ConnectionState>();
  /** One listener for all responses; `this` is the response. */
  readonly #onFinish: (this: ServerResponse) => void;

  constructor() {
    const states = this.#states;
    this.#onFinish = function onFinish(this: ServerResponse) {
      const socket = this.req.socket;
      const state = states.get(socket);
      if (state === undefined) return;
      state.unanswered--;
      if (state.unanswered <= 0 && state.lastWords !== undefined) endWith(socket, state.lastWords);
    };
  }

  /** A request has begun to arrive. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const state = this.#states.get(socket);
    if (state === undefined) {
      this.#states.set(socket, { unanswered: 1, youngest: request, lastWords: undefined });
    } else {
      state.unanswered++;
      state.youngest = request;
    }
    response.on("finish", this.#onFinish);
  }

  /** For the server's `clientError`. */
  onClientError(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const words = refusalText(error.code);
    const state = this.#states.get(socket);
    // A request that broke off will not be answered; whole ones will.
    if (state !== undefined && !state.youngest.complete) state.unanswered--;
    if (state !== undefined && state.unanswered > 0) state.lastWords = words;
    else endWith(socket, words);
  }
}

/** The other side may go on sending for ever, or never close: after its answer the connection is gone. */
export function endWith(socket: Duplex, words: string): void {
  if (!socket.writable) return;
  socket.write(words, "latin1", () => (socket instanceof Socket ? socket.destroySoon() : socket.destroy()));
}
