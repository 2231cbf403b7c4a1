/** API keys. A secret is made here, leaves once in the answer, and is kept sealed. */
import { SocketAddress } from "node:net";
import { type ApiKey, PERMISSIONS } from "@pricetime/engine";
import { z } from "zod";
import { randomKey } from "../config/random-key.ts";
import { created, ok } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, parseWith } from "./parse.ts";
import type { Route } from "./router.ts";

/** Addresses that one key can name. */
const MAX_ALLOWED_IPS = 100;
/** One spelling for each address, the one that the gateway compares with. */
const address = z.union([
  z.ipv4(),
  z.ipv6().transform((text) => new SocketAddress({ address: text, family: "ipv6" }).address.toLowerCase()),
]);

const createSchema = z.strictObject({
  /** All but WITHDRAW when left out. */
  permissions: z
    .array(z.enum(PERMISSIONS))
    .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)))
    .default(PERMISSIONS.filter((permission) => permission !== "WITHDRAW")),
  ipAllowList: z.array(address).max(MAX_ALLOWED_IPS).default([]),
  label: z.string().max(256).default(""),
});

export function keyRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    {
      method: "GET",
      pattern: "/v1/accounts/:account/keys",
      handle: ({ path }) => ok(view.apiKeys(findAccount(view, path["account"] ?? "").accountId).map(keyBody)),
    },
    {
      method: "POST",
      pattern: "/v1/accounts/:account/keys",
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        const fields = parseWith(createSchema, body);
        const apiKey = randomKey();
        const secretKey = randomKey();
        const sealedSecret = node.sealer.seal(secretKey);
        await carryOut(node, { type: "createApiKey", accountId, apiKey, sealedSecret, ...fields, by });
        return created({ accountId, apiKey, secretKey, ...fields });
      },
    },
    {
      method: "DELETE",
      pattern: "/v1/keys/:apiKey",
      handle: async ({ path, by }) => {
        const apiKey = path["apiKey"] ?? "";
        await carryOut(node, { type: "deleteApiKey", apiKey, by });
        return ok({ apiKey, deleted: true });
      },
    },
  ];
}

/** Without the secret, not even sealed. */
function keyBody({ apiKey, accountId, permissions, ipAllowList, label, createdMs }: ApiKey): object {
  return { apiKey, accountId, permissions, ipAllowList, label, createdMs };
}
