/** Order types, sides, statuses and other words. Interface 2.1, 2.2, 2.8. */

export type Side = "BUY" | "SELL";
export type TimeInForce = "GTC" | "IOC" | "FOK";
export type OrderType =
  | "LIMIT"
  | "MARKET"
  | "LIMIT_MAKER"
  | "STOP_LOSS"
  | "STOP_LOSS_LIMIT"
  | "TAKE_PROFIT"
  | "TAKE_PROFIT_LIMIT";
export type OrderStatus = "NEW" | "PARTIALLY_FILLED" | "FILLED" | "CANCELED" | "EXPIRED" | "REJECTED";

/** The lists give each word its number in the journal: append only. */
export const SIDES: readonly Side[] = ["BUY", "SELL"];
export const TIMES_IN_FORCE: readonly TimeInForce[] = ["GTC", "IOC", "FOK"];
export const ORDER_TYPES: readonly OrderType[] = [
  "LIMIT",
  "MARKET",
  "LIMIT_MAKER",
  "STOP_LOSS",
  "STOP_LOSS_LIMIT",
  "TAKE_PROFIT",
  "TAKE_PROFIT_LIMIT",
];
export const ORDER_STATUSES: readonly OrderStatus[] = [
  "NEW",
  "PARTIALLY_FILLED",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "REJECTED",
];

/** The `orderListId` of an order outside any list. */
export const NO_ORDER_LIST = -1;

export function opposite(side: Side): Side {
  return side === "BUY" ? "SELL" : "BUY";
}

export function isClosed(status: OrderStatus): boolean {
  return status !== "NEW" && status !== "PARTIALLY_FILLED";
}

/** Orders that wait for a stop price. Interface 2.8 calls them algo orders. */
export function waitsForStop(type: OrderType): boolean {
  return type === "STOP_LOSS" || type === "STOP_LOSS_LIMIT" || type === "TAKE_PROFIT" || type === "TAKE_PROFIT_LIMIT";
}

/** Orders with a price of their own; the others accept the prices of the book. */
export function hasPrice(type: OrderType): boolean {
  return type !== "MARKET" && type !== "STOP_LOSS" && type !== "TAKE_PROFIT";
}
