/**
 * The hashes of a tree: SHA-256 over one tag byte and fields of fixed lengths, numbers with the high byte first. No two
 * kinds of thing can have the same bytes, and everything that a leaf or node means stands in them.
 */
import { hash } from "node:crypto";

const LEAF = 0;
const NODE = 1;
const CUSTOMER = 2;
const CONTEXT = 3;

export const DIGEST_BYTES = 32;
const SUM_BYTES = 16;
/** A hash and a sum, side by side. */
export const ENTRY_BYTES = DIGEST_BYTES + SUM_BYTES;

/** A tree, and the moment of the state that it describes. */
export interface TreeContext {
  readonly seq: number;
  /** 64 hex digits. */
  readonly chainHash: string;
  readonly asset: string;
  readonly assetId: number;
  readonly decimals: number;
  readonly depth: number;
}

/** Stands in every leaf and node of a tree: none can be moved to another asset, moment or size of tree. */
export function contextHash({ seq, chainHash, asset, assetId, decimals, depth }: TreeContext): Buffer {
  const text = [seq, chainHash, asset, assetId, decimals, depth].join("\n");
  return sha256(Buffer.concat([Buffer.of(CONTEXT), Buffer.from(text, "utf8")]));
}

/** Whose leaf it is: `secret` (32 bytes) keeps others from guessing the rest. */
export function customerHash(secret: Uint8Array, accountId: number, email: string): Buffer {
  const id = Buffer.alloc(8);
  id.writeBigUInt64BE(BigInt(accountId));
  return sha256(Buffer.concat([Buffer.of(CUSTOMER), secret, id, Buffer.from(email, "utf8")]));
}

export function sumBytes(sum: bigint): Buffer {
  const bytes = Buffer.alloc(SUM_BYTES);
  bytes.writeBigUInt64BE(sum >> 64n, 0);
  bytes.writeBigUInt64BE(sum & 0xffff_ffff_ffff_ffffn, 8);
  return bytes;
}

export function sumOf(bytes: Buffer): bigint {
  return (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
}

/** Hashes the leaves and nodes of one tree. */
export class TreeHasher {
  readonly #leaf: Buffer;
  readonly #node: Buffer;

  constructor(context: Uint8Array) {
    this.#leaf = Buffer.concat([Buffer.of(LEAF), context, Buffer.alloc(4 + DIGEST_BYTES + SUM_BYTES)]);
    this.#node = Buffer.concat([Buffer.of(NODE), context, Buffer.alloc(1 + 4 + 2 * ENTRY_BYTES)]);
  }

  /** `customer` has 32 bytes, `sum` 16. Returns the hash in Latin-1, a character a byte: several times as fast as a buffer of its own. */
  leaf(index: number, customer: Buffer, sum: Buffer): string {
    const bytes = this.#leaf;
    bytes.writeUInt32BE(index, 1 + DIGEST_BYTES);
    bytes.set(customer, 5 + DIGEST_BYTES);
    bytes.set(sum, 5 + 2 * DIGEST_BYTES);
    return hash("sha256", bytes, "binary");
  }

  /** `children` are two entries, the left one first, that begin at `at`; `level` counts from 0 at the leaves. As `leaf`. */
  node(level: number, index: number, children: Buffer, at = 0): string {
    const bytes = this.#node;
    bytes[1 + DIGEST_BYTES] = level;
    bytes.writeUInt32BE(index, 2 + DIGEST_BYTES);
    children.copy(bytes, 6 + DIGEST_BYTES, at, at + 2 * ENTRY_BYTES);
    return hash("sha256", bytes, "binary");
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}
