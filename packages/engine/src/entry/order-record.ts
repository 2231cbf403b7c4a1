/** What events and views tell of orders and of order lists. Interface 2.1, 2.2, 2.9. */
import type { OrderStatus, OrderType, Side, TimeInForce } from "./order-words.ts";

/**
 * An order: what was asked for, and what has come of it. Prices are in ticks and quantities in lots of its symbol
 * (see `SymbolScale`); money is in units of its asset. A field that does not apply is 0.
 */
export interface OrderRecord {
  readonly orderId: number;
  readonly accountId: number;
  readonly symbolId: number;
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
  /** When it was placed. */
  readonly timeMs: number;

  readonly status: OrderStatus;
  /** On the book (or was, when it ended), as opposed to waiting for its stop price. */
  readonly isWorking: boolean;
  readonly executedLots: number;
  /** Units of the quote asset paid or received so far, commission apart. */
  readonly executedQuote: bigint;
  /** Sum of commissions, in units of the asset received. */
  readonly commission: bigint;
  readonly updateTimeMs: number;
}

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
