/**
 * Responses that the edge sends without reading a request: to bytes that are not HTTP, and while the node is overloaded
 * or shutting down.
 */
import { type ApiError, errorBody, SERVER_BUSY, SHUTTING_DOWN, TOO_MANY_QUEUED } from "@pricetime/protocol";
import type { GatewayResponse } from "../request.ts";
import type { Duplex } from "node:stream";
import { answerText } from "./headers.ts";

/** More requests are in flight than the edge accepts. */
export const OVERLOADED = later(SERVER_BUSY);
/** One address has more requests in flight than allowed. */
export const TOO_MANY_WAIT = later(TOO_MANY_QUEUED);
/** The node no longer accepts requests. */
export const STOPPING = later(SHUTTING_DOWN);

function later(error: ApiError): GatewayResponse {
  return { status: error.status, headers: ["Retry-After", "1"], body: JSON.stringify(errorBody(error, "api")) };
}

// Rejections of connections that send invalid HTTP or stall. The connection is closed afterwards.

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
}

/** The error code of a plain text request on a TLS port. Node has none for it. */
export const NOT_TLS = "NOT_TLS";

const MALFORMED: Refusal = { status: 400, code: -1013, msg: "Malformed HTTP request." };

/** Rejections by Node's error code. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: {
    status: 400,
    code: -1100,
    msg: "Illegal characters found in a parameter.",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: -1013,
    msg: "Request headers are too large.",
  },
  [NOT_TLS]: {
    status: 400,
    code: -1013,
    msg: "This port speaks TLS: ask it by https or wss.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: -1013,
    msg: "The request did not arrive in time.",
  },
};

export function refusalText(errorCode: string | undefined): string {
  const { status, code, msg } = REFUSALS[errorCode ?? ""] ?? MALFORMED;
  return answerText({ status, headers: [], body: JSON.stringify({ code, msg }) });
}

/** Closes the connection after the response, because the client might send forever or never close it. */
export function endWith(socket: Ending, words: string): void {
  if (!socket.writable) return;
  socket.write(words, "latin1", () => (socket.destroySoon === undefined ? socket.destroy() : socket.destroySoon()));
}

/** A socket or its substitute. */
type Ending = Duplex & { readonly destroySoon?: () => void };
