/** Long texts: generated once, shared by all recipients, and compressed once on Node's thread pool. */
import { crc32, createDeflateRaw, gzip } from "node:zlib";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createHash, type Hash } from "node:crypto";

// Combines the CRC-32 checksums (RFC 1952) of two texts. The checksums are polynomials over bits. Appending `n` bytes
// to a text multiplies its checksum by x^8n, modulo the CRC-32 polynomial. The lowest bit of a number is the highest
// power.

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

/** The factor x^8n for `n` appended bytes. */
export function crcShift(bytes: number): number {
  let result = ONE;
  let square = X_TO_8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = times(result, square);
    square = times(square, square);
  }
  return result;
}

/**
 * The checksum of a text followed by a second one, from their checksums. `shift` is the `crcShift` of the second text's
 * length.
 */
export function crcOfBoth(first: Buffer, secondCrc: number, shift: number): number {
  return (times(crc32(first), shift) ^ secondCrc) >>> 0;
}

// Compression on Node's thread pool. It uses at most half of the pool's threads, and its queue is bounded because each
// compressor needs 256 KiB.

export const MAX_PACKED_AT_A_TIME = 2;
/** Maximum number of responses that wait for compression; further ones are sent uncompressed. */
export const MAX_WAITING_TO_BE_PACKED = 64;
/** Size of a compressed chunk in bytes. */
const CHUNK_BYTES = 64 * 1024;

export class Packer {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** Resolves to null if too many responses are waiting, or if the compression fails. */
  async run<Packed>(work: () => Promise<Packed>): Promise<Packed | null> {
    if (this.#underWay >= MAX_PACKED_AT_A_TIME) {
      if (this.#waiting.length >= MAX_WAITING_TO_BE_PACKED) return null;
      // Resolved when another compression ends and passes its slot on.
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

/** Compresses the pieces to a complete raw deflate stream. */
async function deflatePieces(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const packed: Buffer[] = [];
  const stream = Readable.from(pieces).pipe(createDeflateRaw({ chunkSize: CHUNK_BYTES }));
  for await (const chunk of stream) packed.push(chunk as Buffer);
  return packed;
}

/** A long response: a short head that differs by request, followed by a shared text. Together they are JSON. */
export interface LongBody {
  /** Short and ASCII only. */
  readonly head: string;
  readonly text: LongText;
}

/** The body of a response: a short text, generated for each request, or a long one, which is shared. */
export type Body = string | LongBody;

/** Number of base64 characters of the hash in an ETag: 132 bits. */
const TAG_LENGTH = 22;

/** Collects a text in pieces. Joining the pieces would take longer than generating any of them. */
export class LongTextWriter {
  readonly #pieces: Buffer[] = [];
  readonly #hash: Hash | undefined;
  #length = 0;
  #crc = 0;

  /** `isKept`: clients will request the text again, so it gets an ETag. Equal bytes have the same ETag on all nodes. */
  constructor(isKept = false) {
    this.#hash = isKept ? createHash("sha256") : undefined;
  }

  /** Bytes are UTF-8. They are shared and must not be changed. */
  add(text: string | Buffer): void {
    const piece = typeof text === "string" ? Buffer.from(text) : text;
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
/** Header of a deflate block that is not the last one and stores its bytes uncompressed. RFC 1951, 3.2.4. */
const STORED = 0;
const STORED_HEADER_BYTES = 5;
/** Maximum number of bytes in a stored block. */
const MOST_STORED = 0xffff;

export class LongText {
  /** The bytes of the text. They must not be changed. */
  readonly pieces: readonly Buffer[];
  /** Length of the text in bytes. */
  readonly length: number;
  /**
   * The ETag of a text that clients request again. It is weak, because the heads and the compressed bytes may differ.
   */
  readonly etag: string | undefined;
  readonly #crc: number;
  #deflated: Promise<readonly Buffer[] | null> | undefined;

  constructor({ pieces, length, crc }: Written, etag: string | undefined) {
    this.pieces = pieces;
    this.length = length;
    this.etag = etag;
    this.#crc = crc;
  }

  /** Resolves to a gzip member with `head` and the text; null if too many responses are waiting for compression. */
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

/** Wraps the head in its own uncompressed block, so that the shared text is not compressed again. */
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

/** The body as one string. */
export function textOf(body: string | LongBody): string {
  return typeof body === "string" ? body : body.head + Buffer.concat(body.text.pieces).toString();
}
