/**
 * The code that an authenticator app shows for a two-factor secret (RFC 6238: SHA-1, six digits, 30 seconds), computed
 * independently of the node's code.
 */
import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((character) => BASE32.indexOf(character).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** `stepsAhead`: for a phone with a fast clock. A node accepts a code that is one step early. */
export function phoneCode(secret: string, stepsAhead = 0): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + stepsAhead));
  const hash = createHmac("sha1", bytesOf(secret)).update(step).digest();
  const value = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff;
  return String(value % 1_000_000).padStart(6, "0");
}
