/** A freeze in the model: nobody is in any more, and what was not paid yet comes back. */
import type { FreezeAccount, RejectReason } from "@pricetime/engine";
import type { Happening } from "../happening.ts";
import { said } from "../wallet/said.ts";
import { cancelUnsent } from "../wallet/withdrawals.ts";
import type { ModelAccess } from "./access.ts";
import { owe } from "./letters.ts";
import { closeOthers } from "./sessions.ts";

export function freezeAccount(access: ModelAccess, { accountId }: FreezeAccount): Happening[] | RejectReason {
  const { accounts, wallet } = access.exchange;
  const account = accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const subs = [...accounts.values()].filter(({ masterId }) => masterId === accountId);
  const shut = [account, ...subs].flatMap((each) => {
    each.canTrade = false;
    each.canWithdraw = false;
    return [said(`account ${each.accountId} changed`), ...cancelUnsent(wallet, each.accountId)];
  });
  const holder = `account:${accountId}`;
  const ended = closeOthers(access, holder, null);
  return [...shut, ...ended, said(`account ${accountId} frozen`), ...owe(access, "frozen", account.email, { holder })];
}
