/**
 * Holders of a password: customers with an account of their own, and operators; their email addresses, and the emails
 * that they get.
 */
import type { Holder } from "../entry/access-record.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

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
