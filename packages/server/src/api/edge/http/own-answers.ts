/**
 * Responses that the edge sends without reading a request: to bytes that are not HTTP, and when the node is overloaded
 * or shutting down.
 */
import { apiError, type ApiError, errorBody, SERVER_BUSY, SHUTTING_DOWN, TOO_MANY_QUEUED } from "@pricetime/protocol";
import type { GatewayResponse } from "../request.ts";
import type { Duplex } from "node:stream";
import { answerText } from "./headers.ts";

/** More requests are in flight than the edge accepts. */
export const OVERLOADED = errorAnswer(SERVER_BUSY, 1);
/** One address has more requests in flight than allowed. */
export const TOO_MANY_WAIT = errorAnswer(TOO_MANY_QUEUED, 1);
/** The node no longer accepts requests. */
export const STOPPING = errorAnswer(SHUTTING_DOWN, 1);

/** The response for an error outside any endpoint. If `retryAfterSeconds` is 0, it has no Retry-After header. */
export function errorAnswer(error: ApiError, retryAfterSeconds = 0): GatewayResponse {
  const headers = retryAfterSeconds === 0 ? [] : ["Retry-After", String(retryAfterSeconds)];
  return { status: error.status, headers, body: JSON.stringify(errorBody(error, "api")) };
}

// Rejections of connections that send invalid HTTP or stall. The connection is closed afterwards.

/** The error code for a plaintext request on a TLS port. Node does not define one. */
export const NOT_TLS = "NOT_TLS";

const MALFORMED = apiError(-1013, "Malformed HTTP request.");

/** Rejections by Node's error code. */
const REFUSALS: Readonly<Record<string, ApiError>> = {
  HPE_INVALID_URL: apiError(-1100, "Illegal characters found in a parameter."),
  HPE_HEADER_OVERFLOW: apiError(-1013, "Request headers are too large.", 431),
  [NOT_TLS]: apiError(-1013, "This port speaks TLS: ask it by https or wss."),
  ERR_HTTP_REQUEST_TIMEOUT: apiError(-1013, "The request did not arrive in time.", 408),
};

export function refusalText(errorCode: string | undefined): string {
  return answerText(errorAnswer(REFUSALS[errorCode ?? ""] ?? MALFORMED));
}

/** Sends the response and closes the connection, because the client might send forever or never close it. */
export function endWith(socket: Ending, words: string): void {
  if (!socket.writable) return;
  socket.write(words, "latin1", () => (socket.destroySoon === undefined ? socket.destroy() : socket.destroySoon()));
}

/** A socket, or a stream that replaces one. */
type Ending = Duplex & { readonly destroySoon?: () => void };
