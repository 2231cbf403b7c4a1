/** Secrets of the mailed links that confirm withdrawals. They follow from the master key: nobody has to keep them. */
import { createHash, createHmac, hkdfSync } from "node:crypto";

/** Nothing else is derived under this label; RFC 5869. */
const KEY_LABEL = "pricetime: links that confirm withdrawals";
const KEY_BYTES = 32;

export interface Confirmations {
  /** What opens the link of a withdrawal: 43 characters of base64url, the same whenever it is asked. */
  secretOf(withdrawalId: string): string;
  /** Of a secret: 64 hex digits, which is all that the journal has of it. */
  hashOf(secret: string): string;
}

/** `masterKey`: 64 hex digits. */
export function createConfirmations(masterKey: string): Confirmations {
  const key = Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", KEY_LABEL, KEY_BYTES));
  return {
    secretOf: (withdrawalId) => createHmac("sha256", key).update(withdrawalId, "utf8").digest("base64url"),
    hashOf: (secret) => createHash("sha256").update(secret, "utf8").digest("hex"),
  };
}
