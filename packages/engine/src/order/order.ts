/** The order: one mutable record per open order, owned by the engine. Interface 2.1, 2.2. */
import { present } from "../assert.ts";

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

/** What is agreed of an order besides price and quantity. Plain orders of a symbol share theirs, see `Market.plainTerms`. */
export interface OrderTerms {
  readonly symbolId: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly stopTicks: number;
  readonly icebergLots: number;
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; else 0n. */
  readonly quoteOrderQty: bigint;
  readonly orderListId: number;
}

/** What changes of an order that is not plain. */
export interface OrderExtras {
  isWorking: boolean;
  /** What an iceberg shows now; 0 of others. */
  sliceLots: number;
  /** What is still locked for this order: units of quote for a BUY, of base for a SELL. */
  locked: bigint;
}

/** What an order has traded. */
export interface Executed {
  lots: number;
  /** Units of the quote asset paid or received, commission apart. */
  quote: bigint;
  /** Sum of commissions, in units of the asset received. */
  commission: bigint;
}

/**
 * Prices are in ticks and quantities in lots of the order's symbol (see `SymbolScale`);
 * money is in units of its asset. A field that does not apply is 0.
 *
 * Books hold a million orders, most of them plain and untouched. So what only some have is kept apart:
 * 152 bytes an order, with everything in one record 280. A literal and no class: V8 makes records that
 * stay where they will stay, but of literals alone, which halves the collector's work on a deep book.
 */
export interface Order {
  readonly orderId: number;
  readonly terms: OrderTerms;
  readonly accountId: number;
  readonly clientOrderId: string;
  /** 0 for orders without a price of their own. */
  readonly priceTicks: number;
  readonly quantityLots: number;
  /** Creation time. */
  readonly timeMs: number;
  /** Last change; null: none yet. */
  changedMs: number | null;
  status: OrderStatus;
  /** Null: it has not traded. */
  executed: Executed | null;
  /** Null: a plain order, see `isPlain`. */
  readonly extras: OrderExtras | null;
  /** Links of the book that holds the order; nobody else's business. */
  previous: Order | null;
  next: Order | null;
  level: object | null;
}

export function updateTimeOf(order: Readonly<Order>): number {
  return order.changedMs ?? order.timeMs;
}

/** On the book (or was, when it ended), as opposed to waiting for its stop price. */
export function isWorking(order: Readonly<Order>): boolean {
  return order.extras === null || order.extras.isWorking;
}

export function executedLotsOf(order: Readonly<Order>): number {
  return order.executed === null ? 0 : order.executed.lots;
}

export function executedQuoteOf(order: Readonly<Order>): bigint {
  return order.executed === null ? 0n : order.executed.quote;
}

export function paidCommissionOf(order: Readonly<Order>): bigint {
  return order.executed === null ? 0n : order.executed.commission;
}

export function leftLotsOf(order: Readonly<Order>): number {
  return order.executed === null ? order.quantityLots : order.quantityLots - order.executed.lots;
}

/** Lots that the book shows now: the current slice of an iceberg, else all that is left. */
export function visibleLotsOf(order: Readonly<Order>): number {
  const { extras } = order;
  return extras === null || order.terms.icebergLots === 0 ? leftLotsOf(order) : extras.sliceLots;
}

export function hiddenLotsOf(order: Readonly<Order>): number {
  const { extras } = order;
  return extras === null || order.terms.icebergLots === 0 ? 0 : leftLotsOf(order) - extras.sliceLots;
}

/** Sets what an iceberg shows; others show all that is left. */
export function showSlice(order: Order, lots: number): void {
  const { extras } = order;
  if (extras !== null && order.terms.icebergLots > 0) extras.sliceLots = lots;
}

/** Counts a trade in; the status becomes what it makes of it. */
export function execute(order: Order, lots: number, quote: bigint, nowMs: number): void {
  order.executed ??= { lots: 0, quote: 0n, commission: 0n };
  order.executed.lots += lots;
  order.executed.quote += quote;
  order.status = order.executed.lots === order.quantityLots ? "FILLED" : "PARTIALLY_FILLED";
  order.changedMs = nowMs;
}

/** A LIMIT or LIMIT_MAKER without further terms: it does without extras. */
export function isPlain(
  type: OrderType,
  stopTicks: number,
  icebergLots: number,
  quoteOrderQty: bigint,
  orderListId: number,
): boolean {
  if (type !== "LIMIT" && type !== "LIMIT_MAKER") return false;
  return stopTicks === 0 && icebergLots === 0 && quoteOrderQty === 0n && orderListId === NO_ORDER_LIST;
}

export function plainTerms(symbolId: number, side: Side, type: OrderType, timeInForce: TimeInForce): OrderTerms {
  const none = { stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n, orderListId: NO_ORDER_LIST };
  return { symbolId, side, type, timeInForce, ...none };
}

/** Of an order that is not plain. */
export function extrasOf(order: Order): OrderExtras {
  return present(order.extras, "a plain order has no extras");
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
