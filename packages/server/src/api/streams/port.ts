/** The interfaces of streams: publishers, audiences, stream names, and faults injected by a lab. Interface 6, 10.1. */

/**
 * For the sources of messages. Streams have the names that clients use (`btcusdt@trade`, a listen key). Messages are
 * sent at the end of the turn of the event loop, in order within a stream.
 */
export interface Publisher {
  /** Whether there are subscribers; otherwise no message need be made. */
  hasSubscribers(stream: string): boolean;
  /** `payload` is the JSON of the raw form, from which the combined form is made. */
  publish(stream: string, payload: string): void;
  /** Ends the stream after its last message. Connections without any other stream are closed with this reason. */
  end(stream: string, reason: string): void;
  /**
   * Resolves when subscribers have read everything sent before this turn; undefined: they already have. Absent:
   * unknown.
   */
  whenRead?(stream: string): Promise<unknown> | undefined;
}

/** Notified of a stream's first and last subscribers, in the turn in which they are added and removed. */
export interface Audience {
  /** The first subscriber was added. */
  opened(stream: string): void;
  /** Another subscriber was added. */
  joined?(stream: string): void;
  /** The last subscriber was removed. */
  closed(stream: string): void;
}

/**
 * The name under which the state of open streams is saved. Subscribers do not affect the exchange, and may differ after
 * a restore.
 */
export const OPEN_STREAMS = "openStreams";

/** The form of keys from `POST userDataStream`. Interface S.6. */
export const LISTEN_KEY = /^[A-Za-z0-9]{64}$/;

/** Single-use tickets of signed-in customers for opening a socket. */
export interface TicketTaker {
  /** Undefined if the ticket is invalid. `untilMs` is the end of the session. */
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
  /** The account of the event, if the stream's name does not identify it. */
  readonly accountId?: number;
  readonly payload: string;
}

/** The path of a stream's messages to its subscribers. */
export interface StreamLine {
  send(payload: string): void;
  /** Closes the subscribers' connections, with this close code or without a close frame. */
  cut(code: number | undefined): void;
}

export interface StreamFaults {
  /** Sends the message on its line: usually once and at once. */
  pass(message: StreamMessage, line: StreamLine): void;
}
