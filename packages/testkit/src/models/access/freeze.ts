/** A freeze in the model: every session and open order ends, and withdrawals that were not paid yet are cancelled. */
import type { FreezeAccount, RejectReason } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import { expireOrdersOf } from "../operator-ends.ts";
import type { ModelAccess } from "../state.ts";
import { cancelUnsent } from "../wallet/withdrawals.ts";
import { owe } from "./letters.ts";
import { closeOthers } from "./sessions.ts";

export function freezeAccount(access: ModelAccess, { accountId }: FreezeAccount): Happening[] | RejectReason {
  const { accounts, edition, wallet } = access.exchange;
  const account = accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  const subs = [...accounts.values()].filter(({ masterId }) => masterId === accountId);
  const shut = [account, ...subs].flatMap((each) => {
    each.canTrade = false;
    each.canWithdraw = false;
    const orders = edition >= 4 ? expireOrdersOf(access.exchange, each.accountId) : [];
    return [said(`account ${each.accountId} changed`), ...orders, ...cancelUnsent(wallet, each.accountId)];
  });
  const holder = `account:${accountId}`;
  const ended = closeOthers(access, holder, null);
  return [...shut, ...ended, said(`account ${accountId} frozen`), ...owe(access, "frozen", account.email, { holder })];
}
