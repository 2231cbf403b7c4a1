/** The holder of an account fears a thief. */
import type { FreezeAccount } from "../entry/access-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { closeOthers } from "./sessions.ts";

/** Ends every way in. Open orders stay: whoever cancels them may do harm too. */
export function freezeAccount(state: ExchangeState, { accountId }: FreezeAccount): RejectReason | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  account.canTrade = false;
  account.canWithdraw = false;
  state.emit({ type: "accountChanged", accountId });
  for (const key of state.apiKeys.of(accountId)) {
    state.apiKeys.delete(key);
    state.emit({ type: "apiKeyDeleted", apiKey: key.apiKey });
  }
  closeOthers(state, `account:${accountId}`, null);
  state.emit({ type: "accountFrozen", accountId });
  state.owe("frozen", account.email, { holder: `account:${accountId}` });
  return null;
}
