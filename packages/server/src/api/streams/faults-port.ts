/** What a lab does to messages of streams on purpose. Nobody has it elsewhere. */

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
