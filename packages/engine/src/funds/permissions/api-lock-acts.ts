/** Locks an account out of API trading, and unlocks it. Interface 3.8. */
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { LockApiTrading, UnlockApiTrading } from "../../entry/wallet-command.ts";

export function lockApiTrading(state: ExchangeState, command: LockApiTrading): RejectReason | null {
  const { accountId, symbol } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!state.marketsBySymbol.has(symbol)) return "UNKNOWN_SYMBOL";
  if (state.funds.apiLocks.at(accountId, state.nowMs) !== undefined) return "ALREADY_EXISTS";
  const { untilMs } = state.funds.apiLocks.lock(command, state.nowMs);
  state.emit({ type: "apiTradingLocked", accountId, untilMs });
  return null;
}

export function unlockApiTrading(state: ExchangeState, { accountId }: UnlockApiTrading): RejectReason | null {
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (state.funds.apiLocks.at(accountId, state.nowMs) === undefined) return "WRONG_STATUS";
  state.funds.apiLocks.unlock(accountId);
  state.emit({ type: "accountChanged", accountId });
  return null;
}
