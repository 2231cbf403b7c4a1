/** A request and its answer as values: the same for HTTP and for callers inside the process. */
import type { ApiError, ReadRequest } from "@pricetime/protocol";
import type { HeaderList } from "./limits/headers.ts";
import type { Body } from "../answers/long-text.ts";
import type { Session } from "./session.ts";

/** Names in lower case, as node:http gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** `path`, `query` (after the `?`) and `body` hold the received bytes, one character a byte (latin1). */
export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: RequestHeaders;
  /** The client's address, normalised. */
  readonly ip: string;
}

/** A request of the WebSocket API, read already. */
export interface MethodRequest extends ReadRequest {
  readonly method: string;
  /** As sent, or that of the key that is logged on. */
  readonly apiKey: string | undefined;
  readonly session: Session;
  readonly ip: string;
}

export interface GatewayResponse {
  readonly status: number;
  /** What this answer adds to the headers that all have: X-MBX, Retry-After. */
  readonly headers: HeaderList;
  /** JSON, but for what has a content type of its own. */
  readonly body: Body;
  readonly contentType?: string;
  /** A page or a file of one: kept by browsers, which ask whether it has changed, and not read by scripts of other sites. */
  readonly isPage?: true;
}

/** For who reads it inside the process. */
export type TextResponse = GatewayResponse & { readonly body: string };

/** Who waits for the answer. Called exactly once for each request. */
export interface Replier {
  reply(response: GatewayResponse): void;
}

/** Who counts the requests of addresses. Never throws. */
export interface AddressLimits {
  /** Counts a request against its address; null, or what it is answered because of that. */
  charge(ip: string): GatewayResponse | null;
  /** What an address is answered that is banned; null when it is not. Nothing is counted. */
  ban(ip: string): GatewayResponse | null;
}

/** Who takes requests that an edge itself refuses: counted against their address and answered. Never throws. */
export interface RefusalSink {
  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void;
}

/** What the HTTP edge hands requests to. Never throws. */
export interface RequestSink extends RefusalSink, AddressLimits {
  process(request: GatewayRequest, replier: Replier): void;
}

/** What the WebSocket API hands requests to. Never throws. */
export interface MethodSink extends RefusalSink {
  processMethod(request: MethodRequest, replier: Replier): void;
}
