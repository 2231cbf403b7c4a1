/** The hash chain: each row carries a SHA-256 over the previous row's hash and all its own fields. */
import { createHash } from "node:crypto";
import { EMPTY_HEAD, type NewBatch } from "./port.ts";

/** The hash to which the first row is chained. */
export const GENESIS_CHAIN_HASH = EMPTY_HEAD.chainHash;

/** Returns 64 hex digits. Numbers take 8 bytes, texts and bytes follow their length, so no two rows hash alike. */
export function chainHashOf(previousChainHash: string, batch: NewBatch): string {
  const node = Buffer.from(batch.node);
  const priorEventDigest = Buffer.from(batch.priorEventDigest);
  const numbers = Buffer.alloc(48);
  numbers.writeBigUInt64BE(BigInt(batch.firstSeq), 0);
  numbers.writeBigUInt64BE(BigInt(batch.count), 8);
  numbers.writeBigUInt64BE(BigInt(batch.timeMs), 16);
  numbers.writeBigUInt64BE(BigInt(node.length), 24);
  numbers.writeBigUInt64BE(BigInt(priorEventDigest.length), 32);
  numbers.writeBigUInt64BE(BigInt(batch.bytes.length), 40);
  return createHash("sha256")
    .update(Buffer.from(previousChainHash, "hex"))
    .update(numbers)
    .update(node)
    .update(priorEventDigest)
    .update(batch.bytes)
    .digest("hex");
}
