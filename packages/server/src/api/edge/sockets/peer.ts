/** The interfaces between a socket and the part that serves its address. Interface 10.1, 11. */
import type { LongText } from "../../answers/long-text.ts";
import type { EventConnection } from "../session.ts";
import type { Spoil } from "../spoilt-answer.ts";

/** A socket, for the part that serves its address. Sending and closing do nothing once it is closed. */
export interface Peer {
  /** The client's address, normalised. */
  readonly ip: string;
  /** Sends a text frame. A client that reads too slowly is dropped: see `StreamLimits.maxBufferedBytes`. */
  send(text: string): void;
  /** Sends a text frame in parts: the bytes of `shared` are not copied. */
  sendParts(before: string, shared: LongText, behind: string): void;
  /** `reason` has at most 123 bytes. Codes of RFC 6455 (7.4). */
  close(code: number, reason: string): void;
  /** Resolves when the system has accepted what was sent, or the connection has ended; undefined: it has. */
  whenRead?(): Promise<unknown> | undefined;
  /** In place of `send`: `spoil` sends the text. Absent where no line leads to the client. */
  spoil?(text: string, spoil: Spoil): void;
  /** Ends the connection without a close frame. Absent as `spoil` is. */
  cut?(): void;
}

/** A socket of a stream address: frames for many are made once. */
export interface StreamPeer extends Peer {
  /** A web page of another site, which may hear public streams, but nothing of an account. */
  readonly isForeign: boolean;
  /** Writes whole frames, `messages` of them. They are shared and must not be changed. */
  write(frames: Buffer, messages: number): void;
  /** Writes until `release` leave together. False: it was held already. */
  hold(): boolean;
  release(): void;
}

/** Receives a socket's frames. */
export interface FrameSink {
  receive(text: string): void;
  receiveBinary(): void;
  /** The socket is gone; called once. */
  closed(): void;
}

/** The connection of a socket by which the events of an account leave. */
export function connectionOf(peer: Peer): EventConnection {
  return {
    cut: (code) => (code === undefined ? peer.cut?.() : peer.close(code, "")),
    whenRead: () => peer.whenRead?.(),
  };
}
