/** The limits on orders, and the count of orders that they are held to. The nodes refuse what is over a limit. */
import type { SetOrderLimits } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function setOrderLimits(state: ExchangeState, { rules }: SetOrderLimits): RejectReason | null {
  const limits = rules.map(({ windowMs, limit }) => ({ windowMs, limit }));
  state.placedCounts.setRules(limits, state.nowMs);
  state.emit({ type: "done" });
  return null;
}
