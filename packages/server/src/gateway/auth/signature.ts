/** HMAC-SHA256 (interface 5.5) or Ed25519 over the bytes as they were sent. */
import { createHmac, timingSafeEqual, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";

const SIGNATURE = /^[0-9a-fA-F]{64}$/;

/** `key`: a secret, or a public key of Ed25519. `payload`: query and body as received, without the signature pair, one character a byte. */
export function isSignedBy(key: KeyObject, payload: string, signature: string): boolean {
  if (key.type === "public") return verify(null, Buffer.from(payload, "latin1"), key, Buffer.from(signature, "base64"));
  if (!SIGNATURE.test(signature)) return false;
  const expected = createHmac("sha256", key).update(payload, "latin1").digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
