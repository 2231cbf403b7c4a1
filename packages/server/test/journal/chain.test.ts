/** The input of the chain hash, in a straightforward implementation: it can be recomputed from the journal alone. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { chainHashOf, GENESIS_CHAIN_HASH } from "../../src/journal/chain.ts";
import type { NewBatch } from "../../src/journal/port.ts";

function plainHash(previous: string, { firstSeq, count, timeMs, node, priorEventDigest, bytes }: NewBatch): string {
  const number = (value: number): Buffer => {
    const eight = Buffer.alloc(8);
    eight.writeBigUInt64BE(BigInt(value));
    return eight;
  };
  const [name, digest] = [Buffer.from(node), Buffer.from(priorEventDigest)];
  const lengths = [name.length, digest.length, bytes.length];
  const numbers = [firstSeq, count, timeMs, ...lengths].map(number);
  return createHash("sha256")
    .update(Buffer.concat([Buffer.from(previous, "hex"), ...numbers, name, digest, bytes]))
    .digest("hex");
}

test("a row of any size, with a node name in any script, has the hash of its fields", () => {
  const priorEventDigest = "00ff00ff12345678";
  const numbers: readonly [firstSeq: number, count: number, timeMs: number][] = [
    [1, 1, 0],
    [2 ** 32 - 1, 7, 1_768_000_000_000],
    [Number.MAX_SAFE_INTEGER - 9, 9, 2 ** 32],
  ];
  let previous = GENESIS_CHAIN_HASH;
  for (const [firstSeq, count, timeMs] of numbers) {
    for (const node of ["lab", "", "börse-1", "取引所", "node-\u{1f4c8}-2", "a".repeat(7000)]) {
      for (const length of [0, 1, 300, (1 << 14) - 40, 1 << 14, 1 << 20]) {
        const bytes = new Uint8Array(length).map((_, index) => index * 31 + length);
        const row = { firstSeq, count, timeMs, node, priorEventDigest, bytes };
        const found = chainHashOf(previous, row);
        assert.equal(found, plainHash(previous, row), `${node} ${length}`);
        previous = found;
      }
    }
  }
});

test("rows with invalid numbers are rejected", () => {
  const row = { firstSeq: 1, count: 1, timeMs: 0, node: "lab", priorEventDigest: "0", bytes: new Uint8Array(1) };
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) {
    assert.throws(() => chainHashOf(GENESIS_CHAIN_HASH, { ...row, timeMs: wrong }));
  }
});
