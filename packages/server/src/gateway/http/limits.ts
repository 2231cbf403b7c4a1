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
  /** A connection on which nothing moves, not even an answer that nobody reads, is closed after this. */
  readonly socketTimeoutMs: number;
  /** Further connections are closed at once. */
  readonly maxConnections: number;
  /** Further requests get 503 at once. */
  readonly maxRequestsInFlight: number;
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
  maxConnections: 20_000,
  maxRequestsInFlight: 10_000,
  gzipFromBytes: 2 * 1024,
  drainTimeoutMs: 5000,
};
