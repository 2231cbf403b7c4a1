/** Rows of history for its readers: decimal strings of 8 places, as on the wire. Interface 3.6, 4.5. */
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

// Rows of money movements other than trades.

/** Interface 2.10: pending, credited but cannot withdraw, success. A reverted deposit is shown nowhere. */
export type DepositStatusCode = 0 | 6 | 1;

export interface DepositRow {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly assetId: number;
  readonly amount: string;
  readonly address: string;
  /** "" when the network has none; so are the tags below. */
  readonly tag: string;
  readonly status: DepositStatusCode;
  /** Time at which it was first seen. */
  readonly insertTimeMs: number;
  readonly updateTimeMs: number;
}

export interface WithdrawalRow {
  readonly withdrawalId: string;
  /** The client's own id; "" when absent. */
  readonly withdrawOrderId: string;
  readonly assetId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  /** The amount that arrives, after the fee. Interface S.18. */
  readonly amount: string;
  readonly fee: string;
  /** "" before it is signed. */
  readonly txId: string;
  /** 0 to 6. Interface 2.10. */
  readonly status: number;
  readonly applyTimeMs: number;
  readonly updateTimeMs: number;
  /** The client's name for the address. */
  readonly name: string;
  /** Reason of a rejection or failure; else "". */
  readonly why: string;
}

export interface TransferRow {
  readonly tranId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly timeMs: number;
  /** "": the client gave none. */
  readonly clientTranId: string;
}

/** Rows of one conversion share the tranId. */
export interface DustRow {
  readonly tranId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly dustAssetId: number;
  /** The amount after the charge; both in the dust asset. */
  readonly received: string;
  readonly charge: string;
  readonly timeMs: number;
}

export interface DividendRow {
  readonly tranId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly info: string;
  readonly timeMs: number;
}

/** An account's balances at the end of a day (UTC). */
export interface SnapshotRow {
  /** The last second of the day. */
  readonly timeMs: number;
  /** Balances that are not zero, by asset id. */
  readonly balances: readonly { readonly assetId: number; readonly free: string; readonly locked: string }[];
  /** Sum of all balances in the asset asked for, at the day's last prices, rounded down; others count as 0. */
  readonly total: string;
}
