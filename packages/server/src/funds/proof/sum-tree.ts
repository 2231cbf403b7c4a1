/**
 * A Merkle sum tree of one asset: each holder has one leaf, at a place that only the proof's key tells, all other leaves
 * are padding of nothing, and each node binds hash and sum of both its children.
 */
import assert from "node:assert/strict";
import { endianness } from "node:os";
import { contextHash, ENTRY_BYTES, DIGEST_BYTES, sumBytes, sumOf, type TreeContext, TreeHasher } from "./hashing.ts";
import { keystream } from "./keys.ts";
import { LEAVES_FOR_HOLDERS, MAX_DEPTH, MAX_SUM, MIN_DEPTH } from "./limits.ts";

/** What a venue owes customers in one asset. `amounts` > 0, in units of the asset, side by side with `accountIds`. */
export interface Holdings {
  readonly accountIds: readonly number[];
  readonly amounts: readonly bigint[];
}

/** A step of the way to the root: the entry beside. `hash` is 64 hex digits. */
export type Step = readonly [sum: string, hash: string];

/** Returns the entry (a hash and a sum) of a node: the root is 1, and the children of n are 2 n and 2 n + 1. */
export type ReadEntry = (node: number) => Buffer;

/** The smallest that has room for the holders and their padding. */
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
  /** All entries, the root at 1; at 0 stands nothing. */
  readonly entries: Buffer;
  /** The leaf of each holder, side by side with the holdings. */
  readonly leaves: Uint32Array;

  /** `customerOf` returns what `customerHash` makes of an account. */
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

/** Returns the way of a leaf to the root, from the bottom up. */
export function pathOf(leaf: number, depth: number, read: ReadEntry): Step[] {
  const steps: Step[] = [];
  for (let node = 2 ** depth + leaf; node > 1; node = Math.floor(node / 2)) {
    const beside = read(node % 2 === 0 ? node + 1 : node - 1);
    steps.push([String(sumOf(beside.subarray(DIGEST_BYTES))), beside.toString("hex", 0, DIGEST_BYTES)]);
  }
  return steps;
}

/**
 * The numbers below `size`, sorted by random words: the word in the high half of 64 bits, the number in the low one, so
 * that they sort as whole numbers without a comparison of ours.
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

/** Writes the sum of the two children at `from`, four bytes at a time. */
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
