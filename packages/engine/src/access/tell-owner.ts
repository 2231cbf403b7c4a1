/** Letters about what somebody who signed in did to an account's safety. */
import { present } from "../assert.ts";
import type { NoticeKind } from "../entry/access-record.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { accountIdOf, operatorNameOf } from "./holders.ts";

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
