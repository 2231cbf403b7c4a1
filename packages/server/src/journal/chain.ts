/** The hash chain: each row carries a SHA-256 over the previous row's hash and all its own fields. */
import { hash } from "node:crypto";
import { EMPTY_HEAD, type NewBatch } from "./port.ts";

/** The hash to which the first row is chained. */
export const GENESIS_CHAIN_HASH = EMPTY_HEAD.chainHash;

const NUMBER_BYTES = 8;

/** Returns 64 hex digits. Numbers take 8 bytes, texts and bytes follow their length, so no two rows hash alike. */
export function chainHashOf(previousChainHash: string, batch: NewBatch): string {
  const { firstSeq, count, timeMs, node, priorEventDigest, bytes } = batch;
  const lengths = [Buffer.byteLength(node), Buffer.byteLength(priorEventDigest)] as const;
  const row = Buffer.allocUnsafe(
    previousChainHash.length / 2 + 6 * NUMBER_BYTES + lengths[0] + lengths[1] + bytes.length,
  );
  let at = row.write(previousChainHash, "hex");
  for (const number of [firstSeq, count, timeMs, ...lengths, bytes.length])
    at = row.writeBigUInt64BE(BigInt(number), at);
  at += row.write(node, at);
  at += row.write(priorEventDigest, at);
  row.set(bytes, at);
  // A lab hashes many small rows, and one call is half the price of several. What is no hash is shorter.
  return hash("sha256", row.subarray(0, at + bytes.length));
}
