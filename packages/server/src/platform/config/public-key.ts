/** Public keys for Ed25519, in the form that users have and in the form that the journal keeps. */
import { createPublicKey } from "node:crypto";

/** Converts PEM, or the journal's form, to the journal's form (SubjectPublicKeyInfo, base64). Throws a TypeError. */
export function ed25519PublicKey(text: string): string {
  const trimmed = text.trim();
  const isPem = trimmed.startsWith("-----BEGIN PUBLIC KEY-----");
  try {
    const key = isPem
      ? createPublicKey(trimmed)
      : createPublicKey({ key: Buffer.from(trimmed, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519") return key.export({ format: "der", type: "spki" }).toString("base64");
  } catch (error) {
    throw new TypeError("not a public key in PEM format", { cause: error });
  }
  throw new TypeError("not an Ed25519 key");
}
