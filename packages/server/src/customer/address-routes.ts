/**
 * The address book. While withdrawals go to its addresses alone, a new one waits before it is paid, and so does the end of
 * that rule: whoever has stolen a session, code and all, is seen before he is paid.
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
  if (!parts.wallet.isAddress(address.network, address.address, address.tag)) throw new CustomerRefused("BAD_ADDRESS");
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

/** While the list is enforced. */
function waiting({ account, nowMs }: SignedIn, { settings }: CustomerParts): { readonly fromMs?: number } {
  return addressListOf(account, nowMs).isAddressListEnforced ? { fromMs: nowMs + settings.addressWaitMs } : {};
}

export const ADDRESS_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/addresses",
    weight: LOOK,
    summary: "The addresses of one's address book.",
    answers: "A list of `network`, `address`, `tag`, `name` and `fromMs`: from when on it is paid.",
    handle: list,
  },
  {
    method: "POST",
    path: "/addresses",
    weight: ACT,
    summary: "Adds an address, which waits while withdrawals go to the book alone.",
    answers: "The address, with `fromMs`.",
    body: addSchema,
    handle: add,
  },
  {
    method: "DELETE",
    path: "/addresses",
    weight: ACT,
    summary: "Takes an address off the book.",
    body: placeSchema,
    handle: remove,
  },
  {
    method: "PUT",
    path: "/addresses/enforced",
    weight: ACT,
    summary: "Makes withdrawals go to the book alone, or ends that after a wait.",
    answers: "`isAddressListEnforced`, `addressListEndsMs`.",
    body: enforcedSchema,
    handle: enforce,
  },
];
