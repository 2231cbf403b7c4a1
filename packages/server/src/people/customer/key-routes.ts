/** API keys of customers. Secrets are generated here, returned once, and stored encrypted. */
import type { Permission } from "@pricetime/engine";
import { apiKeySchema, randomKey } from "../../platform/secrets/api-keys.ts";
import { rejected } from "./rejections.ts";
import { type Answer, ok } from "../http/answer.ts";
import { ANSWERS } from "./answers.ts";
import { keyBody } from "../http/shapes.ts";
import {
  accountNumber,
  type AccountRoute,
  ACT,
  askedAccount,
  carryOut,
  code,
  type CustomerParts,
  demandCode,
  isOwn,
  LOOK,
  type OfAccount,
  ofAccountQuery,
  type OfPath,
  type Own,
  ownAccount,
  ownRoute,
  type SignedIn,
} from "./route.ts";

const createSchema = apiKeySchema.extend({ accountId: accountNumber.optional(), code: code.optional() });

function list(asked: OfAccount, parts: CustomerParts): Answer {
  return ok(parts.view.apiKeys(askedAccount(parts, asked).accountId).map(keyBody));
}

async function create(asked: Own<typeof createSchema>, parts: CustomerParts): Promise<Answer> {
  const { code: given, accountId: wanted, publicKey, ...fields } = asked.body;
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

async function remove(asked: OfPath<"apiKey">, parts: CustomerParts): Promise<Answer> {
  const { apiKey } = asked.path;
  // The engine rejects it, too, but its reason would reveal whether the key exists.
  if (!isOwn(parts, asked, parts.view.apiKey(apiKey)?.accountId)) throw rejected("UNKNOWN_API_KEY");
  await carryOut(parts, { type: "deleteApiKey", apiKey, by: asked.holder });
  return ok({});
}

interface KeyRequest {
  readonly accountId: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
}

/** The engine enforces these rules too; the messages are specific here. */
function demandCaution(
  { account }: Pick<SignedIn, "account">,
  { accountId, permissions, ipAllowList }: KeyRequest,
): void {
  if (!permissions.includes("WITHDRAW")) return;
  if (accountId !== account.accountId) {
    throw rejected(
      "NOT_PERMITTED",
      "API keys of sub-accounts cannot withdraw. Transfer the funds to your main account and withdraw from there.",
    );
  }
  if (ipAllowList.length === 0) throw rejected("IP_ALLOW_LIST_REQUIRED");
  if (account.sealedTotp === null) throw rejected("TWO_FACTOR_REQUIRED");
}

export const KEY_ROUTES: readonly AccountRoute[] = [
  ownRoute({
    endpoint: "GET /keys",
    weight: LOOK,
    summary: "Lists the API keys of the account or of a sub-account, without secrets.",
    answer: ANSWERS.keys,
    answers: "A list of `apiKey`, `accountId`, `permissions`, `ipAllowList`, `label`, `createdMs`, `publicKey`.",
    query: ofAccountQuery,
    handle: list,
  }),
  ownRoute({
    endpoint: "POST /keys",
    weight: ACT,
    summary: "Creates an API key.",
    answer: ANSWERS.createdKey,
    answers: "`apiKey`, and `secretKey` unless the key has a `publicKey`. The secret is returned only once.",
    body: createSchema,
    handle: create,
  }),
  ownRoute({ endpoint: "DELETE /keys/:apiKey", weight: ACT, summary: "Deletes an API key.", handle: remove }),
];
