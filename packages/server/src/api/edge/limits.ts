/** The limits of the edge for HTTP connections and WebSockets. */
import { VENUE_INTERFACES } from "@pricetime/protocol";

/** Limits of HTTP connections. */
export const DEFAULT_HTTP_LIMITS = {
  /** Maximum size of the request line and headers together. Larger heads are rejected with 431. */
  maxHeaderBytes: 16 * 1024,
  /** Maximum number of headers. Further ones are ignored. */
  maxHeaderCount: 100,
  /** Maximum size of path and query. Larger ones are rejected with 403. */
  maxUrlBytes: 8 * 1024,
  /** Maximum size of a body. Larger bodies are rejected with 413. */
  maxBodyBytes: 16 * 1024,
  /** Number of bytes of an oversized body that are read and discarded before the connection is closed. */
  maxDiscardedBytes: 1024 * 1024,
  /**
   * Time from the first byte of a request to the end of its headers; a slower client gets 408. Also limits a TLS
   * handshake.
   */
  headersTimeoutMs: 10_000,
  /** Time from the first byte of a request to the end of its body. */
  requestTimeoutMs: 20_000,
  /** Interval at which the two timeouts are checked. */
  timeoutCheckMs: 1000,
  /** An idle connection is closed after this time. */
  keepAliveTimeoutMs: 65_000,
  /** A connection without any traffic is closed after this time. */
  socketTimeoutMs: 75_000,
  /** A client must read a response completely within this time, otherwise its connection is closed. */
  readTimeoutMs: 30_000,
  /**
   * Maximum unread bytes per address. Above it, the connection whose client has not read for the longest time is
   * closed. Each connection has at most one response.
   */
  maxSendBufferBytesPerIp: 64 * 1024 * 1024,
  /**
   * Maximum unread bytes of all addresses. Above it, the address with the most unread bytes loses the connection whose
   * client has not read for the longest time.
   */
  maxUnreadBytes: 512 * 1024 * 1024,
  /** Number of bytes that `node:http` reads from one connection per turn of the event loop. */
  maxBytesATurn: 2 * 1024,
  /** Maximum number of connections. Further ones are closed immediately. */
  maxConnections: 20_000,
  /**
   * Maximum number of connections per address, not counting WebSockets. Further ones get 429. Trusted proxies are
   * exempt.
   */
  maxConnectionsPerIp: 2000,
  /** Maximum number of TLS handshakes per address within `handshakesWindowMs`. Further connections are closed. */
  maxHandshakesPerIp: 1200,
  handshakesWindowMs: 60_000,
  /** Maximum number of requests in flight. Further ones get 503 immediately. */
  maxRequestsInFlight: 10_000,
  /** Maximum number of requests in flight per address. Further ones get 429. A connection has one at a time. */
  maxRequestsInFlightPerIp: 1200,
  /** Responses of at least this size are compressed for clients that accept gzip. */
  gzipFromBytes: 2 * 1024,
  /** How long a graceful shutdown waits for requests in flight. */
  drainTimeoutMs: 5000,
};
export type HttpLimits = Readonly<typeof DEFAULT_HTTP_LIMITS>;

/** Limits of WebSocket streams. Interface 10.1. */
export const STREAM_LIMITS = {
  /** Maximum number of streams per connection. */
  maxStreams: 1024,
  /** Maximum number of characters in a stream's name. Longer names are rejected. */
  maxNameLength: 128,
  /**
   * Maximum number of frames from a client per second, including pings and pongs. Above it, the connection is closed.
   */
  maxMessagesASecond: 5,
  /** Maximum number of connection attempts per address in `attemptsWindowMs`. Further ones get 429. */
  maxAttempts: 300,
  attemptsWindowMs: 5 * 60_000,
  /** Maximum number of open connections per address. Further ones get 429. Set by `streams.maxConnectionsPerIp`. */
  maxConnectionsPerIp: 1000,
  /** Maximum number of addresses whose attempts are counted. */
  maxTrackedIps: 100_000,
  /** Maximum size of a message from a client. A larger message closes the connection (1009). */
  maxMessageBytes: 64 * 1024,
  /**
   * Maximum number of frames per message and of chunks per frame. Above it, the connection is closed, because each
   * frame costs more to process than its bytes.
   */
  maxMessageParts: 256,
  /** Maximum unread bytes per client. Above it, the next message closes the connection (1008). */
  maxBufferedBytes: 4 * 1024 * 1024,
  /**
   * Maximum unread bytes per address. Above it, the connection whose client has not read for the longest time is
   * closed.
   */
  maxSendBufferBytesPerIp: 256 * 1024 * 1024,
  /**
   * Maximum unread bytes of all addresses. Above it, the address with the most unread bytes loses the connection whose
   * client has not read for the longest time.
   */
  maxUnreadBytes: 1024 * 1024 * 1024,
  /** A client must read what is sent to it within this time. */
  readTimeoutMs: 60_000,
  /** A closing socket is destroyed after this time. */
  closeTimeoutMs: 5000,
  /** `pongTimeoutMs`: a client that has not answered a ping for this long is disconnected. */
  ...VENUE_INTERFACES["2019"].pings,
  connectionLifeMs: 24 * 3_600_000,
  /** How long a node that shuts down waits for accepted WebSocket API requests to finish. */
  drainTimeoutMs: 5000,
  /** How long a node that shuts down waits for its clients to close their connections. */
  stopTimeoutMs: 1000,
  /** Interval at which pings, pongs and connection lifetimes are checked. */
  sweepEveryMs: 1000,
};
export type StreamLimits = Readonly<typeof STREAM_LIMITS>;

/** Removes the oldest key of a bounded map. */
export function dropOldest<Key>(map: Map<Key, unknown>): void {
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
