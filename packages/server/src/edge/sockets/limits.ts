/** Every bound of streams, by name. Interface 10.1. */
export interface StreamLimits {
  /** Streams of one connection. */
  readonly maxStreams: number;
  /** A longer name is none of ours: refused. */
  readonly maxNameLength: number;
  /** Frames from the client, pings and pongs among them, in a second; more is a disconnect. */
  readonly maxMessagesASecond: number;
  /** Attempts to connect from one address in `attemptsWindowMs`; more get 429. */
  readonly maxAttempts: number;
  readonly attemptsWindowMs: number;
  /** Open at a time from one address; more get 429. Lower or raise it by the setting `streams.maxConnectionsPerIp`. */
  readonly maxConnectionsPerIp: number;
  /** Addresses whose attempts are remembered. */
  readonly maxTrackedIps: number;
  /** A message from a client; a larger one is a disconnect (1009). */
  readonly maxMessageBytes: number;
  /** Frames that one message comes in, and pieces in which one frame arrives; more is a disconnect: each takes more than its bytes. */
  readonly maxMessageParts: number;
  /** What waits for a client to read it; once it is more, whatever comes next drops the client (1008). */
  readonly maxBufferedBytes: number;
  /** Likewise for all connections of one address; then the one that has waited for longest is cut off. */
  readonly maxUnreadBytesPerIp: number;
  /** For all together; then the address with the most loses its oldest. */
  readonly maxUnreadBytes: number;
  /** What waits for a client must be read within this, however little that is. */
  readonly readTimeoutMs: number;
  /** A socket that is being closed is cut off after this. */
  readonly closeTimeoutMs: number;
  readonly pingEveryMs: number;
  /** A client that has not answered for this long is dropped. */
  readonly pongTimeoutMs: number;
  readonly connectionLifeMs: number;
  /** A stopping node waits this long for requests of the WebSocket API that it has taken. */
  readonly drainTimeoutMs: number;
  /** A stopping node waits this long for its clients to close. */
  readonly stopTimeoutMs: number;
  /** How often pings, pongs and lives are looked after. */
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
  maxUnreadBytesPerIp: 256 * 1024 * 1024,
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
