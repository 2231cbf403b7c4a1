/** The order: one mutable record per open order, owned by the engine. Interface 2.1, 2.2. */

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

/** The `orderListId` of an order that belongs to no list. */
export const NO_ORDER_LIST = -1;

/**
 * Prices are in ticks and quantities in lots of the order's symbol (see `SymbolScale`);
 * money is in units of its asset. A field that does not apply is 0.
 */
export interface Order {
  readonly orderId: number;
  readonly symbolId: number;
  readonly accountId: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** 0 for orders without a price of their own. */
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly stopTicks: number;
  readonly icebergLots: number;
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; else 0n. */
  readonly quoteOrderQty: bigint;
  readonly orderListId: number;
  /** Creation time. */
  readonly timeMs: number;
  updateTimeMs: number;
  status: OrderStatus;
  /** On the book (or was, when it ended), as opposed to waiting for its stop price. */
  isWorking: boolean;
  executedLots: number;
  /** Units of the quote asset paid or received so far, commission apart. */
  executedQuote: bigint;
  /** Sum of commissions, in units of the asset received. */
  commission: bigint;
  /** Lots that the book shows now: the current slice of an iceberg, else all that is left. */
  visibleLots: number;
  /** What is still locked for this order: units of quote for a BUY, of base for a SELL. */
  locked: bigint;
  /** Links of the book that holds the order; nobody else's business. */
  previous: Order | null;
  next: Order | null;
  level: object | null;
}

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

/** Orders with a price of their own; the others take what the book asks. */
export function hasPrice(type: OrderType): boolean {
  return type !== "MARKET" && type !== "STOP_LOSS" && type !== "TAKE_PROFIT";
}
