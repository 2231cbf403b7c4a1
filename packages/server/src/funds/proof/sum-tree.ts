/**
 * A Merkle sum tree of one asset. Each holder has one leaf, at a place derived from the proof's key; all other leaves
 * are padding with amount 0. Each node's hash covers the hashes and sums of both children.
 */
import { hash } from "node:crypto";
import assert from "node:assert/strict";
import { endianness } from "node:os";
import { keystream } from "./keys.ts";
import { LEAVES_FOR_HOLDERS, MAX_DEPTH, MAX_SUM, MIN_DEPTH } from "./lines.ts";

// A hash is SHA-256 over a tag byte and fixed-length big-endian fields. Different kinds of objects never hash the same
// bytes, and the bytes include everything that a leaf or node states.

const LEAF = 0;
const NODE = 1;
const CUSTOMER = 2;
const CONTEXT = 3;

export const DIGEST_BYTES = 32;
const SUM_BYTES = 16;
/** A hash followed by a sum. */
export const ENTRY_BYTES = DIGEST_BYTES + SUM_BYTES;

/** Identifies a tree: its asset and size, and the position of the state. */
export interface TreeContext {
  readonly seq: number;
  /** 64 hex digits. */
  readonly chainHash: string;
  readonly asset: string;
  readonly assetId: number;
  readonly decimals: number;
  readonly depth: number;
}

/** Hashed into every leaf and node, so that none can be reused for another asset, position or tree size. */
export function contextHash({ seq, chainHash, asset, assetId, decimals, depth }: TreeContext): Buffer {
  const text = [seq, chainHash, asset, assetId, decimals, depth].join("\n");
  return sha256(Buffer.concat([Buffer.of(CONTEXT), Buffer.from(text, "utf8")]));
}

/** Identifies the owner of a leaf. `secret` (32 bytes) prevents others from guessing the account id and email. */
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

  /**
   * Hashes a leaf. `customer` has 32 bytes, `sum` 16. Returns a Latin-1 string, which is several times faster than a
   * buffer.
   */
  leaf(index: number, customer: Buffer, sum: Buffer): string {
    const bytes = this.#leaf;
    bytes.writeUInt32BE(index, 1 + DIGEST_BYTES);
    bytes.set(customer, 5 + DIGEST_BYTES);
    bytes.set(sum, 5 + 2 * DIGEST_BYTES);
    return hash("sha256", bytes, "binary");
  }

  /**
   * Hashes a node. `children` contains the left and the right entry, starting at `at`; `level` counts from 0 at the
   * leaves. Returns the hash as a Latin-1 string, like `leaf`.
   */
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

/**
 * The liabilities to customers in one asset. `amounts` are positive, in the asset's smallest units, parallel to
 * `accountIds`.
 */
export interface Holdings {
  readonly accountIds: readonly number[];
  readonly amounts: readonly bigint[];
}

/** A step of the path to the root: sum and hash of the sibling. `hash` is 64 hex digits. */
export type Step = readonly [sum: string, hash: string];

/** Returns the entry (hash and sum) of a node. The root is node 1; the children of node n are 2n and 2n + 1. */
export type ReadEntry = (node: number) => Buffer;

/** The smallest depth with room for the holders and their padding. */
export function depthFor(holders: number): number {
  const [leaves, forHolders] = LEAVES_FOR_HOLDERS;
  const wanted = Math.ceil((holders * leaves) / forHolders);
  let depth = MIN_DEPTH;
  while (2 ** depth < wanted) depth++;
  assert(depth <= MAX_DEPTH, "more holders than a tree can have");
  return depth;
}

export class SumTree {
  readonly depth: number;
  /** All entries, with the root at index 1; index 0 is unused. */
  readonly entries: Buffer;
  /** The leaf of each holder, parallel to the holdings. */
  readonly leaves: Uint32Array;

  /** `customerOf` returns the `customerHash` of an account. */
  constructor(
    about: TreeContext,
    { accountIds, amounts }: Holdings,
    proofKey: Uint8Array,
    customerOf: (accountId: number) => Buffer,
  ) {
    this.depth = about.depth;
    const size = 2 ** about.depth;
    assert(accountIds.length <= size, "a tree has a leaf for each holder");
    const context = contextHash(about);
    const hasher = new TreeHasher(context);
    const order = shuffled(size, proofKey, context);
    this.leaves = order.slice(0, accountIds.length);
    this.entries = Buffer.alloc(2 * size * ENTRY_BYTES);
    const padding = keystream(proofKey, "padding", context, (size - accountIds.length) * DIGEST_BYTES);
    const nothing = sumBytes(0n);
    for (let n = 0; n < size; n++) {
      const isHolder = n < accountIds.length;
      const leaf = order[n] as number;
      const sum = isHolder ? sumBytes(checked(amounts[n] as bigint)) : nothing;
      const customer = isHolder
        ? customerOf(accountIds[n] as number)
        : padding.subarray((n - accountIds.length) * DIGEST_BYTES, (n - accountIds.length + 1) * DIGEST_BYTES);
      const at = (size + leaf) * ENTRY_BYTES;
      this.entries.write(hasher.leaf(leaf, customer, sum), at, DIGEST_BYTES, "latin1");
      this.entries.set(sum, at + DIGEST_BYTES);
    }
    this.#addUp(hasher);
    checked(this.total);
  }

  get root(): string {
    return this.entries.subarray(ENTRY_BYTES, ENTRY_BYTES + DIGEST_BYTES).toString("hex");
  }

  get total(): bigint {
    return sumOf(this.entries.subarray(ENTRY_BYTES + DIGEST_BYTES, 2 * ENTRY_BYTES));
  }

  #addUp(hasher: TreeHasher): void {
    const { entries, depth } = this;
    for (let level = 1; level <= depth; level++) {
      const count = 2 ** (depth - level);
      for (let index = 0; index < count; index++) {
        const at = (count + index) * ENTRY_BYTES;
        entries.write(hasher.node(level, index, entries, 2 * at), at, DIGEST_BYTES, "latin1");
        addSums(entries, 2 * at + DIGEST_BYTES, at + DIGEST_BYTES);
      }
    }
  }
}

/** The path from a leaf to the root. */
export function pathOf(leaf: number, depth: number, read: ReadEntry): Step[] {
  const steps: Step[] = [];
  for (let node = 2 ** depth + leaf; node > 1; node = Math.floor(node / 2)) {
    const beside = read(node % 2 === 0 ? node + 1 : node - 1);
    steps.push([String(sumOf(beside.subarray(DIGEST_BYTES))), beside.toString("hex", 0, DIGEST_BYTES)]);
  }
  return steps;
}

/**
 * Shuffles the numbers below `size`: each is the low half of a 64-bit integer with a pseudorandom high half, so that a
 * plain numeric sort suffices.
 */
function shuffled(size: number, proofKey: Uint8Array, context: Uint8Array): Uint32Array {
  assert(endianness() === "LE", "the halves of a number are in the order of the machines that we know");
  const words = keystream(proofKey, "order", context, size * 4);
  const halves = new Uint32Array(size * 2);
  for (let n = 0; n < size; n++) {
    halves[2 * n] = n;
    halves[2 * n + 1] = words.readUInt32LE(n * 4);
  }
  new BigUint64Array(halves.buffer).sort();
  const order = new Uint32Array(size);
  for (let n = 0; n < size; n++) order[n] = halves[2 * n] as number;
  return order;
}

/** Writes the sum of the two children at `from` to `to`, four bytes at a time. */
function addSums(entries: Buffer, from: number, to: number): void {
  let carry = 0;
  for (let at = 12; at >= 0; at -= 4) {
    const sum = entries.readUInt32BE(from + at) + entries.readUInt32BE(from + ENTRY_BYTES + at) + carry;
    carry = sum >= 2 ** 32 ? 1 : 0;
    entries.writeUInt32BE(sum - carry * 2 ** 32, to + at);
  }
  assert(carry === 0, "a sum is within its sixteen bytes");
}

function checked(sum: bigint): bigint {
  assert(sum >= 0n && sum <= MAX_SUM, "a sum of liabilities is within its bounds");
  return sum;
}
