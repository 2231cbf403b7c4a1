/**
 * The line on which one answer leaves, for those who spoil it on purpose. Only a lab has them: no other answer goes this
 * way.
 */

/** Calls after the client has gone do nothing. One of `done`, `end`, `reset` and `abandon` is the last. */
export interface AnswerLine {
  /** The whole body as it would be sent, compressed where the client accepts it; of a socket the text of the message. */
  readonly body: Buffer;
  /** False: the client has gone, and nobody will take the rest. */
  readonly isOpen: boolean;
  /** Sends status and headers, which announce the whole body. */
  sendHead(): void;
  write(bytes: Buffer): void;
  /** The answer has its end, and the connection goes on. */
  done(): void;
  /** Ends the connection (FIN) behind what was written. */
  end(): void;
  /** Breaks the connection (RST). */
  reset(): void;
  /** Nothing more will come. The connection stays open. */
  abandon(): void;
}

/** Sends an answer in its own way, now or bit by bit. */
export type Spoil = (line: AnswerLine) => void;
