/** Email addresses of accounts: from rules version 4 on all are stored in one form, and no two accounts come to share one. */
import { foldedEmail } from "../entry/email.ts";
import type { Account } from "../state/accounts/accounts.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { accountIdOf } from "./holders.ts";

/** The address as it is stored. */
export function emailOf({ edition }: ExchangeState, email: string): string {
  return edition < 4 ? email : foldedEmail(email);
}

/** Whether an account, other than this one, has the address. */
export function isEmailTaken({ accounts, edition }: ExchangeState, email: string, except?: Account): boolean {
  if (edition < 4) return accounts.getByEmail(email) !== undefined;
  return accounts.sharing(email).some((account) => account !== except);
}

/**
 * Whether several accounts have the address but for upper and lower case. Their mail may reach one person, so no link
 * that opens one of them is sent until an operator has changed the address of the others.
 */
export function isEmailShared({ accounts, edition }: ExchangeState, email: string): boolean {
  return edition >= 4 && accounts.sharing(email).length > 1;
}

/** As `isEmailShared`, for a holder's address. Operators may share one: they sign in by their names. */
export function isHolderShared(state: ExchangeState, holder: string): boolean {
  const account = state.accounts.get(accountIdOf(holder) ?? -1);
  return account !== undefined && isEmailShared(state, account.email);
}
