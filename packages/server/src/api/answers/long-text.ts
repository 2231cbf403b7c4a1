/** Long texts: made once, shared by all recipients, compressed once on node's thread pool. */
import { crc32, createDeflateRaw, gzip } from "node:zlib";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createHash, type Hash } from "node:crypto";

// Combines the checksums of gzip (CRC-32, RFC 1952) of two texts. Appending `n` bytes to a text multiplies its checksum
// by x^8n: polynomials over bits, modulo that of CRC-32. The lowest bit of a number is the highest power.

const POLYNOMIAL = 0xedb88320;
/** The polynomial 1. */
const ONE = 2 ** 31;
const X_TO_8 = ONE >>> 8;

function times(a: number, b: number): number {
  let product = 0;
  let power = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= power;
    power = (power & 1) === 1 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1;
  }
  return product >>> 0;
}

/** x^8n: the factor for `bytes` more bytes. */
export function crcShift(bytes: number): number {
  let result = ONE;
  let square = X_TO_8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = times(result, square);
    square = times(square, square);
  }
  return result;
}

/** Checksum of `first` followed by a text with the checksum `secondCrc`; `shift` is the `crcShift` of its length. */
export function crcOfBoth(first: Buffer, secondCrc: number, shift: number): number {
  return (times(crc32(first), shift) ^ secondCrc) >>> 0;
}

// Compression, on node's thread pool. Half of the pool is left to its other users, and the queue is bounded: a
// compressor takes a quarter of a megabyte while it works.

export const MAX_PACKED_AT_A_TIME = 2;
/** Answers that wait for a compressor; further ones are sent uncompressed. */
export const MAX_WAITING_TO_BE_PACKED = 64;
/** Size of the compressed chunks. */
const CHUNK_BYTES = 64 * 1024;

export class Packer {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** Null when too much waits, or when the work failed. */
  async run<Packed>(work: () => Promise<Packed>): Promise<Packed | null> {
    if (this.#underWay >= MAX_PACKED_AT_A_TIME) {
      if (this.#waiting.length >= MAX_WAITING_TO_BE_PACKED) return null;
      // The request before this one hands its place over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#underWay++;
    }
    try {
      return await work();
    } catch {
      return null;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }
}

export const gzipText: (text: string) => Promise<Buffer> = promisify<string, Buffer>(gzip);

/** A raw stream of deflate, complete. */
async function deflatePieces(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const packed: Buffer[] = [];
  const stream = Readable.from(pieces).pipe(createDeflateRaw({ chunkSize: CHUNK_BYTES }));
  for await (const chunk of stream) packed.push(chunk as Buffer);
  return packed;
}

/** An answer: a head that is new in each, then a text that many share. Together they are JSON. */
export interface LongBody {
  /** ASCII, and short. */
  readonly head: string;
  readonly text: LongText;
}

/** Short answers are made anew each time. */
export type Body = string | LongBody;

/** Characters of the hash in a tag: 132 bits. */
const TAG_LENGTH = 22;

/** Takes a text piece by piece: joining them at the end would take longer than making any of them. */
export class LongTextWriter {
  readonly #pieces: Buffer[] = [];
  readonly #hash: Hash | undefined;
  #length = 0;
  #crc = 0;

  /** `isKept`: clients will ask again; one that has the same bytes, of this node or an earlier one, is told so. */
  constructor(isKept = false) {
    this.#hash = isKept ? createHash("sha256") : undefined;
  }

  add(text: string): void {
    const piece = Buffer.from(text);
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#crc = crc32(piece, this.#crc);
    this.#hash?.update(piece);
  }

  text(): LongText {
    const tag = this.#hash?.digest("base64url").slice(0, TAG_LENGTH);
    const etag = tag === undefined ? undefined : `W/"${tag}"`;
    return new LongText({ pieces: this.#pieces, length: this.#length, crc: this.#crc }, etag);
  }
}

interface Written {
  readonly pieces: readonly Buffer[];
  readonly length: number;
  readonly crc: number;
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const TRAILER_BYTES = 8;
/** A deflate block that is not the last and holds its bytes unchanged. RFC 1951, 3.2.4. */
const STORED = 0;
const STORED_HEADER_BYTES = 5;
/** Most bytes in one such block. */
const MOST_STORED = 0xffff;

export class LongText {
  /** Must not be changed. */
  readonly pieces: readonly Buffer[];
  /** In bytes. */
  readonly length: number;
  /** A tag for a kept text, constant while its bytes are. It is weak, because heads and compressed bytes differ. */
  readonly etag: string | undefined;
  readonly #crc: number;
  #deflated: Promise<readonly Buffer[] | null> | undefined;

  constructor({ pieces, length, crc }: Written, etag: string | undefined) {
    this.pieces = pieces;
    this.length = length;
    this.etag = etag;
    this.#crc = crc;
  }

  /** One gzip member with `head` and the text. Null when too much waits for compression. */
  async packed(packer: Packer, head: string): Promise<readonly Buffer[] | null> {
    this.#deflated ??= packer.run(() => deflatePieces(this.pieces));
    const deflated = await this.#deflated;
    if (deflated === null) this.#deflated = undefined;
    return deflated && [Buffer.concat([GZIP_HEADER, ...stored(head)]), ...deflated, this.#trailer(head)];
  }

  #trailer(head: string): Buffer {
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(crcOfBoth(Buffer.from(head), this.#crc, crcShift(this.length)), 0);
    trailer.writeUInt32LE((head.length + this.length) % 2 ** 32, 4);
    return trailer;
  }
}

/** A block of its own, uncompressed, so that the text after it need not be compressed again. */
function stored(head: string): Buffer[] {
  if (head === "") return [];
  const bytes = Buffer.from(head);
  if (bytes.length !== head.length || bytes.length > MOST_STORED) throw new RangeError("a head is short ASCII text");
  const header = Buffer.alloc(STORED_HEADER_BYTES);
  header.writeUInt8(STORED, 0);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(~bytes.length & MOST_STORED, 3);
  return [header, bytes];
}

/** The body as one text. */
export function textOf(body: string | LongBody): string {
  return typeof body === "string" ? body : body.head + Buffer.concat(body.text.pieces).toString();
}
