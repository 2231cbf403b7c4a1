/** Notes on accounts: history keeps them, and the exchange makes nothing of them. */
import type { RejectReason } from "../entry/reject.ts";
import type { NoteAccount } from "../entry/venue-command.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function noteAccount(state: ExchangeState, { accountId, text, by }: NoteAccount): RejectReason | null {
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  state.emit({ type: "accountNoted", accountId, text, by });
  return null;
}
