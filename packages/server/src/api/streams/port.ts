/** The interfaces of streams: publishers, audiences, stream names, and faults injected by a lab. Interface 6, 10.1. */

/**
 * The interface for sources of messages. Streams have the names that clients use (`btcusdt@trade`, a listen key).
 * Messages are sent at the end of the turn of the event loop, in order within each stream.
 */
export interface Publisher {
  /** Whether the stream has subscribers. If not, no message needs to be generated. */
  hasSubscribers(stream: string): boolean;
  /** `payload` is the JSON of the raw form. The combined form is built from it. */
  publish(stream: string, payload: string): void;
  /** Ends the stream after its last message. Connections that have no other stream are closed with this reason. */
  end(stream: string, reason: string): void;
  /**
   * Resolves when subscribers have read everything sent before this turn; undefined if they already have. Absent if
   * this cannot be determined.
   */
  whenRead?(stream: string): Promise<unknown> | undefined;
}

/** Notified when a stream gets its first subscriber or loses its last one, in the turn in which this happens. */
export interface Audience {
  /** Called when the first subscriber was added. */
  opened(stream: string): void;
  /** Called when another subscriber was added. */
  joined?(stream: string): void;
  /** Called when the last subscriber was removed. */
  closed(stream: string): void;
}

/**
 * The name under which the state of open streams is saved. Open streams do not affect the exchange, and may differ
 * after a restore.
 */
export const OPEN_STREAMS = "openStreams";

/** Matches keys from `POST userDataStream`. Interface S.6. */
export const LISTEN_KEY = /^[A-Za-z0-9]{64}$/;

/** Single-use tickets with which signed-in customers open a socket. */
export interface TicketTaker {
  /** Uses a ticket up. Returns undefined if it is invalid. `untilMs` is the end of the session. */
  take(
    ticket: string,
    nowMs: number,
  ): { readonly accountId: number; readonly sessionId: string; readonly untilMs: number } | undefined;
}

// Faults that a lab injects into stream messages.

/** A message for the subscribers of a stream. */
export interface StreamMessage {
  /** The stream's name (`btcusdt@trade`, a listen key); "" for a subscription on a WebSocket API connection. */
  readonly stream: string;
  /** The account that the event belongs to, if the stream's name does not identify it. */
  readonly accountId?: number;
  readonly payload: string;
}

/** The connections over which a stream's messages reach its subscribers. */
export interface StreamLine {
  send(payload: string): void;
  /** Closes the subscribers' connections with this close code; undefined: without a close frame. */
  cut(code: number | undefined): void;
}

export interface StreamFaults {
  /** Sends the message on its line: usually once and immediately. */
  pass(message: StreamMessage, line: StreamLine): void;
}
