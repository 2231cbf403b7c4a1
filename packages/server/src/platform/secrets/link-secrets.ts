/**
 * Secrets of the links in emails and on pages, derived from the master key: nobody has to store them, and an email can
 * be written again. Each use has a key of its own, and none gives anything away of another. RFC 5869.
 */
import { createHash, createHmac, hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** `masterKey` is 64 hex digits; `label` names the use, and nothing else uses it. */
function derivedKey(masterKey: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", label, KEY_BYTES));
}

// Links that confirm withdrawals.

/** The HKDF label (RFC 5869) of this key; nothing else uses it. */
const CONFIRMATION_LABEL = "pricetime: links that confirm withdrawals";

export interface Confirmations {
  /** Returns the secret in a withdrawal's link: 43 characters of base64url, always the same. */
  secretOf(withdrawalId: string): string;
  /** Returns the hash of a secret, 64 hex digits: the journal stores nothing else of it. */
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

/** The HKDF label (RFC 5869) of this key; nothing else uses it. */
const LINK_LABEL = "pricetime: links of those who sign in";

/** What a link is good for, so that none is good for anything else. */
export type LinkPurpose = "invitation" | "recovery" | "cancelRecovery" | "freeze" | "familiarBrowser" | "signInWork";

export interface LinkSecrets {
  /**
   * 43 characters of base64url, always the same for the same purpose and id. Never begins with a dash: on a command line
   * it would be an option.
   */
  secretOf(purpose: LinkPurpose, id: string): string;
  /** 64 hex digits: the journal stores nothing else of a secret. */
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
