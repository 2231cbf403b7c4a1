/** New orders take their places in the ORDERS limits before anything is written to the journal. Interface 8.4. */
import type { Call } from "../call.ts";
import { orderLimitRefusal } from "../limits/refusal.ts";

/** Throws `Refused` when there are not so many places. Gives what gives them back. */
export function reserveOrders(call: Call, orders: number): () => void {
  const { orderLimiter } = call.venue;
  const accountId = call.accountId();
  const over = orderLimiter.reserve(accountId, orders, call.wallMs);
  if (over !== null) throw orderLimitRefusal(over);
  return () => orderLimiter.release(accountId, orders, call.wallMs);
}
