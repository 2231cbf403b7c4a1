/** Every bound of the HTTP edge, by name. */
export interface HttpLimits {
  /** Request line and headers together; above it, 431. */
  readonly maxHeaderBytes: number;
  /** Number of headers; further ones are ignored. */
  readonly maxHeaderCount: number;
  /** Path and query; above it, 403. */
  readonly maxUrlBytes: number;
  /** Body; above it, 413. */
  readonly maxBodyBytes: number;
  /** Bytes of a too large body that are read and discarded before the connection is closed. */
  readonly maxDiscardedBytes: number;
  /** The time from the first byte of a request to the end of its headers; then 408. With TLS, also that of a handshake. */
  readonly headersTimeoutMs: number;
  /** The time from the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** How often the two timeouts are checked. */
  readonly timeoutCheckMs: number;
  /** An idle connection is closed after this time. */
  readonly keepAliveTimeoutMs: number;
  /** A connection without any traffic is closed after this time. */
  readonly socketTimeoutMs: number;
  /** An answer not read completely in this time closes the connection, however slowly it is being read. */
  readonly readTimeoutMs: number;
  /** Unread bytes of one address; above it, its longest waiting connection is closed. One answer waits on each. */
  readonly maxSendBufferBytesPerIp: number;
  /** Unread bytes of all addresses; above it, the address with the most loses its oldest connection. */
  readonly maxUnreadBytes: number;
  /** Bytes of one connection that `node:http` reads in a turn of the event loop. */
  readonly maxBytesATurn: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
  /** Connections of one address, without its WebSockets; further ones get 429. Trusted proxies may have more. */
  readonly maxConnectionsPerIp: number;
  /** Connections of one address within `handshakesWindowMs` that may shake hands for TLS; further ones are closed. */
  readonly maxHandshakesPerIp: number;
  readonly handshakesWindowMs: number;
  /** Further requests get 503 at once. */
  readonly maxRequestsInFlight: number;
  /** Requests in flight of one address; further ones get 429. A connection has one at a time. */
  readonly maxRequestsInFlightPerIp: number;
  /** Answers of at least this many bytes are compressed for clients that accept it. */
  readonly gzipFromBytes: number;
  /** How long a graceful stop waits for requests in flight. */
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
