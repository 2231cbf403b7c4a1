/** What an account may do with its money: two-factor codes, its list of addresses, what accountStatus tells it. */
import { z } from "zod";
import { text } from "../config/listing-schema.ts";
import { newTotpSecret } from "../config/totp.ts";
import { created, ok } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, parseWith } from "./parse.ts";
import type { Route } from "./router.ts";

/** "" where the network has none. */
const tag = z.union([z.literal(""), text]).default("");
const addressSchema = z.strictObject({ network: text, address: text, tag });
const allowSchema = addressSchema.extend({ name: z.union([z.literal(""), text]).default("") });
const listSchema = z.strictObject({ isEnforced: z.boolean() });
const MAX_STATUS_OBJS = 20;
const statusSchema = z.strictObject({
  /** "": nothing to say. */
  message: z.union([z.literal(""), text]),
  objs: z.array(text).max(MAX_STATUS_OBJS).default([]),
});

export function accountWalletRoutes(node: AdminNode): Route[] {
  return [...totpRoutes(node), ...addressRoutes(node), ...statusRoutes(node)];
}

/** The secret is made here, leaves once in the answer, and is kept sealed. */
function totpRoutes(node: AdminNode): Route[] {
  const pattern = "/v1/accounts/:account/totp";
  return [
    {
      method: "POST",
      pattern,
      handle: async ({ path, by }) => {
        const { accountId, email } = findAccount(node.view, path["account"] ?? "");
        const { secret, uri } = newTotpSecret(email);
        await carryOut(node, { type: "setTotp", accountId, sealedSecret: node.sealer.seal(secret), by });
        return created({ accountId, secret, uri });
      },
    },
    {
      method: "DELETE",
      pattern,
      handle: async ({ path, by }) => {
        const { accountId } = findAccount(node.view, path["account"] ?? "");
        await carryOut(node, { type: "setTotp", accountId, sealedSecret: null, by });
        return ok({ accountId, hasTotp: false });
      },
    },
  ];
}

function addressRoutes(node: AdminNode): Route[] {
  const { view } = node;
  const shown = (accountId: number): object => ({
    accountId,
    isEnforced: view.account(accountId)?.isAddressListEnforced,
    addresses: view.allowedAddresses(accountId),
  });
  const pattern = "/v1/accounts/:account/addresses";
  return [
    {
      method: "GET",
      pattern,
      handle: ({ path }) => ok(shown(findAccount(view, path["account"] ?? "").accountId)),
    },
    {
      method: "POST",
      pattern,
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        await carryOut(node, { type: "allowAddress", accountId, ...parseWith(allowSchema, body), by });
        return created(shown(accountId));
      },
    },
    {
      method: "DELETE",
      pattern,
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        await carryOut(node, { type: "disallowAddress", accountId, ...parseWith(addressSchema, body), by });
        return ok(shown(accountId));
      },
    },
    {
      method: "PUT",
      pattern,
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        await carryOut(node, { type: "setAddressList", accountId, ...parseWith(listSchema, body), by });
        return ok(shown(accountId));
      },
    },
  ];
}

function statusRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    {
      method: "PUT",
      pattern: "/v1/accounts/:account/status",
      handle: async ({ path, body, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        const status = parseWith(statusSchema, body);
        await carryOut(node, { type: "setAccountStatus", accountId, ...status, by });
        return ok({ accountId, ...status });
      },
    },
    {
      method: "GET",
      pattern: "/v1/accounts/:account/api-trading",
      handle: ({ path }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        const lock = view.apiTradingLock(accountId, node.sequencer.nowMs());
        return ok({ accountId, isLocked: lock !== undefined, ...lock });
      },
    },
    {
      method: "DELETE",
      pattern: "/v1/accounts/:account/api-trading/lock",
      handle: async ({ path, by }) => {
        const { accountId } = findAccount(view, path["account"] ?? "");
        await carryOut(node, { type: "unlockApiTrading", accountId, by });
        return ok({ accountId, isLocked: false });
      },
    },
  ];
}
