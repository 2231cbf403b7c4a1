/** The limits of the edge: of HTTP, and of WebSockets. */

/** Limits of HTTP connections. */
export const DEFAULT_HTTP_LIMITS = {
  /** Request line and headers together. More is rejected with 431. */
  maxHeaderBytes: 16 * 1024,
  /** Number of headers. Further ones are ignored. */
  maxHeaderCount: 100,
  /** Path and query. More is rejected with 403. */
  maxUrlBytes: 8 * 1024,
  /** Body. More is rejected with 413. */
  maxBodyBytes: 16 * 1024,
  /** Bytes of an oversized body that are read and discarded before the connection is closed. */
  maxDiscardedBytes: 1024 * 1024,
  /** From the first byte of a request to the end of its headers, otherwise 408. Also limits a TLS handshake. */
  headersTimeoutMs: 10_000,
  /** From the first byte of a request to the end of its body. */
  requestTimeoutMs: 20_000,
  /** How often the two timeouts are checked. */
  timeoutCheckMs: 1000,
  /** An idle connection is closed after this time. */
  keepAliveTimeoutMs: 65_000,
  /** A connection without any traffic is closed after this time. */
  socketTimeoutMs: 75_000,
  /** A response must be read completely in this time, otherwise the connection is closed. */
  readTimeoutMs: 30_000,
  /**
   * Unread bytes per address. Above it, the connection that has waited longest is closed. Each has at most one
   * response.
   */
  maxSendBufferBytesPerIp: 64 * 1024 * 1024,
  /** Unread bytes of all addresses. Above it, the oldest connection of the address with the most is closed. */
  maxUnreadBytes: 512 * 1024 * 1024,
  /** Bytes of one connection that `node:http` reads in a turn of the event loop. */
  maxBytesATurn: 2 * 1024,
  /** Further connections are closed at once. */
  maxConnections: 20_000,
  /** Connections per address, not counting WebSockets. Further ones get 429. Trusted proxies are exempt. */
  maxConnectionsPerIp: 2000,
  /** TLS handshakes per address within `handshakesWindowMs`. Further connections are closed. */
  maxHandshakesPerIp: 1200,
  handshakesWindowMs: 60_000,
  /** Further requests get 503 at once. */
  maxRequestsInFlight: 10_000,
  /** Requests in flight per address. Further ones get 429. A connection has one at a time. */
  maxRequestsInFlightPerIp: 1200,
  /** Responses of at least this size are compressed for clients that accept it. */
  gzipFromBytes: 2 * 1024,
  /** How long a graceful shutdown waits for requests in flight. */
  drainTimeoutMs: 5000,
};
export type HttpLimits = Readonly<typeof DEFAULT_HTTP_LIMITS>;

/** Limits of WebSocket streams. Interface 10.1. */
export const STREAM_LIMITS = {
  /** Streams per connection. */
  maxStreams: 1024,
  /** Characters of a stream's name. Longer names are rejected. */
  maxNameLength: 128,
  /** Frames from the client per second, including pings and pongs. More closes the connection. */
  maxMessagesASecond: 5,
  /** Connection attempts per address in `attemptsWindowMs`. More get 429. */
  maxAttempts: 300,
  attemptsWindowMs: 5 * 60_000,
  /** Open connections per address. More get 429. The setting `streams.maxConnectionsPerIp` changes it. */
  maxConnectionsPerIp: 1000,
  /** Addresses whose attempts are counted. */
  maxTrackedIps: 100_000,
  /** Size of a message from a client. A larger one closes the connection (1009). */
  maxMessageBytes: 64 * 1024,
  /** Frames per message, and chunks per frame. More closes the connection, because each costs more than its bytes. */
  maxMessageParts: 256,
  /** Unread bytes per client. Above it, the next message closes the connection (1008). */
  maxBufferedBytes: 4 * 1024 * 1024,
  /** Unread bytes per address. Above it, the connection that has waited longest is closed. */
  maxSendBufferBytesPerIp: 256 * 1024 * 1024,
  /** Unread bytes of all addresses. Above it, the oldest connection of the address with the most is closed. */
  maxUnreadBytes: 1024 * 1024 * 1024,
  /** Time in which a client must read what is sent to it. */
  readTimeoutMs: 60_000,
  /** A closing socket is destroyed after this time. */
  closeTimeoutMs: 5000,
  pingEveryMs: 3 * 60_000,
  /** A client that has not answered a ping for this long is disconnected. */
  pongTimeoutMs: 10 * 60_000,
  connectionLifeMs: 24 * 3_600_000,
  /** How long a node that shuts down waits for accepted requests of the WebSocket API. */
  drainTimeoutMs: 5000,
  /** How long a node that shuts down waits for its clients to close. */
  stopTimeoutMs: 1000,
  /** How often pings, pongs and connection lifetimes are checked. */
  sweepEveryMs: 1000,
};
export type StreamLimits = Readonly<typeof STREAM_LIMITS>;

/** Removes the oldest key of a bounded map. */
export function dropOldest<Key>(map: Map<Key, unknown>): void {
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
