/** HMAC-SHA256 over the bytes as they were sent. Interface 5.5. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyObject } from "node:crypto";

const SIGNATURE = /^[0-9a-fA-F]{64}$/;

/** `payload`: query and body as received, without the signature pair, one character a byte. */
export function isSignedBy(secret: KeyObject, payload: string, signature: string): boolean {
  if (!SIGNATURE.test(signature)) return false;
  const expected = createHmac("sha256", secret).update(payload, "latin1").digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
