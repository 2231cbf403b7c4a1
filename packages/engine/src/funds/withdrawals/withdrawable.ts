/** What may leave an account: its free money, less what came by deposits that the chain may still take back. */
import type { ExchangeState } from "../../state/exchange-state.ts";

export function withdrawable(state: ExchangeState, accountId: number, assetId: number): bigint {
  const { free } = state.ledger.balance(accountId, assetId);
  const held = state.funds.deposits.heldOf(accountId, assetId);
  return free > held ? free - held : 0n;
}
