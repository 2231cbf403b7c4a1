/** What the routes of an account share: accounts of the customer's own, and two-factor codes. */
import type { AccountView, CodeOfAct } from "@pricetime/engine";
import { z } from "zod";
import { codeUsed, SignInRefused } from "../sign-in/refused.ts";
import { CustomerRefused } from "./refused.ts";
import { type CustomerParts, read, type SignedIn } from "./route.ts";

export const accountNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The query of a route that may be asked about a sub-account. */
export const ofAccount = { account: accountNumber.optional() };
export const ofAccountQuery = z.strictObject(ofAccount);

export function queryOf<T extends z.ZodType>(schema: T, { query }: SignedIn): z.output<T> {
  return read(schema, Object.fromEntries(query));
}

type Asker = Pick<SignedIn, "account">;

/** Whether an account is the one that is signed in, or a sub-account of it. */
export function isOwn({ view }: Pick<CustomerParts, "view">, { account }: Asker, other: number | undefined): boolean {
  return other !== undefined && (other === account.accountId || view.account(other)?.masterId === account.accountId);
}

/** Who is signed in, or one of their sub-accounts; of any other it is not told whether it exists. */
export function ownAccount(parts: Pick<CustomerParts, "view">, asker: Asker, wanted: number | undefined): AccountView {
  const account = wanted === undefined ? asker.account : parts.view.account(wanted);
  if (account !== undefined && isOwn(parts, asker, account.accountId)) return account;
  throw new CustomerRefused("UNKNOWN_ACCOUNT");
}

/** The account that `?account=` names; whoever is signed in when absent. */
export function askedAccount(parts: Pick<CustomerParts, "view">, asked: SignedIn): AccountView {
  return ownAccount(parts, asked, queryOf(ofAccountQuery, asked).account);
}

/**
 * Demands a code for what a thief with an open session could get at the money by, and returns it as the command carries
 * it. Throws `SignInRefused` unless it is right and was used for nothing, or the account needs none.
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
