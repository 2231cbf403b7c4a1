/** A request and its answer as values, the same for HTTP and for callers inside the process. */
import { type ApiError, INVALID_TIME_UNIT, type ReadRequest } from "@pricetime/protocol";
import type { HeaderList } from "./rate-limits.ts";
import type { Body } from "../answers/long-text.ts";
import type { Session } from "./session.ts";
import { Refused } from "./refusals.ts";

/** Names are in lower case, as in node:http. */
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
  /** The other end of the connection, normalised: the client, or a proxy. Absent: a caller inside the process. */
  readonly peer?: string;
  /** How far the clock is ahead by which its time is judged; absent: it is right. Of a lab alone. */
  readonly skewMs?: number;
}

/** A request of the WebSocket API, already parsed. */
export interface MethodRequest extends ReadRequest {
  readonly method: string;
  /** The key in the request, or else the one that is logged on. */
  readonly apiKey: string | undefined;
  readonly session: Session;
  readonly ip: string;
  /** As in `GatewayRequest`. */
  readonly skewMs?: number;
}

export interface GatewayResponse {
  readonly status: number;
  /** Headers of this answer besides those of every answer: X-MBX, Retry-After. */
  readonly headers: HeaderList;
  /** JSON, unless the answer has a content type of its own. */
  readonly body: Body;
  readonly contentType?: string;
  /** Sent in place of the body, piece by piece; when it throws, the connection is broken off. Callers inside the process get none. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** A page or one of its files, which scripts of other sites cannot read. */
  readonly keeping?: Keeping;
}

/**
 * How long a browser keeps what is sent to it: until it asks and hears of another, without asking (what stands at this
 * address never changes), for some seconds, which whoever stands between may do too, or not at all.
 */
export type Keeping = "until changed" | "for good" | "for a moment" | "not at all";

/** An answer for readers inside the process. */
export type TextResponse = GatewayResponse & { readonly body: string };

/** Receives the answer. Called exactly once for each request. */
export interface Replier {
  reply(response: GatewayResponse): void;
  /** In place of `reply`: `spoil` sends the answer. Absent where no line leads to the client. */
  spoil?(response: GatewayResponse, spoil: Spoil): void;
}

/** Counts the requests of addresses. Never throws. */
export interface AddressLimits {
  /** Counts a request against its address. Returns null, or the refusal that follows. */
  charge(ip: string): GatewayResponse | null;
  /** The answer for a banned address; null when it is not banned. Counts nothing. */
  ban(ip: string): GatewayResponse | null;
}

/** Takes requests that an edge itself refuses, counts them against their address and answers them. Never throws. */
export interface RefusalSink {
  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void;
}

/** Takes requests from the HTTP edge. Never throws. */
export interface RequestSink extends RefusalSink, AddressLimits {
  process(request: GatewayRequest, replier: Replier): void;
}

/** Takes requests from the WebSocket API. Never throws. */
export interface MethodSink extends RefusalSink {
  processMethod(request: MethodRequest, replier: Replier): void;
}

/** All requests from outside the process. */
export type Entrance = RequestSink & MethodSink;

// The connection on which one answer leaves, for a lab that spoils answers on purpose. Other answers do not go this
// way.

/** Calls after the client has gone do nothing. One of `done`, `end`, `reset` and `abandon` is the last. */
export interface AnswerLine {
  /** The whole body as it would be sent, compressed where the client accepts it; of a socket the text of the message. */
  readonly body: Buffer;
  /** False: the client has gone, and nobody will take the rest. */
  readonly isOpen: boolean;
  /** Sends status and headers, which announce the whole body. */
  sendHead(): void;
  write(bytes: Buffer): void;
  /** The answer has its end, and the connection goes on. */
  done(): void;
  /** Ends the connection (FIN) behind what was written. */
  end(): void;
  /** Breaks the connection (RST). */
  reset(): void;
  /** Nothing more will come. The connection stays open. */
  abandon(): void;
}

/** Sends an answer in its own way, now or bit by bit. */
export type Spoil = (line: AnswerLine) => void;

// Times are milliseconds: a request for microseconds is refused instead of answered in another unit. Decision 17.

const HEADER = "x-mbx-time-unit";

/** Checks `timeUnit` in the address of a socket; null: not sent. */
export function isTimeUnit(sent: string | null): boolean {
  return sent === null || sent === "" || sent.toUpperCase() === "MILLISECOND";
}

/** Throws -1194. */
export function checkTimeUnit(headers: RequestHeaders): void {
  const sent = headers[HEADER];
  if (sent !== undefined && !isTimeUnit(String(sent))) throw new Refused(INVALID_TIME_UNIT);
}

export type Document = Omit<GatewayResponse, "headers"> & { readonly headers?: readonly string[] };
