/** Routes of API keys. A secret is made here, shown once in the answer, and kept sealed. */
import { SocketAddress } from "node:net";
import { type ApiKey, PERMISSIONS } from "@pricetime/engine";
import { z } from "zod";
import { ed25519PublicKey } from "../config/public-key.ts";
import { randomKey } from "../config/random-key.ts";
import { created, ok } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount } from "./parse.ts";
import { type Route, route } from "./router.ts";

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

const createSchema = z.strictObject({
  /** The key's permissions; all but WITHDRAW when left out. */
  permissions: z
    .array(z.enum(PERMISSIONS))
    .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)))
    .default(PERMISSIONS.filter((permission) => permission !== "WITHDRAW")),
  ipAllowList: z.array(address).max(MAX_ALLOWED_IPS).default([]),
  label: z.string().max(256).default(""),
  /** The public half of a key that signs with Ed25519 and has no secret. */
  publicKey: publicKey.optional(),
});

export function keyRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/accounts/:account/keys",
      summary: "The API keys of an account, without their secrets.",
      columns: ["apiKey", "accountId", "permissions", "ipAllowList", "label", "createdMs", "publicKey"],
      page: ({ path }) => ({
        rows: view.apiKeys(findAccount(view, path["account"] ?? "").accountId).map(keyBody),
      }),
    }),
    route({
      method: "POST",
      pattern: "/v1/accounts/:account/keys",
      needs: "venue",
      summary: "Makes an API key.",
      answers: "The key. Its secret is told here and never again.",
      status: 201,
      body: createSchema,
      handle: async ({ path, body: { publicKey, ...fields }, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        const apiKey = randomKey(node.world);
        if (publicKey !== undefined) {
          const key = { accountId, apiKey, publicKey, ...fields };
          await carryOut(node, { type: "createApiKey", sealedSecret: "", ...key, by });
          return created(key);
        }
        const secretKey = randomKey(node.world);
        const sealedSecret = node.sealer.seal(secretKey);
        await carryOut(node, { type: "createApiKey", accountId, apiKey, sealedSecret, ...fields, by });
        return created({ accountId, apiKey, secretKey, ...fields });
      },
    }),
    route({
      method: "DELETE",
      pattern: "/v1/keys/:apiKey",
      needs: "customers",
      summary: "Deletes an API key.",
      handle: async ({ path, by }) => {
        const apiKey = path["apiKey"] ?? "";
        await carryOut(node, { type: "deleteApiKey", apiKey, by });
        return ok({ apiKey, deleted: true });
      },
    }),
  ];
}

/** The key without its secret, sealed or not. */
function keyBody({ apiKey, accountId, permissions, ipAllowList, label, createdMs, publicKey }: ApiKey): object {
  const body = { apiKey, accountId, permissions, ipAllowList, label, createdMs };
  return publicKey === undefined ? body : { ...body, publicKey };
}
