/**
 * The faces of streams: what a publisher calls, what a socket offers to the part that serves its
 * address, and what that part offers back. Interface 6, 10.1.
 */

/**
 * For what makes payloads. A stream is named as clients name it (`btcusdt@trade`, a listen key). What
 * is published in one turn of the event loop leaves at its end, in order within a stream.
 */
export interface Publisher {
  /** Nothing need be made for a stream that nobody hears. */
  hasSubscribers(stream: string): boolean;
  /** `payload`: the JSON of the raw form. The combined form is made from it. */
  publish(stream: string, payload: string): void;
  /**
   * The stream is over, after what was published to it: whoever has it loses it, and a connection
   * that is left without any is closed with this reason.
   */
  end(stream: string, reason: string): void;
}

/** Told of streams that begin and cease to be heard, in the turn in which that happens. */
export interface Audience {
  /** The first subscriber is there. */
  opened(stream: string): void;
  /** One more subscriber is there. */
  joined?(stream: string): void;
  /** The last one is gone. */
  closed(stream: string): void;
}

/** Which names are of streams on which something comes, listen keys apart. */
export interface StreamNames {
  isStream(name: string): boolean;
}

/** Which listen keys are open; one that is not is a stream on which nothing ever comes. Interface S.14. */
export interface ListenKeys {
  isOpen(listenKey: string): boolean;
}
