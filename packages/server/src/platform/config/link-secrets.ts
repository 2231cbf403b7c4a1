/** Secrets of links in letters and on pages, derived from the master key: nobody stores them, and a letter can be written again. */
import { createHash, createHmac } from "node:crypto";
import { derivedKey } from "./derived-key.ts";

/** The HKDF label (RFC 5869) of this key; nothing else uses it. */
const KEY_LABEL = "pricetime: links of those who sign in";

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
  const key = derivedKey(masterKey, KEY_LABEL);
  const secretOf = (text: string): string => {
    const secret = createHmac("sha256", key).update(text, "utf8").digest("base64url");
    return secret.startsWith("-") ? secretOf(`${text}:again`) : secret;
  };
  return {
    secretOf: (purpose, id) => secretOf(`${purpose}:${id}`),
    hashOf: (secret) => createHash("sha256").update(secret, "utf8").digest("hex"),
  };
}
