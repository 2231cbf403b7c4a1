/** Every bound of the edge, by name: of HTTP, and of sockets. */

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

/** Every bound of streams, by name. Interface 10.1. */
export interface StreamLimits {
  /** Streams of one connection. */
  readonly maxStreams: number;
  /** Characters of a stream's name; a longer one is refused. */
  readonly maxNameLength: number;
  /** Frames from the client in a second, pings and pongs included; more is a disconnect. */
  readonly maxMessagesASecond: number;
  /** Connection attempts of one address in `attemptsWindowMs`; more get 429. */
  readonly maxAttempts: number;
  readonly attemptsWindowMs: number;
  /** Open connections of one address; more get 429. The setting `streams.maxConnectionsPerIp` changes it. */
  readonly maxConnectionsPerIp: number;
  /** Addresses whose attempts are remembered. */
  readonly maxTrackedIps: number;
  /** Size of a message from a client; a larger one is a disconnect (1009). */
  readonly maxMessageBytes: number;
  /** Frames of one message, and pieces of one frame; more is a disconnect, because each costs more than its bytes. */
  readonly maxMessageParts: number;
  /** Unread bytes of a client; above it, the next message drops the client (1008). */
  readonly maxBufferedBytes: number;
  /** Unread bytes of all connections of one address; above it, the one that has waited longest is cut off. */
  readonly maxSendBufferBytesPerIp: number;
  /** Unread bytes of all addresses; above it, the address with the most loses its oldest connection. */
  readonly maxUnreadBytes: number;
  /** Time in which a client must read what waits for it, however little that is. */
  readonly readTimeoutMs: number;
  /** A closing socket is cut off after this time. */
  readonly closeTimeoutMs: number;
  readonly pingEveryMs: number;
  /** A client that has not answered a ping for this long is dropped. */
  readonly pongTimeoutMs: number;
  readonly connectionLifeMs: number;
  /** A stopping node waits this long for accepted requests of the WebSocket API. */
  readonly drainTimeoutMs: number;
  /** A stopping node waits this long for its clients to close. */
  readonly stopTimeoutMs: number;
  /** How often pings, pongs and lifetimes are checked. */
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
