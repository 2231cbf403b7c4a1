/**
 * The faces of streams: what a publisher calls, what a socket offers to the part that serves its
 * address, and what that part offers back. Interface 6, 10.1.
 */

import type { LongText } from "../long/long-text.ts";

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

/** A socket, for the part that serves its address. Both are nothing once it is closed. */
export interface Peer {
  /** The client's address, normalised. */
  readonly ip: string;
  /** A text frame. A client that reads too slowly is dropped: see `StreamLimits.maxBufferedBytes`. */
  send(text: string): void;
  /** The same in parts: the bytes of `shared` are not copied. */
  sendParts(before: string, shared: LongText, behind: string): void;
  /** `reason`: at most 123 bytes. Codes of RFC 6455 (7.4). */
  close(code: number, reason: string): void;
}

/** A socket of an address of streams: frames that many hear are made once. */
export interface StreamPeer extends Peer {
  /** Whole frames, `messages` of them. Shared: not to be changed. */
  write(frames: Buffer, messages: number): void;
  /** What is written until `release` leaves together. False: it was held already. */
  hold(): boolean;
  release(): void;
}

/** What takes a socket's frames. */
export interface FrameSink {
  receive(text: string): void;
  receiveBinary(): void;
  /** The socket is gone; called once. */
  closed(): void;
}

/** An address that speaks something else than streams. `query` stands behind the `?`. */
export type Accept = (peer: Peer, query: string) => FrameSink;
