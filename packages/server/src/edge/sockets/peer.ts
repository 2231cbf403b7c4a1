/** The face of a socket, and of the part that serves its address. Interface 10.1, 11. */
import type { LongText } from "../../answers/long-text.ts";

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
