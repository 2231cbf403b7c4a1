/** Shared by the routes: access to the own account and its sub-accounts, and two-factor codes. */
import type { AccountView, CodeOfAct } from "@pricetime/engine";
import { z } from "zod";
import { codeUsed, SignInRefused } from "../sign-in/refused.ts";
import { CustomerRefused } from "./refused.ts";
import { type CustomerParts, read, type SignedIn } from "./route.ts";

export const accountNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The query of a route that also serves sub-accounts. */
export const ofAccount = { account: accountNumber.optional() };
export const ofAccountQuery = z.strictObject(ofAccount);

export function queryOf<T extends z.ZodType>(schema: T, { query }: SignedIn): z.output<T> {
  return read(schema, Object.fromEntries(query));
}

type Asker = Pick<SignedIn, "account">;

/** Whether an account is the signed-in one, or a sub-account of it. */
export function isOwn({ view }: Pick<CustomerParts, "view">, { account }: Asker, other: number | undefined): boolean {
  return other !== undefined && (other === account.accountId || view.account(other)?.masterId === account.accountId);
}

/** Returns the signed-in account or one of its sub-accounts. Does not reveal whether any other exists. */
export function ownAccount(parts: Pick<CustomerParts, "view">, asker: Asker, wanted: number | undefined): AccountView {
  const account = wanted === undefined ? asker.account : parts.view.account(wanted);
  if (account !== undefined && isOwn(parts, asker, account.accountId)) return account;
  throw new CustomerRefused("UNKNOWN_ACCOUNT");
}

/** The account of `?account=`; the signed-in account when absent. */
export function askedAccount(parts: Pick<CustomerParts, "view">, asked: SignedIn): AccountView {
  return ownAccount(parts, asked, queryOf(ofAccountQuery, asked).account);
}

/**
 * Requires a code for requests that could give a thief with an open session access to funds, and returns it as the command
 * carries it. Throws `SignInRefused` unless the code is valid and unused, or the account has no two-factor authentication.
 */
export function demandCode(
  { view, checkTotp }: Pick<CustomerParts, "view" | "checkTotp">,
  { account: { accountId, sealedTotp }, session: { sessionId }, nowMs }: SignedIn,
  code: string | undefined,
): CodeOfAct {
  if (sealedTotp === null) return {};
  if (code === undefined) throw new SignInRefused("CODE_REQUIRED");
  const totpStep = checkTotp(accountId, sealedTotp, code, nowMs, sessionId);
  if (totpStep === null) throw new SignInRefused("CODE_WRONG");
  const lastStep = view.access.totpStep(accountId);
  if (totpStep <= lastStep) throw codeUsed(lastStep, nowMs);
  return { totpStep, totpSecret: sealedTotp };
}
