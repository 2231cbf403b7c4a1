/** HMAC-SHA256 (Interface 5.5) or Ed25519 over text, one character a byte. */
import { timingSafeEqual, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { HmacKey } from "./hmac-key.ts";

const SIGNATURE = /^[0-9a-fA-F]{64}$/;

/** The key that verifies a signature: a secret, or a public key of Ed25519. */
export type VerifyingKey = HmacKey | KeyObject;

/** `payload` is query and body as received, without the signature pair, one character a byte. */
export function isSignedBy(key: VerifyingKey, payload: string, signature: string): boolean {
  if (!(key instanceof HmacKey))
    return verify(null, Buffer.from(payload, "latin1"), key, Buffer.from(signature, "base64"));
  return SIGNATURE.test(signature) && timingSafeEqual(key.sign(payload), Buffer.from(signature, "hex"));
}
