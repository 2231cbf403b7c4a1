/** The amount that may leave an account: its free money, less deposits that the chain may still revert. */
import type { ExchangeState } from "../../state/exchange-state.ts";

export function withdrawable(state: ExchangeState, accountId: number, assetId: number): bigint {
  const { free } = state.ledger.balance(accountId, assetId);
  const held = state.funds.deposits.heldOf(accountId, assetId);
  return free > held ? free - held : 0n;
}
