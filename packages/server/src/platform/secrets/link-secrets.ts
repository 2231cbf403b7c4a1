/**
 * Secrets of links in emails and on pages. They are derived from the master key (RFC 5869), so that they need not be
 * stored and an email can be written again. Each purpose has an independent key.
 */
import { createHash, createHmac, hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** `masterKey` is 64 hex digits; `label` must be unique to the purpose. */
function derivedKey(masterKey: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", label, KEY_BYTES));
}

const CONFIRMATION_LABEL = "pricetime: links that confirm withdrawals";

export interface Confirmations {
  /** Returns the secret in the link of a withdrawal: 43 characters of base64url, always the same for a withdrawal. */
  secretOf(withdrawalId: string): string;
  /** Returns the hash of a secret as stored in the journal: 64 hex digits. */
  hashOf(secret: string): string;
}

/** `masterKey` is 64 hex digits. */
export function createConfirmations(masterKey: string): Confirmations {
  const key = derivedKey(masterKey, CONFIRMATION_LABEL);
  return {
    secretOf: (withdrawalId) => createHmac("sha256", key).update(withdrawalId, "utf8").digest("base64url"),
    hashOf: (secret) => createHash("sha256").update(secret, "utf8").digest("hex"),
  };
}

const LINK_LABEL = "pricetime: links of those who sign in";

/** The purpose of a link. A secret is valid only for its purpose. */
export type LinkPurpose = "invitation" | "recovery" | "cancelRecovery" | "freeze" | "familiarBrowser" | "signInWork";

export interface LinkSecrets {
  /**
   * Returns the secret of a link: 43 characters of base64url, always the same for a purpose and ID. It never begins
   * with a dash, which command lines would parse as an option.
   */
  secretOf(purpose: LinkPurpose, id: string): string;
  /** Returns the hash of a secret as stored in the journal: 64 hex digits. */
  hashOf(secret: string): string;
}

/** `masterKey` is 64 hex digits. */
export function createLinkSecrets(masterKey: string): LinkSecrets {
  const key = derivedKey(masterKey, LINK_LABEL);
  const secretOf = (text: string): string => {
    const secret = createHmac("sha256", key).update(text, "utf8").digest("base64url");
    return secret.startsWith("-") ? secretOf(`${text}:again`) : secret;
  };
  return {
    secretOf: (purpose, id) => secretOf(`${purpose}:${id}`),
    hashOf: (secret) => createHash("sha256").update(secret, "utf8").digest("hex"),
  };
}
