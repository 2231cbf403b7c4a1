/**
 * The tree of one asset in a file, so that a customer's part is read from it in a moment: its entries, and behind them
 * each holder's number (8 bytes) and leaf (4 bytes), in ascending order of the numbers.
 */
import assert from "node:assert/strict";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { ENTRY_BYTES } from "../hashing.ts";
import type { AssetTree } from "../proof.ts";
import type { ReadEntry } from "../sum-tree.ts";

const HOLDER_BYTES = 12;

export function writeTree(path: string, { owed, tree }: AssetTree): void {
  const { accountIds } = owed.holdings;
  const holders = Buffer.alloc(accountIds.length * HOLDER_BYTES);
  for (const [n, accountId] of accountIds.entries()) {
    assert(n === 0 || accountId > (accountIds[n - 1] as number), "holders are in ascending order");
    holders.writeBigUInt64BE(BigInt(accountId), n * HOLDER_BYTES);
    holders.writeUInt32BE(tree.leaves[n] as number, n * HOLDER_BYTES + 8);
  }
  const file = openSync(path, "wx", 0o600);
  try {
    for (const bytes of [tree.entries, holders]) writeAll(file, bytes);
  } finally {
    closeSync(file);
  }
}

/** Calls `use` with the account's leaf and a reader of entries; returns undefined when the account holds nothing. */
export function withLeaf<T>(
  path: string,
  depth: number,
  accountId: number,
  use: (leaf: number, read: ReadEntry) => T,
): T | undefined {
  const file = openSync(path, "r");
  try {
    const read: ReadEntry = (node) => readAt(file, node * ENTRY_BYTES, ENTRY_BYTES) ?? assert.fail("a tree is whole");
    const leaf = findLeaf(file, 2 ** (depth + 1) * ENTRY_BYTES, accountId);
    return leaf === undefined ? undefined : use(leaf, read);
  } finally {
    closeSync(file);
  }
}

/** Halves what is left until it is found; the end of the file is beyond the last. */
function findLeaf(file: number, from: number, accountId: number): number | undefined {
  const holder = (n: number): Buffer | undefined => readAt(file, from + n * HOLDER_BYTES, HOLDER_BYTES);
  let [low, high] = [0, 1];
  while ((holder(high)?.readBigUInt64BE() ?? Infinity) < accountId) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((holder(middle)?.readBigUInt64BE() ?? Infinity) < accountId) low = middle + 1;
    else high = middle;
  }
  const found = holder(low);
  return found !== undefined && found.readBigUInt64BE() === BigInt(accountId) ? found.readUInt32BE(8) : undefined;
}

function readAt(file: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  return readSync(file, bytes, 0, length, at) === length ? bytes : undefined;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
