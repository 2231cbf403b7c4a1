/** Reading and writing the bytes of commands and snapshots: variable-length integers, big integers and UTF-8. */
import { InvariantBroken } from "./assert.ts";

const FIRST_CAPACITY = 1 << 12;
/** The size of the pieces in which a snapshot is written to the sink. */
const PIECE_BYTES = 1 << 16;
const TWO_28 = 2 ** 28;
/** The maximum number of bytes of an encoded number. */
const UINT_BYTES = 8;

/** Receives the next bytes of a sequence. The buffer belongs to the writer, which overwrites it after the call. */
export type PieceSink = (piece: Uint8Array) => void;

export class ByteWriter {
  readonly #sink: PieceSink | undefined;
  #buffer: Uint8Array;
  #length = 0;

  /**
   * With a sink, writes the bytes to the sink in pieces and discards them. Without one, stores all bytes for `bytes`.
   */
  constructor(sink?: PieceSink) {
    this.#sink = sink;
    this.#buffer = new Uint8Array(sink === undefined ? FIRST_CAPACITY : PIECE_BYTES);
  }

  /** Writes the remaining bytes to the sink. */
  flush(): void {
    if (this.#sink === undefined || this.#length === 0) return;
    this.#sink(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }

  /** Discards all bytes written so far. */
  clear(): void {
    this.#length = 0;
  }

  /** A copy of the bytes written so far. */
  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  /** A safe integer, zero or above: 7 bits per byte, low bits first. */
  uint(value: number): void {
    // Does not use `assert`, because building its message would be most of the cost of writing a number.
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
      throw new InvariantBroken(`not a safe unsigned integer: ${value}`);
    }
    this.#reserve(UINT_BYTES);
    let rest = value;
    while (rest >= TWO_28) {
      this.#buffer[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 128) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  bool(value: boolean): void {
    this.u8(value ? 1 : 0);
  }

  /** Any big integer: sign, then decimal groups small enough for `uint`. */
  big(value: bigint): void {
    // Most values are zero or have one group.
    if (BigInt.asUintN(49, value) === value) {
      this.#reserve(UINT_BYTES + 2);
      this.#buffer[this.#length++] = 0;
      this.uint(Number(value) + 1);
      this.#buffer[this.#length++] = 0;
      return;
    }
    this.bool(value < 0n);
    let rest = value < 0n ? -value : value;
    while (rest >= BIG_GROUP) {
      this.uint(Number(rest % BIG_GROUP) + 1);
      rest /= BIG_GROUP;
    }
    this.uint(Number(rest) + 1);
    this.uint(0);
  }

  text(value: string): void {
    // Reserves the maximum size of the text, so that it can be written again if it turns out not to be ASCII.
    this.#reserve(UINT_BYTES + value.length * 2 + 1);
    const start = this.#length;
    this.uint(value.length);
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) {
        this.#length = start;
        this.#wideText(value);
        return;
      }
      this.#buffer[this.#length++] = code;
    }
    this.u8(0);
  }

  /** Writes text that is not ASCII: 16 bits per code unit, with a mark at the end that identifies it. */
  #wideText(value: string): void {
    this.uint(value.length * 2);
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      this.#buffer[this.#length++] = code & 0xff;
      this.#buffer[this.#length++] = code >>> 8;
    }
    this.u8(1);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#buffer.length) return;
    this.flush();
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    let capacity = this.#buffer.length * 2;
    while (capacity < needed) capacity *= 2;
    const grown = new Uint8Array(capacity);
    grown.set(this.#buffer);
    this.#buffer = grown;
  }
}

const BIG_GROUP = 10n ** 15n;

/** The bytes are damaged, or were written by a newer release. */
export class MalformedBytes extends Error {
  override readonly name = "MalformedBytes";
}

/** Maximum number of characters per function call, because the number of arguments is limited. An id has fewer. */
const MOST_CODES_AT_ONCE = 256;

export class ByteReader {
  readonly #source: Uint8Array;
  #position = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#position === this.#source.length;
  }

  u8(): number {
    const value = this.#source[this.#position++];
    if (value === undefined) throw new MalformedBytes("bytes end too early");
    return value;
  }

  uint(): number {
    // Most numbers take one byte.
    const first = this.u8();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let weight = 128;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * weight;
      if (value > Number.MAX_SAFE_INTEGER) throw new MalformedBytes("integer too large");
      if (byte < 0x80) return value;
      weight *= 128;
    }
  }

  bool(): boolean {
    const value = this.u8();
    if (value > 1) throw new MalformedBytes("not a boolean");
    return value === 1;
  }

  big(): bigint {
    const negative = this.bool();
    const lowest = this.uint();
    if (lowest === 0) return 0n;
    // Most amounts are zero or have one group. A million orders share this zero instead of each storing its own.
    let value = lowest === 1 ? 0n : BigInt(lowest - 1);
    let weight = BIG_GROUP;
    for (let group = this.uint(); group !== 0; group = this.uint()) {
      value += BigInt(group - 1) * weight;
      weight *= BIG_GROUP;
    }
    return negative ? -value : value;
  }

  text(): string {
    const length = this.uint();
    const start = this.#position;
    const end = start + length;
    if (end >= this.#source.length) throw new MalformedBytes("text ends too early");
    this.#position = end;
    return this.bool() ? this.#wideText(start, end) : this.#asciiText(start, end);
  }

  #asciiText(start: number, end: number): string {
    let text = "";
    for (let at = start; at < end; at += MOST_CODES_AT_ONCE) {
      text += this.#codes(at, Math.min(at + MOST_CODES_AT_ONCE, end));
    }
    return text;
  }

  /**
   * Decodes all characters at once, because decoding the 36 characters of an id one by one takes nearly twice as long.
   */
  #codes(start: number, end: number): string {
    const codes: number[] = [];
    for (let i = start; i < end; i++) codes.push(this.#source[i] as number);
    return String.fromCharCode.apply(null, codes);
  }

  #wideText(start: number, end: number): string {
    let text = "";
    for (let i = start; i < end; i += 2) {
      text += String.fromCharCode((this.#source[i] as number) | ((this.#source[i + 1] as number) << 8));
    }
    return text;
  }
}
