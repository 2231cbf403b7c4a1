/** Public keys of those who sign with Ed25519, as users have them and as the journal keeps them. */
import { createPublicKey } from "node:crypto";

/** In the journal's form (SubjectPublicKeyInfo, base64), from PEM or that same form. Throws a TypeError. */
export function ed25519PublicKey(text: string): string {
  const trimmed = text.trim();
  const isPem = trimmed.startsWith("-----BEGIN PUBLIC KEY-----");
  try {
    const key = isPem
      ? createPublicKey(trimmed)
      : createPublicKey({ key: Buffer.from(trimmed, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519") return key.export({ format: "der", type: "spki" }).toString("base64");
  } catch (error) {
    throw new TypeError("not a public key in PEM", { cause: error });
  }
  throw new TypeError("not an Ed25519 key");
}
