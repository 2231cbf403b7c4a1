/**
 * Routes of an account's settings: API keys, two-factor secret, withdrawal address allowlist, and account status texts.
 */
import { MAX_STATUS_OBJS } from "@pricetime/engine";
import { apiKeySchema, randomKey } from "../../platform/secrets/api-keys.ts";
import { created, ok } from "../http/answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount } from "./parse.ts";
import { type AdminRoute, route } from "./router.ts";
import { z } from "zod";
import { text } from "../../platform/config/listing-schema.ts";
import { newTotpSecret } from "../../platform/secrets/totp.ts";
import { addressesAnswer, addressRow, apiTrading } from "./answers.ts";
import { keyBody, keyRow } from "../http/shapes.ts";

// Secrets are generated here, returned once in the answer, and stored encrypted.

export function keyRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/accounts/:account/keys",
      summary: "Lists the API keys of an account, without their secrets.",
      row: keyRow,
      page: ({ path }) => ({
        rows: view.apiKeys(findAccount(view, path.account).accountId).map(keyBody),
      }),
    }),
    route({
      endpoint: "POST /v1/accounts/:account/keys",
      needs: "venue",
      summary: "Creates an API key.",
      answers: "The API key. Its secret is shown only once.",
      status: 201,
      body: apiKeySchema,
      handle: async ({ path, body: { publicKey, ...fields }, by }) => {
        const { accountId } = findAccount(view, path.account);
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
      endpoint: "DELETE /v1/keys/:apiKey",
      needs: "customers",
      summary: "Deletes an API key.",
      handle: async ({ path, by }) => {
        const apiKey = path.apiKey;
        await carryOut(node, { type: "deleteApiKey", apiKey, by });
        return ok({ apiKey, deleted: true });
      },
    }),
  ];
}

/** The tag of an address; empty on networks without tags. */
const tag = z.union([z.literal(""), text]).default("");
const addressSchema = z.strictObject({ network: text, address: text, tag });
const allowSchema = addressSchema.extend({ name: z.union([z.literal(""), text]).default("") });
const listSchema = z.strictObject({ isEnforced: z.boolean() });
const statusSchema = z.strictObject({
  /** A message for the customer, or empty. */
  message: z.union([z.literal(""), text]),
  objs: z.array(text).max(MAX_STATUS_OBJS).default([]),
});

export function accountWalletRoutes(node: AdminNode): AdminRoute[] {
  return [...totpRoutes(node), ...addressRoutes(node), ...statusRoutes(node)];
}

function totpRoutes(node: AdminNode): AdminRoute[] {
  const pattern = "/v1/accounts/:account/totp";
  return [
    route({
      endpoint: `POST ${pattern}`,
      needs: "venue",
      summary: "Creates a two-factor secret and replaces the current one.",
      answers: "The secret and its URI, shown only once.",
      status: 201,
      handle: async ({ path, by }) => {
        const { accountId, email } = findAccount(node.view, path.account);
        const { secret, uri } = newTotpSecret(email, node.world);
        await carryOut(node, { type: "setTotp", accountId, sealedSecret: node.sealer.seal(secret), by });
        return created({ accountId, secret, uri });
      },
    }),
    route({
      endpoint: `DELETE ${pattern}`,
      needs: "customers",
      summary: "Removes the two-factor secret of an account.",
      handle: async ({ path, by }) => {
        const { accountId } = findAccount(node.view, path.account);
        await carryOut(node, { type: "setTotp", accountId, sealedSecret: null, by });
        return ok({ accountId, hasTotp: false });
      },
    }),
  ];
}

function addressRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  const shown = (accountId: number): object => ({
    accountId,
    isEnforced: view.account(accountId)?.isAddressListEnforced,
    addresses: view.funds.allowedAddresses(accountId),
  });
  const pattern = "/v1/accounts/:account/addresses";
  return [
    listRoute({
      pattern,
      summary: "Lists the withdrawal address allowlist of an account.",
      row: addressRow,
      answer: addressesAnswer,
      page: ({ path }) => {
        const { accountId } = findAccount(view, path.account);
        return { rows: view.funds.allowedAddresses(accountId), body: shown(accountId) };
      },
    }),
    route({
      endpoint: `POST ${pattern}`,
      needs: "customers",
      summary: "Adds an address to the withdrawal address allowlist.",
      answer: addressesAnswer,
      status: 201,
      body: allowSchema,
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "allowAddress", accountId, ...body, by });
        return created(shown(accountId));
      },
    }),
    route({
      endpoint: `DELETE ${pattern}`,
      needs: "customers",
      summary: "Removes an address from the withdrawal address allowlist.",
      answer: addressesAnswer,
      body: addressSchema,
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "disallowAddress", accountId, ...body, by });
        return ok(shown(accountId));
      },
    }),
    route({
      endpoint: `PUT ${pattern}`,
      needs: "customers",
      summary: "Turns enforcement of the withdrawal address allowlist on or off.",
      answer: addressesAnswer,
      body: listSchema,
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "setAddressList", accountId, ...body, by });
        return ok(shown(accountId));
      },
    }),
  ];
}

function statusRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      endpoint: "PUT /v1/accounts/:account/status",
      needs: "customers",
      summary: "Sets the status texts that the account status endpoint returns.",
      body: statusSchema,
      handle: async ({ path, body: status, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "setAccountStatus", accountId, ...status, by });
        return ok({ accountId, ...status });
      },
    }),
    route({
      endpoint: "GET /v1/accounts/:account/api-trading",
      needs: "view",
      summary: "Returns whether API trading is locked, by which rule and until when.",
      answer: apiTrading,
      handle: ({ path }) => {
        const { accountId } = findAccount(view, path.account);
        const lock = view.apiTradingLock(accountId, node.sequencer.nowMs());
        return ok({ accountId, isLocked: lock !== undefined, ...lock });
      },
    }),
    route({
      endpoint: "DELETE /v1/accounts/:account/api-trading/lock",
      needs: "customers",
      summary: "Ends a lock of API trading.",
      answer: apiTrading,
      handle: async ({ path, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "unlockApiTrading", accountId, by });
        return ok({ accountId, isLocked: false });
      },
    }),
  ];
}
