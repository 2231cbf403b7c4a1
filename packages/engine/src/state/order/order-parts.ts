/** What an order is made of: what it shares with others, what only some have, and what it has traded. */
import type { OrderType, Side, TimeInForce } from "../../entry/order-words.ts";

/** Fields that many orders have in common and share: a symbol has few different ones. */
export interface OrderTerms {
  readonly symbolId: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
}

/** Fields that a plain order, a LIMIT or LIMIT_MAKER without a list, does without. */
export interface OrderExtras {
  readonly stopTicks: number;
  readonly icebergLots: number;
  /** Units of the quote asset, for MARKET orders given by `quoteOrderQty`; else 0n. */
  readonly quoteOrderQty: bigint;
  readonly orderListId: number;
  isWorking: boolean;
  /** What an iceberg shows now; 0 of others. */
  sliceLots: number;
  /** What is still locked for this order: units of quote for a BUY, of base for a SELL. */
  locked: bigint;
}

/** What an order has traded, in one fill or in all so far. */
export interface Executed {
  readonly lots: number;
  /** Units of the quote asset. */
  readonly quote: bigint;
  /** Units of the asset received. */
  readonly commission: bigint;
}
