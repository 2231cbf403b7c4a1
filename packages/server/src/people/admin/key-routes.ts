/** Routes of API keys. A secret is made here, shown once in the answer, and kept sealed. */
import type { ApiKey } from "@pricetime/engine";
import { apiKeySchema } from "../../platform/config/api-key-schema.ts";
import { randomKey } from "../../platform/config/random-key.ts";
import { created, ok } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount } from "./parse.ts";
import { type Route, route } from "./router.ts";

export function keyRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/accounts/:account/keys",
      summary: "Lists the API keys of an account, without their secrets.",
      columns: ["apiKey", "accountId", "permissions", "ipAllowList", "label", "createdMs", "publicKey"],
      page: ({ path }) => ({
        rows: view.apiKeys(findAccount(view, path["account"] ?? "").accountId).map(keyBody),
      }),
    }),
    route({
      method: "POST",
      pattern: "/v1/accounts/:account/keys",
      needs: "venue",
      summary: "Creates an API key.",
      answers: "The API key. Its secret is shown only once.",
      status: 201,
      body: apiKeySchema,
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
