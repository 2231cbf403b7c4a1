/** API keys and tokens: generates and compares them, and validates requests for new keys. */
import { createHash, createPublicKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { type Dice, LETTERS_AND_DIGITS } from "../world/port.ts";
import { SocketAddress } from "node:net";
import { MAX_TEXT_LENGTH, PERMISSIONS } from "@pricetime/engine";
import { z } from "zod";

/** Larger byte values are discarded, so that each character is equally likely. */
const FAIR_BYTES = 256 - (256 % LETTERS_AND_DIGITS.length);
export const KEY_LENGTH = 64;

/** Returns a new API key, API secret or token: 64 random letters and digits. Interface S.6. */
export function randomKey({ randomBytes }: Dice, length = KEY_LENGTH): string {
  let key = "";
  while (key.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && key.length < length) key += LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length];
    }
  }
  return key;
}

/** Compares two texts in constant time. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Converts PEM, or the journal's form, to the journal's form (SubjectPublicKeyInfo in base64). Throws a TypeError. */
function publicKeyOf(text: string): string {
  const trimmed = text.trim();
  const isPem = trimmed.startsWith("-----BEGIN PUBLIC KEY-----");
  try {
    const key = isPem
      ? createPublicKey(trimmed)
      : createPublicKey({ key: Buffer.from(trimmed, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519" || isRsa(key))
      return key.export({ format: "der", type: "spki" }).toString("base64");
  } catch (error) {
    throw new TypeError("not a public key in PEM format", { cause: error });
  }
  throw new TypeError("not an Ed25519 key, nor an RSA key with 2048 or 4096 bits and the exponent 65537");
}

function isRsa({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent } = asymmetricKeyDetails ?? {};
  return asymmetricKeyType === "rsa" && [2048, 4096].includes(modulusLength) && publicExponent === 65_537n;
}

/** Maximum number of IP addresses per key. */
const MAX_ALLOWED_IPS = 100;
/** An IP address, converted to the normalized form that the gateway compares. */
const address = z.union([
  z.ipv4(),
  z.ipv6().transform((text) => new SocketAddress({ address: text, family: "ipv6" }).address.toLowerCase()),
]);

/** An Ed25519 or RSA public key in PEM. */
const publicKey = z.string().transform((text, context) => {
  try {
    return publicKeyOf(text);
  } catch (error) {
    context.addIssue((error as TypeError).message);
    return z.NEVER;
  }
});

export const apiKeySchema = z.strictObject({
  /** Default: all permissions except WITHDRAW. */
  permissions: z
    .array(z.enum(PERMISSIONS))
    .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)))
    .default(PERMISSIONS.filter((permission) => permission !== "WITHDRAW")),
  ipAllowList: z.array(address).max(MAX_ALLOWED_IPS).default([]),
  label: z.string().max(MAX_TEXT_LENGTH).default(""),
  /** An Ed25519 or RSA public key. The API key then signs with it and has no secret. */
  publicKey: publicKey.optional(),
});
