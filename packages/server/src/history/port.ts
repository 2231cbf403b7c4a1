/**
 * The history port: what has happened, derived from events and kept in SQL. It may lag behind the
 * replica and never leads; `seq` arguments make a query wait until history has reached that entry.
 * Prices, quantities and money are already decimal strings of 8 places, as on the wire; rows are
 * in ascending order unless it is said otherwise.
 */
import type { KlineInterval } from "@pricetime/protocol";
import type { AccountTradeRow, AggTradeRow, KlineRow, OrderListRow, OrderRow, TradeRow } from "../shapes/rows.ts";
import type { WalletHistory } from "./wallet-port.ts";

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
