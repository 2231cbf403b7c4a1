/**
 * The address book and the withdrawal address allowlist. While the allowlist is on, a new address can be used only after a
 * waiting period, and turning the allowlist off takes as long. A thief with a session and a code is noticed first.
 */
import { z } from "zod";
import { type CustomerAnswer, ok } from "./answer.ts";
import { carryOut } from "./command.ts";
import { code } from "./fields.ts";
import { CustomerRefused } from "./refused.ts";
import { type CustomerParts, type CustomerRoute, read, type SignedIn } from "./route.ts";
import { ACT, LOOK } from "./weights.ts";
import { demandCode, ownAccount } from "./own-account.ts";
import { addressListOf } from "./profile-routes.ts";

const place = { network: z.string().min(1), address: z.string().min(1), tag: z.string().default("") };
const placeSchema = z.strictObject(place);
const addSchema = z.strictObject({ ...place, name: z.string(), code: code.optional() });
const enforcedSchema = z.strictObject({ isEnforced: z.boolean(), code: code.optional() });

function list({ account }: SignedIn, { view }: CustomerParts): CustomerAnswer {
  return ok(view.funds.allowedAddresses(account.accountId).map((each) => ({ ...each, fromMs: each.fromMs ?? 0 })));
}

async function add(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const { code: given, ...address } = read(addSchema, asked.body);
  const { account, holder } = asked;
  if (!parts.wallet.isAddress(address.network, address.address, address.tag))
    throw new CustomerRefused("INVALID_ADDRESS");
  const used = demandCode(parts, asked, given);
  const wait = waiting(asked, parts);
  const { accountId } = account;
  await carryOut(parts, { type: "allowAddress", accountId, ...address, ...wait, ...used, by: holder });
  return ok({ ...address, fromMs: wait.fromMs ?? 0 });
}

async function remove({ account, holder, body }: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const { accountId } = account;
  await carryOut(parts, { type: "disallowAddress", accountId, ...read(placeSchema, body), by: holder });
  return ok({});
}

async function enforce(asked: SignedIn, parts: CustomerParts): Promise<CustomerAnswer> {
  const { isEnforced, code: given } = read(enforcedSchema, asked.body);
  const { accountId } = asked.account;
  const used = demandCode(parts, asked, given);
  const wait = isEnforced ? {} : waiting(asked, parts);
  await carryOut(parts, { type: "setAddressList", accountId, isEnforced, ...wait, ...used, by: asked.holder });
  return ok(addressListOf(ownAccount(parts, asked, accountId), asked.nowMs));
}

/** The waiting period, while the allowlist is on. */
function waiting({ account, nowMs }: SignedIn, { settings }: CustomerParts): { readonly fromMs?: number } {
  return addressListOf(account, nowMs).isAddressListEnforced ? { fromMs: nowMs + settings.addressWaitMs } : {};
}

export const ADDRESS_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/addresses",
    weight: LOOK,
    summary: "Lists the address book.",
    answers: "A list of `network`, `address`, `tag`, `name` and `fromMs`, the time from which the address can be used.",
    handle: list,
  },
  {
    method: "POST",
    path: "/addresses",
    weight: ACT,
    summary: "Adds an address. While the allowlist is on, it can be used only after the waiting period.",
    answers: "The address, with `fromMs`.",
    body: addSchema,
    handle: add,
  },
  {
    method: "DELETE",
    path: "/addresses",
    weight: ACT,
    summary: "Removes an address from the address book.",
    body: placeSchema,
    handle: remove,
  },
  {
    method: "PUT",
    path: "/addresses/enforced",
    weight: ACT,
    summary: "Turns the withdrawal address allowlist on, or off after the waiting period.",
    answers: "`isAddressListEnforced`, `addressListEndsMs`.",
    body: enforcedSchema,
    handle: enforce,
  },
];
