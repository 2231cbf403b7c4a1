/** Locks an account that may be compromised. */
import { closeListenKeyOf } from "../access/listen-keys.ts";
import { closeOthers } from "../access/sessions.ts";
import { present } from "../assert.ts";
import type { FreezeAccount } from "../entry/access-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { cancelUnsent } from "../funds/withdrawals/steps.ts";
import { expireOrdersOf } from "../trading/operator-ends.ts";

/**
 * Ends every way in, and to the sub-accounts: an intruder could have created keys of these, and moved the money there.
 * Withdrawals that the intruder may have requested, and whose payment has not begun, are given back. Open orders end,
 * because the owner can no longer cancel one that an intruder placed to lose money to another account (decision 69).
 */
export function freezeAccount(state: ExchangeState, { accountId }: FreezeAccount): RejectReason | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  for (const each of [accountId, ...state.accounts.subsOf(accountId)]) shut(state, each);
  closeOthers(state, `account:${accountId}`, null);
  state.emit({ type: "accountFrozen", accountId });
  state.owe("frozen", account.email, { holder: `account:${accountId}` });
  return null;
}

function shut(state: ExchangeState, accountId: number): void {
  const account = present(state.accounts.get(accountId), "a sub-account is an account");
  account.canTrade = false;
  account.canWithdraw = false;
  state.emit({ type: "accountChanged", accountId });
  // Before the listen key is closed, so that the owner's stream still reports them.
  if (state.edition >= 4) expireOrdersOf(state, accountId);
  for (const key of [...state.apiKeys.of(accountId)]) {
    state.apiKeys.delete(key);
    state.emit({ type: "apiKeyDeleted", apiKey: key.apiKey });
  }
  closeListenKeyOf(state, accountId);
  cancelUnsent(state, accountId);
}
