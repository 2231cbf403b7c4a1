/**
 * The history port: what has happened, derived from events and kept in SQL. It may lag behind the
 * replica and never leads; `seq` arguments make a query wait until history has reached that entry.
 * Prices, quantities and money are already decimal strings of 8 places, as on the wire; rows are
 * in ascending order unless it is said otherwise.
 */
import type { OrderStatus, OrderType, Side, TimeInForce } from "@pricetime/engine";
import type { WalletHistory } from "./wallet-port.ts";

/** Interface 2.2 with the symbol's name left to the caller. */
export interface OrderRow {
  readonly symbolId: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
  readonly origQuoteOrderQty: string;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly type: OrderType;
  readonly side: Side;
  readonly stopPrice: string;
  readonly icebergQty: string;
  readonly timeMs: number;
  readonly updateTimeMs: number;
  readonly isWorking: boolean;
  readonly commission: string;
  readonly commissionAssetId: number;
}

/** Interface 2.9. */
export interface OrderListRow {
  readonly orderListId: number;
  readonly symbolId: number;
  readonly listClientOrderId: string;
  readonly listOrderStatus: "EXECUTING" | "ALL_DONE";
  /** When it was placed. */
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
  /** How much of `count` is of before the first trade, and has no trade ids. */
  readonly pastCount: number;
}

export type KlineInterval =
  | "1m"
  | "3m"
  | "5m"
  | "15m"
  | "30m"
  | "1h"
  | "2h"
  | "4h"
  | "6h"
  | "8h"
  | "12h"
  | "1d"
  | "3d"
  | "1w"
  | "1M";

/** Interface 1.11: no bound = the most recent `limit`; a start (or from id) = the oldest from there; an end alone = the most recent up to it. */
export interface Window {
  readonly fromId?: number;
  readonly startTimeMs?: number;
  readonly endTimeMs?: number;
  readonly limit: number;
}

/** Of an account's trades: those of one order, when it is given. */
export type TradeWindow = Window & { readonly orderId?: number };

/** A command of an operator. */
export interface ActRow {
  readonly seq: number;
  readonly timeMs: number;
  /** The command's. */
  readonly type: string;
  readonly by: string;
  /** Null: it was about no account. */
  readonly accountId: number | null;
  /** "done", or why it was refused. */
  readonly outcome: string;
  /** The command's other fields, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}
/** Newest first, narrowed by what is given. */
export interface ActsQuestion {
  readonly accountId?: number;
  readonly withdrawalId?: string;
  /** Older than this entry. */
  readonly beforeSeq?: number;
  readonly limit: number;
}

export interface History extends WalletHistory {
  /** The last entry that history holds. */
  readonly seq: number;
  orderById(seq: number, accountId: number, symbolId: number, orderId: number): Promise<OrderRow | undefined>;
  /** The latest order with that client id. */
  orderByClientId(
    seq: number,
    accountId: number,
    symbolId: number,
    clientOrderId: string,
  ): Promise<OrderRow | undefined>;
  orders(seq: number, accountId: number, symbolId: number, window: Window): Promise<OrderRow[]>;
  orderListById(seq: number, accountId: number, orderListId: number): Promise<OrderListRow | undefined>;
  /** The latest list with that client id. */
  orderListByClientId(seq: number, accountId: number, listClientOrderId: string): Promise<OrderListRow | undefined>;
  /** Of all symbols. */
  orderLists(seq: number, accountId: number, window: Window): Promise<OrderListRow[]>;
  accountTrades(seq: number, accountId: number, symbolId: number, window: TradeWindow): Promise<AccountTradeRow[]>;
  trades(seq: number, symbolId: number, window: Window): Promise<TradeRow[]>;
  aggTrades(seq: number, symbolId: number, window: Window): Promise<AggTradeRow[]>;
  klines(seq: number, symbolId: number, interval: KlineInterval, window: Window, nowMs: number): Promise<KlineRow[]>;

  acts(seq: number, question: ActsQuestion): Promise<ActRow[]>;

  /**
   * The same lists as the interface's JSON, written where they are read: for the thread that serves, one text
   * costs half of what its rows do. (Bytes, handed over uncopied, cost more: their memory is V8's to free.)
   */
  orderListPage(seq: number, accountId: number, window: Window): Promise<string>;
  orderPage(seq: number, accountId: number, symbolId: number, window: Window): Promise<string>;
  accountTradePage(seq: number, accountId: number, symbolId: number, window: TradeWindow): Promise<string>;
  tradePage(seq: number, symbolId: number, window: Window): Promise<string>;
  aggTradePage(seq: number, symbolId: number, window: Window): Promise<string>;
  klinePage(seq: number, symbolId: number, interval: KlineInterval, window: Window, nowMs: number): Promise<string>;
}

/** As far back as history knows how accounts traded (`conduct`). */
export const CONDUCT_WINDOW_MS = 600_000;

/** History did not reach the wanted entry in time. */
export class HistoryBehind extends Error {
  override readonly name = "HistoryBehind";
}
