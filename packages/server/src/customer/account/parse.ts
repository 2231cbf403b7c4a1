/** Checks what customers send. */
import type { AccountView } from "@pricetime/engine";
import { z } from "zod";
import { schemaFault } from "../../config/schema-fault.ts";
import { type AccountParts, AccountRefused, type AccountRequest } from "./port.ts";

/** Returns the parsed value; throws `AccountRefused` 400 that names the first fault by its path. */
export function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const given = value === undefined ? {} : value;
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new AccountRefused(400, "BAD_REQUEST", issue === undefined ? "not right" : schemaFault(issue, given, schema));
}

export const accountNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The query of a route that may be asked about a sub-account. */
export const ofAccount = { account: accountNumber.optional() };

/** The parsed query of a request. */
export function queryOf<T extends z.ZodType>(schema: T, { query }: AccountRequest): z.output<T> {
  return parseWith(schema, Object.fromEntries(query));
}

type Asker = Pick<AccountRequest, "accountId">;

/** Whether an account is the one that is signed in, or a sub-account of it. */
export function isOwn({ view }: Pick<AccountParts, "view">, { accountId }: Asker, other: number | undefined): boolean {
  return other !== undefined && (other === accountId || view.account(other)?.masterId === accountId);
}

/** Who is signed in, or one of their sub-accounts; of any other it is not told whether it exists. */
export function ownAccount(parts: Pick<AccountParts, "view">, asker: Asker, wanted = asker.accountId): AccountView {
  const account = parts.view.account(wanted);
  if (account !== undefined && isOwn(parts, asker, wanted)) return account;
  throw new AccountRefused(404, "UNKNOWN_ACCOUNT", "You have no such account.");
}
