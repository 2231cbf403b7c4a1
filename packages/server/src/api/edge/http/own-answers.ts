/**
 * Answers of the edge itself, given without reading a request: to a connection that sends something other than HTTP,
 * and when the node is overloaded or stops.
 */
import { type ApiError, errorBody, SERVER_BUSY, SHUTTING_DOWN, TOO_MANY_QUEUED } from "@pricetime/protocol";
import type { GatewayResponse } from "../request.ts";
import type { Duplex } from "node:stream";
import { answerText } from "./headers.ts";

/** More requests are in flight than the edge accepts. */
export const OVERLOADED = later(SERVER_BUSY);
/** More requests of one address are in flight than it may have. */
export const TOO_MANY_WAIT = later(TOO_MANY_QUEUED);
/** The node has given its last answer. */
export const STOPPING = later(SHUTTING_DOWN);

function later(error: ApiError): GatewayResponse {
  return { status: error.status, headers: ["Retry-After", "1"], body: JSON.stringify(errorBody(error, "api")) };
}

// To a connection that sends something other than HTTP, stalls or breaks off: JSON, and then it is closed.

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
}

/** The error of a request in clear text where TLS is spoken: our own, as Node has none. */
export const NOT_TLS = "NOT_TLS";

const MALFORMED: Refusal = { status: 400, code: -1013, msg: "Malformed HTTP request." };

/** Refusals by Node's error code. */
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

/** Closes the connection after the answer: the client might go on sending for ever, or never close. */
export function endWith(socket: Ending, words: string): void {
  if (!socket.writable) return;
  socket.write(words, "latin1", () => (socket.destroySoon === undefined ? socket.destroy() : socket.destroySoon()));
}

/** A socket or its substitute. */
type Ending = Duplex & { readonly destroySoon?: () => void };
