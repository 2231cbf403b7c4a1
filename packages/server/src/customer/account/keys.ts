/** API keys by customers. A secret is made here, shown once in the answer, and kept sealed. */
import type { ApiKey, Permission } from "@pricetime/engine";
import { z } from "zod";
import { apiKeySchema } from "../../config/api-key-schema.ts";
import { randomKey } from "../../config/random-key.ts";
import { carryOut } from "./carry-out.ts";
import { code, demandCode } from "./code.ts";
import { accountNumber, isOwn, ofAccount, ownAccount, parseWith, queryOf } from "./parse.ts";
import { type AccountParts, AccountRefused, type AccountRequest, type AccountRoute, created, ok, own } from "./port.ts";

const listQuery = z.strictObject(ofAccount);
const createSchema = apiKeySchema.extend({ accountId: accountNumber.optional(), code });

export function keyRoutes(parts: AccountParts): AccountRoute[] {
  const { view, sealer, world } = parts;
  return [
    own({
      method: "GET",
      path: "keys",
      handle: (request) => {
        const { accountId } = ownAccount(parts, request, queryOf(listQuery, request).account);
        return ok(view.apiKeys(accountId).map(keyBody));
      },
    }),
    own({
      method: "POST",
      path: "keys",
      handle: async (request) => {
        const { code: given, accountId: wanted, publicKey, ...fields } = parseWith(createSchema, request.body);
        const { accountId } = ownAccount(parts, request, wanted);
        demandCaution(request, { accountId, ...fields });
        demandCode(parts, request, given);
        const apiKey = randomKey(world);
        const secretKey = publicKey === undefined ? randomKey(world) : undefined;
        await carryOut(parts, {
          ...{ type: "createApiKey", accountId, apiKey, ...fields, by: request.holder },
          ...{ sealedSecret: secretKey === undefined ? "" : sealer.seal(secretKey) },
          ...(publicKey !== undefined && { publicKey }),
        });
        return created({ apiKey, ...(secretKey !== undefined && { secretKey }) });
      },
    }),
    own({
      method: "DELETE",
      path: "keys/:apiKey",
      handle: async (request) => {
        const apiKey = request.path["apiKey"] ?? "";
        // The engine refuses it, too, with a word that tells whether somebody else has such a key.
        if (!isOwn(parts, request, view.apiKey(apiKey)?.accountId)) {
          throw new AccountRefused(404, "UNKNOWN_API_KEY", "You have no such API key.");
        }
        await carryOut(parts, { type: "deleteApiKey", apiKey, by: request.holder });
        return ok({});
      },
    }),
  ];
}

interface Wish {
  readonly accountId: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
}

/** The engine holds these rules; here each has its reason. */
function demandCaution({ accountId }: AccountRequest, wish: Wish): void {
  if (!wish.permissions.includes("WITHDRAW")) return;
  if (wish.accountId !== accountId) {
    throw new AccountRefused(403, "NOT_PERMITTED", "A sub-account's key cannot withdraw: its money leaves by you.");
  }
  if (wish.ipAllowList.length === 0) {
    throw new AccountRefused(400, "ADDRESSES_REQUIRED", "A key that may withdraw names the addresses it is used from.");
  }
}

/** The key without its secret, sealed or not. */
function keyBody({ apiKey, accountId, permissions, ipAllowList, label, createdMs, publicKey }: ApiKey): object {
  const body = { apiKey, accountId, permissions, ipAllowList, label, createdMs };
  return publicKey === undefined ? body : { ...body, publicKey };
}
