/** Rows of history for its readers: decimal strings of 8 places, as on the wire. */
import type { OrderRecord } from "@pricetime/engine";

/** Interface 2.2; the caller adds the symbol's name. */
export interface OrderRow extends Omit<OrderRecord, InUnits | "accountId"> {
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
  readonly origQuoteOrderQty: string;
  readonly stopPrice: string;
  readonly icebergQty: string;
  readonly commission: string;
  readonly commissionAssetId: number;
}

/** The fields that an order has in ticks, lots and units of an asset. */
type InUnits =
  | "priceTicks"
  | "quantityLots"
  | "stopTicks"
  | "icebergLots"
  | "quoteOrderQty"
  | "executedLots"
  | "executedQuote"
  | "commission";

/** Interface 2.9. */
export interface OrderListRow {
  readonly orderListId: number;
  readonly symbolId: number;
  readonly listClientOrderId: string;
  readonly listOrderStatus: "EXECUTING" | "ALL_DONE";
  /** Time of placement. */
  readonly timeMs: number;
  /** The stop leg, then the limit leg. */
  readonly orders: readonly { readonly orderId: number; readonly clientOrderId: string }[];
}

/** Interface 2.5. */
export interface AccountTradeRow {
  readonly tradeId: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAssetId: number;
  readonly timeMs: number;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
}

/** Interface 2.6. */
export interface TradeRow {
  readonly tradeId: number;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly timeMs: number;
  readonly isBuyerMaker: boolean;
}

export interface AggTradeRow {
  readonly aggTradeId: number;
  readonly price: string;
  readonly qty: string;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly timeMs: number;
  readonly isBuyerMaker: boolean;
}

/** closeTimeMs = next open - 1. Intervals without a trade are filled in, from the symbol's first candle on. */
export interface KlineRow {
  readonly openTimeMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly closeTimeMs: number;
  readonly quoteVolume: string;
  readonly count: number;
  readonly takerBuyBase: string;
  readonly takerBuyQuote: string;
  /** The part of `count` from before the first trade, which has no trade ids. */
  readonly pastCount: number;
}
