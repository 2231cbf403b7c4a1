/** Delisting: from a time that operators announce, a symbol stays in BREAK and its open orders end. */
import type { SetDelisting } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { beginEnding } from "../trading/operator-ends.ts";

/** The time lies ahead, and can be moved or withdrawn until it has come. */
export function setDelisting(state: ExchangeState, { symbol, atMs, why, by }: SetDelisting): RejectReason | null {
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (market.delisting !== null && state.nowMs >= market.delisting.atMs) return "DELISTED";
  if (atMs !== null && atMs <= state.nowMs) return "INVALID_VALUE";
  market.delisting = atMs === null ? null : { atMs, why, by, sinceMs: state.nowMs };
  state.dueMarkets.update(market);
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

/** Carries out the delistings whose time has come. */
export function delistDueSymbols(state: ExchangeState): void {
  for (const market of state.dueMarkets.toDelist(state.nowMs)) {
    market.isDelisted = true;
    market.spec = { ...market.spec, status: "BREAK" };
    beginEnding(state, market);
    state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  }
}
