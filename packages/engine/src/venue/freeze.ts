/** The holder of an account fears a thief. */
import { closeListenKeyOf } from "../access/listen-keys.ts";
import { closeOthers } from "../access/sessions.ts";
import { present } from "../assert.ts";
import type { FreezeAccount } from "../entry/access-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { cancelUnsent } from "../funds/withdrawals/steps.ts";

/**
 * Ends every way in, and to the sub-accounts: whoever was in could make keys of these, and move the money there. What a
 * thief may have asked to be paid out, and nobody has begun to pay, is given back. Open orders stay: whoever cancels them
 * may do harm too.
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
  for (const key of [...state.apiKeys.of(accountId)]) {
    state.apiKeys.delete(key);
    state.emit({ type: "apiKeyDeleted", apiKey: key.apiKey });
  }
  closeListenKeyOf(state, accountId);
  cancelUnsent(state, accountId);
}
