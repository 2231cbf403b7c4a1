/** API keys by customers. A secret is made here, shown once in the answer, and kept sealed. */
import type { ApiKey, Permission } from "@pricetime/engine";
import { apiKeySchema } from "../config/api-key-schema.ts";
import { randomKey } from "../config/random-key.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { code } from "./fields.ts";
import { CustomerRefused } from "./refused.ts";
import { type CustomerParts, type CustomerRoute, read, type SignedIn } from "./route.ts";
import { ACT, LOOK } from "./weights.ts";
import { accountNumber, askedAccount, demandCode, isOwn, ofAccountQuery, ownAccount } from "./own-account.ts";

const createSchema = apiKeySchema.extend({ accountId: accountNumber.optional(), code: code.optional() });

function list(asked: SignedIn, parts: CustomerParts): CustomerAnswer {
  return ok(parts.view.apiKeys(askedAccount(parts, asked).accountId).map(keyBody));
}

async function create(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const { code: given, accountId: wanted, publicKey, ...fields } = read(createSchema, asked.body);
  const { accountId } = ownAccount(parts, asked, wanted);
  demandCaution(asked, { accountId, ...fields });
  const used = demandCode(parts, asked, given);
  const { dice } = parts.room;
  const apiKey = randomKey(dice);
  const secretKey = publicKey === undefined ? randomKey(dice) : undefined;
  await carryOut(parts, {
    ...{ type: "createApiKey", accountId, apiKey, ...fields, ...used, by: asked.holder },
    ...{ sealedSecret: secretKey === undefined ? "" : parts.sealer.seal(secretKey) },
    ...(publicKey !== undefined && { publicKey }),
  });
  return ok({ apiKey, ...(secretKey !== undefined && { secretKey }) });
}

async function remove(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const apiKey = asked.named["apiKey"] ?? "";
  // The engine refuses it, too, with a word that tells whether somebody else has such a key.
  if (!isOwn(parts, asked, parts.view.apiKey(apiKey)?.accountId)) throw new CustomerRefused("UNKNOWN_API_KEY");
  await carryOut(parts, { type: "deleteApiKey", apiKey, by: asked.holder });
  return ok({});
}

interface Wish {
  readonly accountId: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
}

/** The engine holds these rules; here each has its reason. */
function demandCaution({ account }: SignedIn, { accountId, permissions, ipAllowList }: Wish): void {
  if (!permissions.includes("WITHDRAW")) return;
  if (accountId !== account.accountId) {
    throw new CustomerRefused("NOT_PERMITTED", "A sub-account's key cannot withdraw: its money leaves by its master.");
  }
  if (ipAllowList.length === 0) throw new CustomerRefused("ADDRESSES_REQUIRED");
  if (account.sealedTotp === null) throw new CustomerRefused("CODES_FIRST");
}

/** The key without its secret, sealed or not. */
function keyBody({ apiKey, accountId, permissions, ipAllowList, label, createdMs, publicKey }: ApiKey): object {
  const body = { apiKey, accountId, permissions, ipAllowList, label, createdMs };
  return publicKey === undefined ? body : { ...body, publicKey };
}

export const KEY_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/keys",
    weight: LOOK,
    summary: "API keys of one's own or of a sub-account, without their secrets.",
    answers: "A list of `apiKey`, `accountId`, `permissions`, `ipAllowList`, `label`, `createdMs`, `publicKey`.",
    query: ofAccountQuery,
    handle: list,
  },
  {
    method: "POST",
    path: "/keys",
    weight: ACT,
    summary: "Makes an API key.",
    answers: "`apiKey`, and `secretKey` unless it signs with Ed25519: shown only once.",
    body: createSchema,
    handle: create,
  },
  { method: "DELETE", path: "/keys/:apiKey", weight: ACT, summary: "Deletes an API key.", handle: remove },
];
