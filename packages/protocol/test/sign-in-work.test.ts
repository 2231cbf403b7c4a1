/** The proof of work of a sign-in: its hashes are SHA-256, and each additional bit doubles the work. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { isWorkNonce, MAX_WORK_NONCE, workNonce } from "../src/sign-in-work.ts";

const PREFIX = "0123456789abcdef0123456789abcdef";

/** The number of leading zero bits, by another implementation. */
function zeroBits(piece: number, nonce: number): number {
  return Math.clz32(Number.parseInt(hash("sha256", `${PREFIX}:${piece}:${nonce}`, "hex").slice(0, 8), 16));
}

test("a number is valid if its SHA-256 has enough zero bits", () => {
  const nonces = [...Array.from({ length: 2000 }, (_, i) => i * 7), 12_345_678, MAX_WORK_NONCE];
  for (const [at, nonce] of nonces.entries()) {
    const piece = at % 16;
    const bits = zeroBits(piece, nonce);
    assert.ok(isWorkNonce({ prefix: PREFIX, bits }, piece, nonce));
    assert.ok(!isWorkNonce({ prefix: PREFIX, bits: bits + 1 }, piece, nonce));
  }
});

test("the first valid number is found, and each additional bit about doubles the work", () => {
  const triesOf = (bits: number): number => {
    let tries = 0;
    for (let piece = 0; piece < 16; piece++) {
      const nonce = workNonce({ prefix: PREFIX, bits }, piece, 0, 1_000_000) ?? assert.fail();
      tries += nonce + 1;
      assert.equal(workNonce({ prefix: PREFIX, bits }, piece, 0, nonce), undefined, "none before it");
    }
    return tries;
  };
  const [few, many] = [triesOf(6), triesOf(10)];
  assert.ok(many > 4 * few && many < 64 * few, `${few} and ${many}`);
});
