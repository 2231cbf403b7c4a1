/** Which past a symbol may be given. docs/decisions/0026 */
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { PastReach } from "../entry/past-candle.ts";

/** Null when the symbol may be given candles from `firstMs` to `endMs`, after those that it has. */
export function pastRefusal(
  market: Market,
  { interval, firstMs, endMs }: Omit<PastReach, "scale">,
  nowMs: number,
): RejectReason | null {
  const { past, lastTradeId, firstTradeMs } = market;
  if (endMs > nowMs) return "PAST_NOT_OVER";
  if (past !== null && (past.interval !== interval || firstMs < past.endMs)) return "PAST_OVERLAPS";
  if (lastTradeId > 0) return endMs > firstTradeMs ? "PAST_OVERLAPS" : null;
  // A past sets the last price, which would trigger them.
  return market.triggers.size > 0 ? "ORDERS_WAIT" : null;
}
