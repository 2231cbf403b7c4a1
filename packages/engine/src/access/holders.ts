/**
 * Holders of a password (customers with their own account, and operators), their email addresses, and the emails they
 * receive.
 */
import type { Command } from "../entry/command.ts";
import { foldedEmail, type Holder, type NoticeKind } from "../entry/access.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Account } from "../state/accounts.ts";
import { present } from "../assert.ts";
import type { RejectReason } from "../entry/reject.ts";

const ACCOUNT = /^account:([1-9][0-9]{0,15})$/;
const OPERATOR = /^operator:(.+)$/;

/** The number of the holder's account; undefined if the text does not name an account. */
export function accountIdOf(holder: Holder): number | undefined {
  const number = ACCOUNT.exec(holder)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The name of the operator; undefined if the text does not name an operator. */
export function operatorNameOf(holder: Holder): string | undefined {
  return OPERATOR.exec(holder)?.[1];
}

/** The sign-in data of a customer or an operator. */
export interface KnownHolder {
  readonly email: string;
  /** Whether the holder may currently sign in. */
  readonly isEnabled: boolean;
  readonly sealedTotp: string | null;
  /** The time step of the last accepted two-factor code; -1 if there was none. */
  readonly totpStep: number;
}

/**
 * The sign-in data of a holder; undefined if no holder of this name can have a password. Sub-accounts have none,
 * because their masters sign in.
 */
export function knownHolder(state: ExchangeState, holder: Holder): KnownHolder | undefined {
  const accountId = accountIdOf(holder);
  if (accountId === undefined) return state.operators.get(operatorNameOf(holder) ?? "");
  const account = state.accounts.get(accountId);
  if (account === undefined || account.masterId !== null) return undefined;
  const { email, isEnabled, sealedTotp } = account;
  return { email, isEnabled, sealedTotp, totpStep: state.funds.totpSteps.get(accountId) ?? -1 };
}

// Since rules version 4, all addresses are stored in lower case, and an account cannot get an address that another
// account has.

/** The address in the form in which it is stored. */
export function emailOf({ edition }: ExchangeState, email: string): string {
  return edition < 4 ? email : foldedEmail(email);
}

/** Whether another account has the address. */
export function isEmailTaken({ accounts, edition }: ExchangeState, email: string, except?: Account): boolean {
  if (edition < 4) return accounts.getByEmail(email) !== undefined;
  return accounts.sharing(email).some((account) => account !== except);
}

/**
 * Whether several accounts have addresses that differ only in case. Their emails may reach the same person, so no link
 * that opens one of the accounts is sent until an operator has changed the address of the others.
 */
export function isEmailShared({ accounts, edition }: ExchangeState, email: string): boolean {
  return edition >= 4 && accounts.sharing(email).length > 1;
}

/** Like `isEmailShared`, for the address of a holder. Operators may share an address, because they sign in by name. */
export function isHolderShared(state: ExchangeState, holder: string): boolean {
  const account = state.accounts.get(accountIdOf(holder) ?? -1);
  return account !== undefined && isEmailShared(state, account.email);
}

interface Done {
  readonly accountId: number;
  /** The author of the action, as in the command's `by`. */
  readonly by: string;
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * Queues an email to the owner of the account; for a sub-account, to the owner of its master. Actions of the admin
 * token, and commands in journals from before the first sign-in, send no email.
 */
export function notifyOwner(state: ExchangeState, kind: NoticeKind, { accountId, by, facts }: Done): void {
  if (accountIdOf(by) === undefined && operatorNameOf(by) === undefined) return;
  const account = present(state.accounts.get(accountId), "what is done to an account is done to one that exists");
  const owner = account.masterId === null ? account : state.accounts.get(account.masterId);
  const { accountId: ownerId, email } = present(owner, "a sub-account has a master");
  state.queueEmail(kind, email, { holder: `account:${ownerId}`, account: String(accountId), by, ...facts });
}

// A node claims an email before sending it, so that only one of two nodes sends it.

export function changeNotice(
  state: ExchangeState,
  { noticeId, from, to }: Command<"changeNotice">,
): RejectReason | null {
  const notice = state.notices.get(noticeId);
  if (notice === undefined) return "UNKNOWN_LETTER";
  if (notice.status !== from) return "WRONG_STATUS";
  if (to === "waiting" || to === "claimed") state.notices.replace({ ...notice, status: to });
  else state.notices.remove(noticeId);
  state.emit({ type: "noticeChanged", noticeId, kind: notice.kind, status: to });
  return null;
}
