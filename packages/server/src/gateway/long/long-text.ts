/** Texts of which many bytes are sent: made once, shared by all who get them, compressed once. */
import { createHash, type Hash } from "node:crypto";
import { crcOfBoth, crcShift } from "./crc.ts";
import type { Packer } from "./packer.ts";

/** An answer: what is new in each, then what is the same for many. Together they are JSON. */
export interface LongBody {
  /** ASCII, and short. */
  readonly head: string;
  readonly text: LongText;
}

interface Packed {
  /** Of `gzip`. */
  readonly whole: Buffer;
  /** Where a head can be put before it: what `gzip` wrote between its header and its trailer. */
  readonly deflated: Buffer;
  readonly crc: number;
  readonly shift: number;
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const TRAILER_BYTES = 8;
/** A block of deflate that is not the last, and whose bytes are as they are. RFC 1951, 3.2.4. */
const STORED = 0;
/** Bytes in one such block, at most. */
const MOST_STORED = 0xffff;

const TAG_LENGTH = 22;

export class LongText {
  /** Not to be changed. */
  readonly bytes: Buffer;
  /** As `W/"..."` where one is kept: the same while `bytes` are. */
  readonly etag: string | undefined;
  #packed: Promise<Packed | null> | undefined;

  constructor(bytes: Buffer, etag?: string) {
    this.bytes = bytes;
    this.etag = etag;
  }

  /** One gzip member that holds `head` and the text. Null: too much waits for compression. */
  async packed(packer: Packer, head: string): Promise<readonly Buffer[] | null> {
    this.#packed ??= this.#pack(packer);
    const packed = await this.#packed;
    if (packed === null) {
      this.#packed = undefined;
      return null;
    }
    return head === "" ? [packed.whole] : this.#withHead(packed, head);
  }

  #pack(packer: Packer): Promise<Packed | null> {
    return new Promise((resolve) => {
      packer.pack(this.bytes, (whole) => {
        if (whole === null) {
          resolve(null);
          return;
        }
        const deflated = whole.subarray(GZIP_HEADER.length, -TRAILER_BYTES);
        const crc = whole.readUInt32LE(whole.length - TRAILER_BYTES);
        resolve({ whole, deflated, crc, shift: crcShift(this.bytes.length) });
      });
    });
  }

  /** The head goes uncompressed into a block of its own, so that the rest need not be compressed again. */
  #withHead({ deflated, crc, shift }: Packed, head: string): Buffer[] {
    const stored = Buffer.from(head, "latin1");
    if (stored.length > MOST_STORED) throw new RangeError("the head of a long text is short");
    const block = Buffer.alloc(5);
    block.writeUInt8(STORED, 0);
    block.writeUInt16LE(stored.length, 1);
    block.writeUInt16LE(~stored.length & MOST_STORED, 3);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(crcOfBoth(stored, crc, shift), 0);
    trailer.writeUInt32LE((stored.length + this.bytes.length) % 2 ** 32, 4);
    return [Buffer.concat([GZIP_HEADER, block, stored]), deflated, trailer];
  }
}

/** One that will be asked for again. Who has the same bytes, of this node or an earlier one, is told so. */
export function keptText(pieces: readonly Buffer[]): LongText {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return new LongText(Buffer.concat(pieces), weakTag(hash));
}

/** Weak: a head differs each time, and what is compressed has other bytes. */
export function weakTag(hash: Hash): string {
  return `W/"${hash.digest("base64url").slice(0, TAG_LENGTH)}"`;
}

/** For who reads it as text. */
export function textOf(body: string | LongBody): string {
  return typeof body === "string" ? body : body.head + body.text.bytes.toString();
}
