/**
 * One open WebSocket. Limits unread output and the rate of input. Frames built elsewhere are written around `ws`, which
 * buffers nothing here because compression is off.
 */
import type { LongText } from "../../answers/long-text.ts";
import { drainedOrClosed } from "../http/answer-body.ts";
import type { EventConnection } from "../session.ts";
import type { Spoil } from "../request.ts";
import { SECOND_MS } from "@pricetime/engine";
import type { Socket as TcpSocket } from "node:net";
import type { WebSocket } from "ws";
import type { Cancel, Clock, Timers } from "../../../platform/world/port.ts";
import type { Unread } from "../unread.ts";
import { frameHeader, FaultyText, textFrames } from "./frames.ts";
import type { StreamLimits } from "../limits.ts";

// The interfaces between a socket and the service at its address. Interface 10.1, 11.

/** A socket as seen by the service at its address. Sending and closing do nothing once it is closed. */
export interface Peer {
  /** The client's normalized address. */
  readonly ip: string;
  /** Sends a text frame. A client that reads too slowly is disconnected; see `StreamLimits.maxBufferedBytes`. */
  send(text: string): void;
  /** Sends one text frame made of three parts. The bytes of `shared` are not copied. */
  sendParts(before: string, shared: LongText, behind: string): void;
  /** Close codes are those of RFC 6455 (7.4). `reason` has at most 123 bytes. */
  close(code: number, reason: string): void;
  /**
   * Resolves when the operating system has accepted everything sent, or the connection has closed; undefined if there
   * is nothing to wait for.
   */
  whenRead?(): Promise<unknown> | undefined;
  /** Replaces `send` when a lab injects a fault: `spoil` sends the text. Absent if the client is inside the process. */
  spoil?(text: string, spoil: Spoil): void;
  /** Closes the connection without a close frame. Absent if the client is inside the process. */
  cut?(): void;
}

/** A socket for streams. Frames for many subscribers are encoded once. */
export interface StreamPeer extends Peer {
  /**
   * Whether a web page of another site opened the socket. Such a page may receive public streams, but no account data.
   */
  readonly isForeign: boolean;
  /** Writes complete frames with `messages` messages. The buffer is shared and must not be changed. */
  write(frames: Buffer, messages: number): void;
  /** Buffers writes until `release`, so that they are sent together. Returns false if writes were already buffered. */
  hold(): boolean;
  release(): void;
}

/** Receives the frames that a client sends. */
export interface FrameSink {
  receive(text: string): void;
  receiveBinary(): void;
  /** Called once, when the socket has closed. */
  closed(): void;
  /** The message that tells the client that the exchange is stopping; undefined if there is none. */
  shutdownMessage?(timeMs: number): string | undefined;
}

/** The connection on which account events are sent. */
export function connectionOf(peer: Peer): EventConnection {
  return {
    cut: (code) => (code === undefined ? peer.cut?.() : peer.close(code, "")),
    whenRead: () => peer.whenRead?.(),
  };
}

/** The event before the exchange closes all connections. Interface 10. */
export function serverShutdown(timeMs: number): string {
  return `{"e":"serverShutdown","E":${timeMs}}`;
}

/** Close codes of RFC 6455 (7.4). */
export const CLOSE = { normal: 1000, goingAway: 1001, unsupported: 1003, policy: 1008 } as const;

/** State and limits shared by all sockets. */
export interface SocketShare {
  readonly limits: StreamLimits;
  /** Whether rates are enforced. */
  readonly limitsRates: boolean;
  readonly world: Clock & Timers;
  /** The clock for the message rate. */
  readonly clock: Pick<Clock, "nowMs">;
  messagesSent: number;
  /** Number of clients disconnected because too many bytes were unread. */
  slowDropped: number;
  /** Counts the unread bytes of all sockets. */
  readonly unread: Unread;
}

export class Socket implements StreamPeer {
  readonly ip: string;
  readonly isForeign: boolean;
  readonly openedMs: number;
  /** Time of the last ping; before the first ping, the time when the socket was opened. */
  pingMs: number;
  /** Time of the first unanswered ping; Infinity if all were answered. */
  awaitingPongMs = Number.POSITIVE_INFINITY;
  readonly #ws: WebSocket;
  readonly #duplex: TcpSocket;
  readonly #share: SocketShare;
  #sink: FrameSink | undefined;
  #second = 0;
  #messagesInSecond = 0;
  #isHeld = false;
  /** Number of unread bytes when `hold` was called. */
  #waitedBytes = 0;
  #isClosing = false;
  /** Cancels the termination timer. An active timer would retain the socket and its service until it fires. */
  #hasGone: Cancel | undefined;
  /** Messages queued behind a text that is being sent in fragments; undefined if there is no such text. */
  #behind: { readonly sends: (() => void)[]; bytes: number } | undefined;

  constructor(
    ws: WebSocket,
    duplex: TcpSocket,
    { ip, isForeign }: Pick<StreamPeer, "ip" | "isForeign">,
    share: SocketShare,
  ) {
    this.#ws = ws;
    this.#duplex = duplex;
    this.#share = share;
    this.ip = ip;
    this.isForeign = isForeign;
    this.openedMs = this.pingMs = share.world.nowMs();
    ws.on("error", ignore);
    ws.on("ping", () => this.#isWithinRate());
    ws.on("pong", () => {
      if (this.#isWithinRate()) this.awaitingPongMs = Number.POSITIVE_INFINITY;
    });
    ws.on("close", () => this.#closed());
  }

  /** Tells the client that the exchange is stopping, and closes the connection. */
  shutDown(timeMs: number): void {
    const message = this.#sink?.shutdownMessage?.(timeMs);
    if (message !== undefined) this.send(message);
    this.close(CLOSE.goingAway, "the exchange is stopping");
  }

  /** Starts passing the client's frames to `sink`. `isRated`: text messages count towards the message rate. */
  serve(sink: FrameSink, isRated: boolean): void {
    if (this.#ws.readyState > this.#ws.OPEN) {
      sink.closed();
      return;
    }
    this.#sink = sink;
    this.#ws.on("message", (data: Buffer, isBinary: boolean) => {
      if (this.#isClosing || (isRated && !this.#isWithinRate())) return;
      if (isBinary) sink.receiveBinary();
      else sink.receive(data.toString());
    });
  }

  /** Restarts the count of messages after the clock was set back. */
  countAnew(): void {
    this.#second = 0;
  }

  send(text: string): void {
    this.write(textFrames([text]), 1);
  }

  sendParts(before: string, shared: LongText, behind: string): void {
    if (!this.#takes(1)) return;
    if (this.#behind !== undefined && this.#waits(shared.length, () => this.sendParts(before, shared, behind))) return;
    const [first, last] = [Buffer.from(before), Buffer.from(behind)];
    this.#duplex.cork();
    this.#duplex.write(frameHeader(first.length + shared.length + last.length));
    for (const part of [first, ...shared.pieces, last]) this.#duplex.write(part);
    this.#duplex.uncork();
    if (!this.#isHeld) this.noteUnread();
  }

  write(frames: Buffer, messages: number): void {
    if (!this.#takes(messages)) return;
    if (this.#behind !== undefined && this.#waits(frames.length, () => this.write(frames, 0))) return;
    this.#duplex.write(frames);
    if (!this.#isHeld) this.noteUnread();
  }

  spoil(text: string, spoil: Spoil): void {
    if (!this.#takes(1) || this.#waits(text.length, () => this.spoil(text, spoil))) return;
    this.#behind = { sends: [], bytes: 0 };
    spoil(new FaultyText(text, this.#duplex, () => this.#goOn()));
  }

  cut(): void {
    this.#isClosing = true;
    this.#duplex.destroySoon();
  }

  /** Queues the message if a text is being sent in fragments. Returns false if none is. */
  #waits(bytes: number, send: () => void): boolean {
    const behind = this.#behind;
    if (behind === undefined) return false;
    behind.sends.push(send);
    behind.bytes += bytes;
    if (behind.bytes > this.#share.limits.maxBufferedBytes) this.#dropSlow();
    return true;
  }

  #goOn(): void {
    const sends = this.#behind?.sends ?? [];
    this.#behind = undefined;
    for (const send of sends) send();
  }

  /** Counts messages about to be written. Returns false if they must not be written. */
  #takes(messages: number): boolean {
    if (this.#isClosing || this.#ws.readyState !== this.#ws.OPEN) return false;
    if (this.#isSlow()) {
      this.#dropSlow();
      return false;
    }
    this.#share.messagesSent += messages;
    return true;
  }

  whenRead(): Promise<unknown> | undefined {
    const duplex = this.#duplex;
    if (!duplex.writableNeedDrain || duplex.destroyed) return undefined;
    return drainedOrClosed(duplex);
  }

  hold(): boolean {
    if (this.#isHeld) return false;
    this.#isHeld = true;
    this.#waitedBytes = this.#duplex.writableLength;
    this.#duplex.cork();
    return true;
  }

  release(): void {
    this.#isHeld = false;
    this.#duplex.uncork();
    this.noteUnread();
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#hasGone = this.#share.world.after(this.#share.limits.closeTimeoutMs, () => this.terminate());
    this.#ws.close(code, reason);
  }

  terminate(): void {
    this.#ws.terminate();
  }

  ping(nowMs: number): void {
    this.pingMs = nowMs;
    this.awaitingPongMs = Math.min(this.awaitingPongMs, nowMs);
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping(ignore);
  }

  /**
   * Whether too many bytes are unread. Bytes buffered since `hold` do not count, because the client could not have read
   * them yet.
   */
  #isSlow(): boolean {
    const waiting = this.#isHeld ? this.#waitedBytes : this.#duplex.writableLength;
    return waiting > this.#share.limits.maxBufferedBytes;
  }

  /** Reports bytes that the operating system did not accept immediately, including the pongs of `ws`. */
  noteUnread(): void {
    if (this.#duplex.writableLength > 0) this.#share.unread.note(this.#duplex, this.ip, this.#cutOff);
  }

  /** Terminates without a close frame, because a client that does not read would not read that frame either. */
  readonly #cutOff = (): void => this.terminate();

  #dropSlow(): void {
    this.#share.slowDropped++;
    this.close(CLOSE.policy, "too slow: messages were not read");
  }

  /** Counts a frame from the client. Above the rate, disconnects the client and returns false. */
  #isWithinRate(): boolean {
    if (!this.#share.limitsRates) return true;
    const second = Math.floor(this.#share.clock.nowMs() / SECOND_MS);
    if (second !== this.#second) {
      this.#second = second;
      this.#messagesInSecond = 0;
    }
    if (++this.#messagesInSecond <= this.#share.limits.maxMessagesASecond) return true;
    this.close(CLOSE.policy, "too many messages in a second");
    return false;
  }

  #closed(): void {
    this.#isClosing = true;
    this.#hasGone?.();
    this.#sink?.closed();
    this.#sink = undefined;
  }
}

/** `ws` closes a socket on an error, so the error needs no handling here. */
function ignore(): void {}
