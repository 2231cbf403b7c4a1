/**
 * What events and views tell of orders and of order lists. Interface 2.1, 2.2, 2.9. The table is the one place that says
 * which fields an order has: snapshots, the event digest and the rows of history follow from it.
 */
import { big, bool, text, uint, uintOrMinusOne, type ValuesOf, word } from "./fields.ts";
import { ORDER_STATUSES, ORDER_TYPES, SIDES, TIMES_IN_FORCE } from "./order-words.ts";

/** What was asked for. It never changes. */
export const PLACED_FIELDS = {
  orderId: uint,
  accountId: uint,
  symbolId: uint,
  clientOrderId: text,
  side: word(SIDES),
  type: word(ORDER_TYPES),
  timeInForce: word(TIMES_IN_FORCE),
  /** 0 for orders without a price of their own. */
  priceTicks: uint,
  quantityLots: uint,
  stopTicks: uint,
  icebergLots: uint,
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; else 0n. */
  quoteOrderQty: big,
  orderListId: uintOrMinusOne,
  /** When it was placed. */
  timeMs: uint,
};

/** What has come of it. */
export const PROGRESS_FIELDS = {
  updateTimeMs: uint,
  status: word(ORDER_STATUSES),
  /** On the book (or was, when it ended), as opposed to waiting for its stop price. */
  isWorking: bool,
  executedLots: uint,
  /** Units of the quote asset paid or received so far, commission apart. */
  executedQuote: big,
  /** Sum of commissions, in units of the asset received. */
  commission: big,
};

/** A field that is added says since which layout of the snapshot (`LAYOUT` in `snapshot.ts`) there is one. */
export const ORDER_FIELDS = { ...PLACED_FIELDS, ...PROGRESS_FIELDS };

/**
 * An order: what was asked for, and what has come of it. Prices are in ticks and quantities in lots of its symbol
 * (see `SymbolScale`); money is in units of its asset. A field that does not apply is 0.
 */
export type OrderRecord = ValuesOf<typeof ORDER_FIELDS>;

/** One of the two orders of a list. */
export type LegRecord = Pick<OrderRecord, "orderId" | "clientOrderId">;

/** A pair of orders of which one cancels the other. Nothing of it changes while it executes. */
export interface OrderListRecord {
  readonly orderListId: number;
  /** Unique among the account's executing lists. */
  readonly listClientOrderId: string;
  readonly accountId: number;
  readonly symbolId: number;
  /** When it was placed. */
  readonly timeMs: number;
  readonly stopLeg: LegRecord;
  readonly limitLeg: LegRecord;
}
