/**
 * Holders of a password: customers with an account of their own, and operators; their email addresses, and the emails
 * that they get.
 */
import { type ChangeNotice, foldedEmail, type Holder, type NoticeKind } from "../entry/access.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Account } from "../state/accounts.ts";
import { present } from "../assert.ts";
import type { RejectReason } from "../entry/reject.ts";

const ACCOUNT = /^account:([1-9][0-9]{0,15})$/;
const OPERATOR = /^operator:(.+)$/;

/** Undefined: the text does not name an account. */
export function accountIdOf(holder: Holder): number | undefined {
  const number = ACCOUNT.exec(holder)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Undefined: the text does not name an operator. */
export function operatorNameOf(holder: Holder): string | undefined {
  return OPERATOR.exec(holder)?.[1];
}

/** What the exchange knows of somebody who may sign in. */
export interface KnownHolder {
  readonly email: string;
  /** Whether they may sign in now. */
  readonly isEnabled: boolean;
  readonly sealedTotp: string | null;
  /** The step of the last code that was good; -1: none yet. */
  readonly totpStep: number;
}

/** Undefined: nobody of that name can have a password. Sub-accounts are their masters'. */
export function knownHolder(state: ExchangeState, holder: Holder): KnownHolder | undefined {
  const accountId = accountIdOf(holder);
  if (accountId === undefined) return state.operators.get(operatorNameOf(holder) ?? "");
  const account = state.accounts.get(accountId);
  if (account === undefined || account.masterId !== null) return undefined;
  const { email, isEnabled, sealedTotp } = account;
  return { email, isEnabled, sealedTotp, totpStep: state.funds.totpSteps.get(accountId) ?? -1 };
}

// From rules version 4 on all addresses are stored in one form, and no two accounts come to share one.

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

interface Done {
  readonly accountId: number;
  /** As in the command. */
  readonly by: string;
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * Owes a letter to whoever the account belongs to, which is the master's of a sub-account. Acts of the admin token and
 * those in journals from before anybody signed in owe none.
 */
export function tellOwner(state: ExchangeState, kind: NoticeKind, { accountId, by, facts }: Done): void {
  if (accountIdOf(by) === undefined && operatorNameOf(by) === undefined) return;
  const account = present(state.accounts.get(accountId), "what is done to an account is done to one that exists");
  const owner = account.masterId === null ? account : state.accounts.get(account.masterId);
  const { accountId: ownerId, email } = present(owner, "a sub-account has a master");
  state.owe(kind, email, { holder: `account:${ownerId}`, account: String(accountId), by, ...facts });
}

// A node claims an email before it sends it, so of two nodes only one sends it.

export function changeNotice(state: ExchangeState, { noticeId, from, to }: ChangeNotice): RejectReason | null {
  const notice = state.notices.get(noticeId);
  if (notice === undefined) return "UNKNOWN_LETTER";
  if (notice.status !== from) return "WRONG_STATUS";
  if (to === "waiting" || to === "claimed") state.notices.replace({ ...notice, status: to });
  else state.notices.remove(noticeId);
  state.emit({ type: "noticeChanged", noticeId, kind: notice.kind, status: to });
  return null;
}
