/** The limits of the edge: of HTTP, and of WebSockets. */

/** Limits of HTTP connections. */
export interface HttpLimits {
  /** Request line and headers together. More is rejected with 431. */
  readonly maxHeaderBytes: number;
  /** Number of headers. Further ones are ignored. */
  readonly maxHeaderCount: number;
  /** Path and query. More is rejected with 403. */
  readonly maxUrlBytes: number;
  /** Body. More is rejected with 413. */
  readonly maxBodyBytes: number;
  /** Bytes of an oversized body that are read and discarded before the connection is closed. */
  readonly maxDiscardedBytes: number;
  /** From the first byte of a request to the end of its headers, otherwise 408. Also limits a TLS handshake. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** How often the two timeouts are checked. */
  readonly timeoutCheckMs: number;
  /** An idle connection is closed after this time. */
  readonly keepAliveTimeoutMs: number;
  /** A connection without any traffic is closed after this time. */
  readonly socketTimeoutMs: number;
  /** A response must be read completely in this time, otherwise the connection is closed. */
  readonly readTimeoutMs: number;
  /**
   * Unread bytes per address. Above it, the connection that has waited longest is closed. Each has at most one
   * response.
   */
  readonly maxSendBufferBytesPerIp: number;
  /** Unread bytes of all addresses. Above it, the oldest connection of the address with the most is closed. */
  readonly maxUnreadBytes: number;
  /** Bytes of one connection that `node:http` reads in a turn of the event loop. */
  readonly maxBytesATurn: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
  /** Connections per address, not counting WebSockets. Further ones get 429. Trusted proxies are exempt. */
  readonly maxConnectionsPerIp: number;
  /** TLS handshakes per address within `handshakesWindowMs`. Further connections are closed. */
  readonly maxHandshakesPerIp: number;
  readonly handshakesWindowMs: number;
  /** Further requests get 503 at once. */
  readonly maxRequestsInFlight: number;
  /** Requests in flight per address. Further ones get 429. A connection has one at a time. */
  readonly maxRequestsInFlightPerIp: number;
  /** Responses of at least this size are compressed for clients that accept it. */
  readonly gzipFromBytes: number;
  /** How long a graceful shutdown waits for requests in flight. */
  readonly drainTimeoutMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxHeaderBytes: 16 * 1024,
  maxHeaderCount: 100,
  maxUrlBytes: 8 * 1024,
  maxBodyBytes: 16 * 1024,
  maxDiscardedBytes: 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  timeoutCheckMs: 1000,
  keepAliveTimeoutMs: 65_000,
  socketTimeoutMs: 75_000,
  readTimeoutMs: 30_000,
  maxSendBufferBytesPerIp: 64 * 1024 * 1024,
  maxUnreadBytes: 512 * 1024 * 1024,
  maxBytesATurn: 2 * 1024,
  maxConnections: 20_000,
  maxConnectionsPerIp: 2000,
  maxHandshakesPerIp: 1200,
  handshakesWindowMs: 60_000,
  maxRequestsInFlight: 10_000,
  maxRequestsInFlightPerIp: 1200,
  gzipFromBytes: 2 * 1024,
  drainTimeoutMs: 5000,
};

/** Limits of WebSocket streams. Interface 10.1. */
export interface StreamLimits {
  /** Streams per connection. */
  readonly maxStreams: number;
  /** Characters of a stream's name. Longer names are rejected. */
  readonly maxNameLength: number;
  /** Frames from the client per second, including pings and pongs. More closes the connection. */
  readonly maxMessagesASecond: number;
  /** Connection attempts per address in `attemptsWindowMs`. More get 429. */
  readonly maxAttempts: number;
  readonly attemptsWindowMs: number;
  /** Open connections per address. More get 429. The setting `streams.maxConnectionsPerIp` changes it. */
  readonly maxConnectionsPerIp: number;
  /** Addresses whose attempts are counted. */
  readonly maxTrackedIps: number;
  /** Size of a message from a client. A larger one closes the connection (1009). */
  readonly maxMessageBytes: number;
  /** Frames per message, and chunks per frame. More closes the connection, because each costs more than its bytes. */
  readonly maxMessageParts: number;
  /** Unread bytes per client. Above it, the next message closes the connection (1008). */
  readonly maxBufferedBytes: number;
  /** Unread bytes per address. Above it, the connection that has waited longest is closed. */
  readonly maxSendBufferBytesPerIp: number;
  /** Unread bytes of all addresses. Above it, the oldest connection of the address with the most is closed. */
  readonly maxUnreadBytes: number;
  /** Time in which a client must read what is sent to it. */
  readonly readTimeoutMs: number;
  /** A closing socket is destroyed after this time. */
  readonly closeTimeoutMs: number;
  readonly pingEveryMs: number;
  /** A client that has not answered a ping for this long is disconnected. */
  readonly pongTimeoutMs: number;
  readonly connectionLifeMs: number;
  /** How long a node that shuts down waits for accepted requests of the WebSocket API. */
  readonly drainTimeoutMs: number;
  /** How long a node that shuts down waits for its clients to close. */
  readonly stopTimeoutMs: number;
  /** How often pings, pongs and connection lifetimes are checked. */
  readonly sweepEveryMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  maxStreams: 1024,
  maxNameLength: 128,
  maxMessagesASecond: 5,
  maxAttempts: 300,
  attemptsWindowMs: 5 * 60_000,
  maxConnectionsPerIp: 1000,
  maxTrackedIps: 100_000,
  maxMessageBytes: 64 * 1024,
  maxMessageParts: 256,
  maxBufferedBytes: 4 * 1024 * 1024,
  maxSendBufferBytesPerIp: 256 * 1024 * 1024,
  maxUnreadBytes: 1024 * 1024 * 1024,
  readTimeoutMs: 60_000,
  closeTimeoutMs: 5000,
  pingEveryMs: 3 * 60_000,
  pongTimeoutMs: 10 * 60_000,
  connectionLifeMs: 24 * 3_600_000,
  drainTimeoutMs: 5000,
  stopTimeoutMs: 1000,
  sweepEveryMs: 1000,
};
