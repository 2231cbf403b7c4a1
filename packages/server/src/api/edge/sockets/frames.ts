/** WebSocket text frames sent by a server (RFC 6455): complete, or fragmented when a lab injects a fault. */
import type { Socket as TcpSocket } from "node:net";
import type { ResponseLine } from "../request.ts";

/**
 * First byte of a complete, unmasked, uncompressed text frame (RFC 6455, 5.2). Frames are built here instead of in
 * `ws`, so that all subscribers share one buffer.
 */
const TEXT = 0x81;
const FINAL = 0x80;
const TEXT_BEGINS = 0x01;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MOST_7 = 125;
const MOST_16 = 0xffff;

function headerBytes(length: number): number {
  return length <= MOST_7 ? 2 : length <= MOST_16 ? 4 : 10;
}

/** Encodes each text as one frame and concatenates the frames. */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0);
  const buffer = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (let i = 0; i < texts.length; i++) {
    const length = lengths[i] as number;
    at = writeHeader(buffer, at, length);
    buffer.write(texts[i] as string, at);
    at += length;
  }
  return buffer;
}

/** The header of a frame whose text is written separately. `length` is the text's size in bytes. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes(length));
  writeHeader(header, 0, length);
  return header;
}

/** One frame of a text that is sent in several fragments. */
function fragment(part: Buffer, place: { readonly isFirst: boolean; readonly isLast: boolean }): Buffer {
  const header = Buffer.allocUnsafe(headerBytes(part.length));
  writeHeader(header, 0, part.length, (place.isFirst ? TEXT_BEGINS : 0) | (place.isLast ? FINAL : 0));
  return Buffer.concat([header, part]);
}

function writeHeader(buffer: Buffer, start: number, length: number, first = TEXT): number {
  let at = buffer.writeUInt8(first, start);
  if (length <= MOST_7) return buffer.writeUInt8(length, at);
  if (length <= MOST_16) {
    at = buffer.writeUInt8(LENGTH_16, at);
    return buffer.writeUInt16BE(length, at);
  }
  at = buffer.writeUInt8(LENGTH_64, at);
  return buffer.writeBigUInt64BE(BigInt(length), at);
}

// A WebSocket message into which a lab injects a fault: it is sent in fragments, between which pings may be sent. RFC
// 6455, 5.4.

export class FaultyText implements ResponseLine {
  readonly body: Buffer;
  readonly #socket: TcpSocket;
  /** Called when further messages may be sent on the socket. */
  readonly #onOver: () => void;
  #isFirst = true;
  #isOver = false;

  constructor(text: string, socket: TcpSocket, onOver: () => void) {
    this.body = Buffer.from(text);
    this.#socket = socket;
    this.#onOver = onOver;
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  sendHead(): void {}

  write(bytes: Buffer): void {
    if (!this.#isOver) this.#send(bytes, false);
  }

  done(): void {
    if (!this.#closes()) return;
    this.#send(Buffer.alloc(0), true);
    this.#onOver();
  }

  end(): void {
    if (this.#closes()) this.#socket.destroySoon();
  }

  reset(): void {
    if (this.#closes()) this.#socket.resetAndDestroy();
  }

  abandon(): void {
    if (this.#closes()) this.#onOver();
  }

  #send(part: Buffer, isLast: boolean): void {
    if (!this.#socket.writable) return;
    this.#socket.write(fragment(part, { isFirst: this.#isFirst, isLast }));
    this.#isFirst = false;
  }

  /** Marks the text as ended. Returns false if it already was. */
  #closes(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }
}
