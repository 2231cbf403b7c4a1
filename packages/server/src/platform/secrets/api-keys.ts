/** API keys and tokens: makes and compares them, and checks what a request for a new key may contain. */
import { createHash, createPublicKey, timingSafeEqual } from "node:crypto";
import { type Dice, LETTERS_AND_DIGITS } from "../world/port.ts";
import { SocketAddress } from "node:net";
import { MAX_TEXT_LENGTH, PERMISSIONS } from "@pricetime/engine";
import { z } from "zod";

/** Bytes from here on are thrown away, so that each letter is equally likely. */
const FAIR_BYTES = 256 - (256 % LETTERS_AND_DIGITS.length);
export const KEY_LENGTH = 64;

/** Returns a new API key, API secret or token: 64 letters and digits, drawn evenly. Interface S.6. */
export function randomKey({ randomBytes }: Dice, length = KEY_LENGTH): string {
  let key = "";
  while (key.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && key.length < length) key += LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length];
    }
  }
  return key;
}

/** Returns whether two texts are equal, in a time that does not reveal where they differ. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Converts PEM, or the journal's form, to the journal's form (SubjectPublicKeyInfo, base64). Throws a TypeError. */
function ed25519PublicKey(text: string): string {
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

/** The most addresses that one key can name. */
const MAX_ALLOWED_IPS = 100;
/** An address in the one spelling that the gateway compares with. */
const address = z.union([
  z.ipv4(),
  z.ipv6().transform((text) => new SocketAddress({ address: text, family: "ipv6" }).address.toLowerCase()),
]);

/** A public key in PEM; refused with the reason when it is not an Ed25519 key. */
const publicKey = z.string().transform((text, context) => {
  try {
    return ed25519PublicKey(text);
  } catch (error) {
    context.addIssue((error as TypeError).message);
    return z.NEVER;
  }
});

export const apiKeySchema = z.strictObject({
  /** The key's permissions; all but WITHDRAW when left out. */
  permissions: z
    .array(z.enum(PERMISSIONS))
    .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)))
    .default(PERMISSIONS.filter((permission) => permission !== "WITHDRAW")),
  ipAllowList: z.array(address).max(MAX_ALLOWED_IPS).default([]),
  label: z.string().max(MAX_TEXT_LENGTH).default(""),
  /** The public half of a key that signs with Ed25519 and has no secret. */
  publicKey: publicKey.optional(),
});
