import type { ExchangeState } from "../state/exchange-state.ts";

/** Counts orders in the limits of their account, whatever becomes of them: each costs an entry of the journal. */
export function countPlaced(state: ExchangeState, accountId: number, orders: number): void {
  const { placedCounts } = state;
  if (placedCounts.rules.length === 0 || state.accounts.get(accountId) === undefined) return;
  placedCounts.add(accountId, orders);
}
