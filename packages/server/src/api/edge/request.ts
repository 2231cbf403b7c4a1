/** Requests and responses, the same for HTTP clients and for callers inside the process. */
import type { ApiError, ReadRequest } from "@pricetime/protocol";
import type { HeaderList } from "./rate-limits.ts";
import type { Body } from "../answers/long-text.ts";
import type { Session } from "./session.ts";

/** Names are in lower case, as in node:http. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * An HTTP request. `path`, `query` (after the `?`) and `body` contain the received bytes, one character per byte
 * (latin1).
 */
export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: RequestHeaders;
  /** The client's normalized address. */
  readonly ip: string;
  /** The normalized remote address of the connection: the client or a proxy. Absent for callers inside the process. */
  readonly peer?: string;
  /** Milliseconds by which the clock that checks the timestamp is ahead. Set only in a lab. */
  readonly skewMs?: number;
}

/** A request of the WebSocket API, already parsed. */
export interface MethodRequest extends ReadRequest {
  readonly method: string;
  /** The API key of the request, or else the logged-on key. */
  readonly apiKey: string | undefined;
  readonly session: Session;
  /** Whether the connection's responses have times in microseconds. */
  readonly inMicroseconds?: boolean;
  readonly ip: string;
  /** See `GatewayRequest.skewMs`. */
  readonly skewMs?: number;
}

export interface GatewayResponse {
  readonly status: number;
  /** Headers that not every response has: X-MBX headers, Retry-After. */
  readonly headers: HeaderList;
  /** The body is JSON, unless `contentType` is set. */
  readonly body: Body;
  readonly contentType?: string;
  /**
   * Sent piece by piece instead of the body. If the iteration throws, the connection is reset. Callers inside the
   * process do not receive the stream.
   */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** Set only for pages and their files, which scripts of other sites cannot read. */
  readonly keeping?: Keeping;
}

/**
 * How a browser may cache a response: with revalidation; forever, because the content at this address never changes;
 * for some seconds, also in shared caches; or not at all.
 */
export type Keeping = "until changed" | "for good" | "for a moment" | "not at all";

/** A response to a caller inside the process. */
export type TextResponse = GatewayResponse & { readonly body: string };

/** Receives the response to a request. Called exactly once per request. */
export interface Replier {
  reply(response: GatewayResponse): void;
  /**
   * Replaces `reply` when a lab injects a fault: `spoil` sends the response. Absent if the client is inside the
   * process.
   */
  spoil?(response: GatewayResponse, spoil: Spoil): void;
}

/** Rate limits per address. The methods never throw. */
export interface AddressLimits {
  /** Counts a request against its address. Returns the rejection; null if the request is within the limits. */
  charge(ip: string, weight?: number): GatewayResponse | null;
  /** The response for a banned address; null if it is not banned. Counts nothing. */
  ban(ip: string): GatewayResponse | null;
}

/** Responds to requests that an edge rejects and counts them against their address. Never throws. */
export interface RefusalSink {
  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void;
}

/** Handles requests from the HTTP edge. Never throws. */
export interface RequestSink extends RefusalSink, AddressLimits {
  process(request: GatewayRequest, replier: Replier): void;
}

/** Handles requests from the WebSocket API. Never throws. */
export interface MethodSink extends RefusalSink {
  processMethod(request: MethodRequest, replier: Replier): void;
}

/** Handles all requests from outside the process. */
export type Entrance = RequestSink & MethodSink;

// The connection that a response is sent on, for a lab that injects faults. Not used by other responses.

/** The last call must be `done`, `end`, `reset` or `abandon`. Calls after the client has disconnected do nothing. */
export interface ResponseLine {
  /**
   * The complete body as it would be sent: compressed if the client accepts it; for a WebSocket, the text of the
   * message.
   */
  readonly body: Buffer;
  /** False if the client has disconnected. */
  readonly isOpen: boolean;
  /** Sends the status and headers. Content-Length is that of the complete body. */
  sendHead(): void;
  write(bytes: Buffer): void;
  /** Completes the response and keeps the connection open. */
  done(): void;
  /** Closes the connection (FIN) after the bytes written so far. */
  end(): void;
  /** Resets the connection (RST). */
  reset(): void;
  /** Sends nothing more and leaves the connection open. */
  abandon(): void;
}

/** Sends a response with an injected fault, at once or in parts. */
export type Spoil = (line: ResponseLine) => void;

export type Document = Omit<GatewayResponse, "headers"> & { readonly headers?: readonly string[] };
