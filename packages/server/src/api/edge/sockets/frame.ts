/**
 * WebSocket text frames from a server: whole, not masked, not compressed (RFC 6455, 5.2). Made here so that one buffer
 * serves every subscriber.
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

/** One frame for each text, back to back. */
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

/** The header of a frame whose text, `length` bytes, is written separately. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes(length));
  writeHeader(header, 0, length);
  return header;
}

/** A part of a text whose frames are sent bit by bit. */
export function fragment(part: Buffer, place: { readonly isFirst: boolean; readonly isLast: boolean }): Buffer {
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
