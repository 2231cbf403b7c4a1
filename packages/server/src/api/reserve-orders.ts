/** Reserves places in the ORDERS limits before anything is written to the journal. Decision 17. */
import type { Call } from "./call.ts";
import { orderLimitRefusal } from "../edge/limits/refusal.ts";

/** Throws `Refused` without enough places. Returns a function that releases them if the command is not taken. */
export function reserveOrders(call: Call, orders: number): () => void {
  const { orderLimiter } = call.venue;
  const accountId = call.accountId();
  const reserved = orderLimiter.reserve(accountId, orders, call.wallMs);
  if ("rule" in reserved) throw orderLimitRefusal(reserved);
  call.orderCounts = reserved;
  return () => {
    call.orderCounts = undefined;
    orderLimiter.release(accountId, orders, call.wallMs);
  };
}
