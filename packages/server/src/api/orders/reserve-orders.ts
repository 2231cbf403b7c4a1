/** Reserves places in the ORDERS limits before anything is written to the journal. Decision 17. */
import { type Outcome, OutcomeUnknown } from "../../journal/sequencer/port.ts";
import type { Call } from "../call.ts";
import { orderLimitRefusal } from "../edge/limits/refusal.ts";

/** Throws `Refused` without enough places. Returns a function to call with the command's outcome. */
export function reserveOrders(call: Call, orders: number): (outcome: Outcome | Error) => void {
  const { orderLimiter } = call.venue;
  const accountId = call.accountId();
  const reserved = orderLimiter.reserve(accountId, orders, call.nowMs);
  if ("rule" in reserved) throw orderLimitRefusal(reserved);
  call.orderCounts = reserved;
  return (outcome) => {
    if (outcome instanceof OutcomeUnknown) {
      orderLimiter.releaseUnknown(accountId, orders, call.nowMs);
      return;
    }
    orderLimiter.release(accountId, orders);
    if (outcome instanceof Error) call.orderCounts = undefined;
  };
}
