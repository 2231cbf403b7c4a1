/** What operators and customers may say of an API key that is to be made. */
import { SocketAddress } from "node:net";
import { MAX_TEXT_LENGTH, PERMISSIONS } from "@pricetime/engine";
import { z } from "zod";
import { ed25519PublicKey } from "./public-key.ts";

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
