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
