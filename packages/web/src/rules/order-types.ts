/** What a type of order needs (Interface 3.2). */
export { LIMIT_LEG_TYPES, type OrderType, TIMES_IN_FORCE, type TimeInForce } from "@pricetime/protocol";

export const hasPrice = (type: string): boolean =>
  type === "LIMIT" || type === "LIMIT_MAKER" || type.endsWith("_LIMIT");
/** It waits for the last price to reach its stop price. */
export const waits = (type: string): boolean => type.startsWith("STOP_LOSS") || type.startsWith("TAKE_PROFIT");
export const needsTimeInForce = (type: string): boolean => hasPrice(type) && type !== "LIMIT_MAKER";

/** Whether it may stay open, and so counts among the open orders. */
export function mayRest(type: string, timeInForce = "GTC"): boolean {
  return waits(type) || (type !== "MARKET" && timeInForce === "GTC");
}
