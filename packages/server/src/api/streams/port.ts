/**
 * The interfaces of streams: for publishers, for subscribers' audiences, and for checks of stream names. Interface 6,
 * 10.1.
 */

/**
 * For the sources of messages. Streams have the names that clients use (`btcusdt@trade`, a listen key). Messages of one
 * turn of the event loop leave at its end, in order within a stream.
 */
export interface Publisher {
  /** Whether anyone subscribes; otherwise no message need be made. */
  hasSubscribers(stream: string): boolean;
  /** `payload` is the JSON of the raw form, from which the combined form is made. */
  publish(stream: string, payload: string): void;
  /**
   * Ends the stream after its last message: subscribers lose it, and a connection left without any stream is closed
   * with this reason.
   */
  end(stream: string, reason: string): void;
  /** Resolves when the subscribers have read what they were sent before this turn; undefined: they have. Absent: it is unknown. */
  whenRead?(stream: string): Promise<unknown> | undefined;
}

/** Hears of a stream's first and last subscribers, in the turn in which they come and go. */
export interface Audience {
  /** The first subscriber has come. */
  opened(stream: string): void;
  /** One more subscriber has come. */
  joined?(stream: string): void;
  /** The last subscriber has gone. */
  closed(stream: string): void;
}

/** Knows the names of streams that can have messages, listen keys apart. */
export interface StreamNames {
  isStream(name: string): boolean;
}

/**
 * The name under which the state of open streams is saved. Listeners change nothing in the exchange, and may be others
 * after a restore.
 */
export const OPEN_STREAMS = "openStreams";

/** The form of keys from `POST userDataStream`. Interface S.6. */
export const LISTEN_KEY = /^[A-Za-z0-9]{64}$/;

/** Knows the open listen keys; the stream of any other key never has a message. Interface S.14. */
export interface ListenKeys {
  isOpen(listenKey: string): boolean;
}

/** Knows the tickets that customers who are signed in were given; each is good once. */
export interface TicketTaker {
  /** Undefined: it is not good. `untilMs` is the end of the session. */
  take(
    ticket: string,
    nowMs: number,
  ): { readonly accountId: number; readonly sessionId: string; readonly untilMs: number } | undefined;
}

// What a lab does to messages of streams on purpose. Other nodes have none of it.

/** A message on its way to those who listen to a stream. */
export interface StreamMessage {
  /** The stream's name (`btcusdt@trade`, a listen key); "" for a subscription on a connection to the WebSocket API. */
  readonly stream: string;
  /** The account whose events it carries, where the stream's name does not tell. */
  readonly accountId?: number;
  readonly payload: string;
}

/** The way of one stream to its listeners. */
export interface StreamLine {
  send(payload: string): void;
  /** Ends the connections of the listeners: with this close code, or without any word. */
  cut(code: number | undefined): void;
}

export interface StreamFaults {
  /** Sends the message on its line: usually once and at once. */
  pass(message: StreamMessage, line: StreamLine): void;
}
