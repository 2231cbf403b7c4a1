/** Secrets of the mailed links that confirm withdrawals, derived from the master key, so nobody has to store them. */
import { createHash, createHmac } from "node:crypto";
import { derivedKey } from "./derived-key.ts";

/** The HKDF label (RFC 5869) of this key; nothing else uses it. */
const KEY_LABEL = "pricetime: links that confirm withdrawals";

export interface Confirmations {
  /** Returns the secret in a withdrawal's link: 43 characters of base64url, always the same. */
  secretOf(withdrawalId: string): string;
  /** Returns the hash of a secret, 64 hex digits: the journal stores nothing else of it. */
  hashOf(secret: string): string;
}

/** `masterKey` is 64 hex digits. */
export function createConfirmations(masterKey: string): Confirmations {
  const key = derivedKey(masterKey, KEY_LABEL);
  return {
    secretOf: (withdrawalId) => createHmac("sha256", key).update(withdrawalId, "utf8").digest("base64url"),
    hashOf: (secret) => createHash("sha256").update(secret, "utf8").digest("hex"),
  };
}
