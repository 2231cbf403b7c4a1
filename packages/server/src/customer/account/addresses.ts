/**
 * The address book. While withdrawals go to its addresses alone, a new one waits before it is paid, and so does the end of
 * that rule: whoever has stolen a session, code and all, is seen before he is paid.
 */
import { z } from "zod";
import { carryOut } from "./carry-out.ts";
import { code, demandCode } from "./code.ts";
import { ownAccount, parseWith } from "./parse.ts";
import { type AccountParts, AccountRefused, type AccountRoute, created, ok, own } from "./port.ts";
import { addressListOf } from "./profile.ts";

const place = { network: z.string().min(1), address: z.string().min(1), tag: z.string().default("") };
const placeSchema = z.strictObject(place);
const addSchema = z.strictObject({ ...place, name: z.string(), code });
const enforcedSchema = z.strictObject({ isEnforced: z.boolean(), code });

export function addressRoutes(parts: AccountParts): AccountRoute[] {
  const { view, sequencer, wallet, addressWaitMs } = parts;
  const isEnforced = (accountId: number): boolean => {
    const account = view.account(accountId);
    return account !== undefined && addressListOf(account, sequencer.nowMs()).isAddressListEnforced;
  };
  /** While the list is enforced. */
  const waiting = (accountId: number): { readonly fromMs?: number } =>
    isEnforced(accountId) ? { fromMs: sequencer.nowMs() + addressWaitMs } : {};
  return [
    own({
      method: "GET",
      path: "addresses",
      handle: ({ accountId }) =>
        ok(view.funds.allowedAddresses(accountId).map((each) => ({ ...each, fromMs: each.fromMs ?? 0 }))),
    }),
    own({
      method: "POST",
      path: "addresses",
      handle: async (request) => {
        const { code: given, ...address } = parseWith(addSchema, request.body);
        const { accountId, holder } = request;
        if (!wallet.isAddress(address.network, address.address, address.tag)) {
          throw new AccountRefused(400, "BAD_ADDRESS", "There is no such address on this network.");
        }
        demandCode(parts, request, given);
        const wait = waiting(accountId);
        await carryOut(parts, { type: "allowAddress", accountId, ...address, ...wait, by: holder });
        return created({ ...address, fromMs: wait.fromMs ?? 0 });
      },
    }),
    own({
      method: "DELETE",
      path: "addresses",
      handle: async ({ accountId, holder, body }) => {
        await carryOut(parts, { type: "disallowAddress", accountId, ...parseWith(placeSchema, body), by: holder });
        return ok({});
      },
    }),
    own({
      method: "PUT",
      path: "addresses/enforced",
      handle: async (request) => {
        const { isEnforced: wanted, code: given } = parseWith(enforcedSchema, request.body);
        const { accountId, holder } = request;
        demandCode(parts, request, given);
        const wait = wanted ? {} : waiting(accountId);
        await carryOut(parts, { type: "setAddressList", accountId, isEnforced: wanted, ...wait, by: holder });
        return ok(addressListOf(ownAccount(parts, request), sequencer.nowMs()));
      },
    }),
  ];
}
