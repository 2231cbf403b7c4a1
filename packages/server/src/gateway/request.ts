/** A request and its answer as values: the same for HTTP and for callers inside the process. */
import type { ApiError } from "@pricetime/protocol";
import type { HeaderList } from "./limits/headers.ts";

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

export interface GatewayResponse {
  readonly status: number;
  /** What this answer adds to the headers that all have: X-MBX, Retry-After. */
  readonly headers: HeaderList;
  /** JSON. */
  readonly body: string;
}

/** Who waits for the answer. Called exactly once for each request. */
export interface Replier {
  reply(response: GatewayResponse): void;
}

/** What the HTTP edge hands requests to. Neither function throws. */
export interface RequestSink {
  process(request: GatewayRequest, replier: Replier): void;
  /** A request that the edge itself refuses: counted against its address and answered. */
  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void;
}
