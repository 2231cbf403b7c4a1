/** Encrypts secrets at rest with the master key. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Dice } from "../world/port.ts";

/** Encrypts and decrypts the secrets in the journal. */
export interface Sealer {
  /** Encrypts with AES-256-GCM and a random nonce. The result contains only letters, digits, `-`, `_` and `.`. */
  seal(secret: string): string;
  /** Decrypts a secret. Throws `UnsealError` if it was encrypted with another key or modified. */
  unseal(sealed: string): string;
}

/** A secret cannot be decrypted: it was encrypted with another master key, or it is damaged. */
export class UnsealError extends Error {
  override readonly name = "UnsealError";
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The version of the format, at the start of the encrypted text. */
const VERSION = "s1";

/** `masterKey` is 64 hex digits. */
export function createSealer(masterKey: string, dice: Dice): Sealer {
  const key = Buffer.from(masterKey, "hex");
  return {
    seal: (secret) => seal(key, secret, dice.randomBytes(NONCE_BYTES)),
    unseal: (sealed) => unseal(key, sealed),
  };
}

function seal(key: Buffer, secret: string, nonce: Buffer): string {
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(VERSION));
  const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
}

function unseal(key: Buffer, sealed: string): string {
  const [version, text = ""] = sealed.split(".");
  const bytes = Buffer.from(text, "base64url");
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw new UnsealError("not an encrypted secret");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(VERSION));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new UnsealError("encrypted with another master key, or damaged", { cause: error });
  }
}
