/** The parts of a sign-in: the proof of work, and two-factor codes by the tests' own implementation. */
import { type DoneWork, type SignInWork, workNonce } from "@pricetime/protocol";
import { createHmac } from "node:crypto";

/** Parameters that make password hashes cheap in tests. */
export const CHEAP_HASHES = { memoryKiB: 64, passes: 1, parallelism: 1 } as const;

export function solved(work: SignInWork): DoneWork {
  const nonces = Array.from({ length: work.pieces }, (_, piece) => workNonce(work, piece, 0, 2 ** 32) ?? 0);
  return { challenge: work.challenge, nonces };
}

/** Returns the current RFC 6238 code, as an authenticator app calculates it. */
export function codeOf(base32: string): string {
  const bits = [...base32].map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"));
  const key = Buffer.from(
    bits
      .join("")
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", key).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
