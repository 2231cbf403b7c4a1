/** Every bound of the HTTP edge, by name. */
export interface HttpLimits {
  /** Request line and headers together; more is 431. */
  readonly maxHeaderBytes: number;
  /** Headers beyond this number are not looked at. */
  readonly maxHeaderCount: number;
  /** Path and query; more is 403. */
  readonly maxUrlBytes: number;
  /** More is 413. */
  readonly maxBodyBytes: number;
  /** Of a body that is too large, this much is read and thrown away before the connection is closed. */
  readonly maxDiscardedBytes: number;
  /** From the first byte of a request to the end of its headers; then 408. */
  readonly headersTimeoutMs: number;
  /** To the end of its body. */
  readonly requestTimeoutMs: number;
  /** How often the two are looked after. */
  readonly timeoutCheckMs: number;
  /** An idle connection is closed after this. */
  readonly keepAliveTimeoutMs: number;
  /** A connection on which nothing moves is closed after this. */
  readonly socketTimeoutMs: number;
  /** An answer that its client has not taken after this closes the connection, however slowly it is being read. */
  readonly readTimeoutMs: number;
  /** What may wait unread for one address; then the connection that waits for longest is closed. One answer waits on each. */
  readonly maxUnreadBytesPerIp: number;
  /** For all together; then the address with the most loses its oldest. */
  readonly maxUnreadBytes: number;
  /** Of what one connection sends, `node:http` reads so much in a turn of the event loop. */
  readonly maxBytesATurn: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
  /** Of one address, without its WebSockets; further ones get 429. Trusted proxies may have more. */
  readonly maxConnectionsPerIp: number;
  /** Further requests get 503 at once. */
  readonly maxRequestsInFlight: number;
  /** Of one address; further ones get 429. A connection has one at a time. */
  readonly maxRequestsInFlightPerIp: number;
  /** Answers of at least this many bytes are compressed for who accepts it. */
  readonly gzipFromBytes: number;
  /** How long a graceful stop waits for what is in flight. */
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
  maxUnreadBytesPerIp: 64 * 1024 * 1024,
  maxUnreadBytes: 512 * 1024 * 1024,
  maxBytesATurn: 2 * 1024,
  maxConnections: 20_000,
  maxConnectionsPerIp: 2000,
  maxRequestsInFlight: 10_000,
  maxRequestsInFlightPerIp: 1200,
  gzipFromBytes: 2 * 1024,
  drainTimeoutMs: 5000,
};
