/**
 * The history port: what has happened, derived from events and kept in SQL. It may lag behind the
 * replica and never leads; `seq` arguments make a query wait until history has reached that entry.
 * Prices, quantities and money are decimal strings of 8 places, as on the wire; rows are in ascending order
 * unless stated otherwise.
 */
import type { KlineInterval } from "@pricetime/protocol";
import type { AccountTradeRow, AggTradeRow, KlineRow, OrderListRow, OrderRow, TradeRow } from "./shapes/rows.ts";
import type { StatementHistory } from "./statement-port.ts";
import type { DeskHistory } from "./desk-port.ts";
import type { VenueHistory } from "./venue-port.ts";
import type { WalletHistory } from "./wallet-port.ts";

export { UNKNOWN_DEPOSIT_STATUSES } from "./desk-port.ts";
export { TIME_LINE_KINDS } from "./venue-port.ts";

/** Interface 1.11: no bound = the newest `limit`; a start (or from id) = the oldest from there; an end alone = the
 * newest up to it. */
export interface Window {
  readonly fromId?: number;
  readonly startTimeMs?: number;
  readonly endTimeMs?: number;
  readonly limit: number;
}

/** A window of an account's trades, limited to one order when given. */
export type TradeWindow = Window & { readonly orderId?: number };

/** A command of an operator. */
export interface ActRow {
  readonly seq: number;
  readonly timeMs: number;
  /** The type of the command. */
  readonly type: string;
  readonly by: string;
  /** The account that it concerns; null: none. */
  readonly accountId: number | null;
  /** "done", or the reason of the refusal. */
  readonly outcome: string;
  /** The command's other fields, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}
/** A question for acts, newest first; each field that is given narrows it. */
export interface ActsQuestion {
  readonly accountId?: number;
  readonly withdrawalId?: string;
  /** Only acts before this entry. */
  readonly beforeSeq?: number;
  readonly limit: number;
}

export interface History extends WalletHistory, VenueHistory, DeskHistory, StatementHistory {
  /** The last entry that history holds. */
  readonly seq: number;
  orderById(seq: number, accountId: number, symbolId: number, orderId: number): Promise<OrderRow | undefined>;
  /** Returns the latest order with that client id. */
  orderByClientId(
    seq: number,
    accountId: number,
    symbolId: number,
    clientOrderId: string,
  ): Promise<OrderRow | undefined>;
  orders(seq: number, accountId: number, symbolId: number, window: Window): Promise<OrderRow[]>;
  orderListById(seq: number, accountId: number, orderListId: number): Promise<OrderListRow | undefined>;
  /** Returns the latest list with that client id. */
  orderListByClientId(seq: number, accountId: number, listClientOrderId: string): Promise<OrderListRow | undefined>;
  /** Returns lists of all symbols. */
  orderLists(seq: number, accountId: number, window: Window): Promise<OrderListRow[]>;
  accountTrades(seq: number, accountId: number, symbolId: number, window: TradeWindow): Promise<AccountTradeRow[]>;
  trades(seq: number, symbolId: number, window: Window): Promise<TradeRow[]>;
  aggTrades(seq: number, symbolId: number, window: Window): Promise<AggTradeRow[]>;
  klines(seq: number, symbolId: number, interval: KlineInterval, window: Window, nowMs: number): Promise<KlineRow[]>;

  acts(seq: number, question: ActsQuestion): Promise<ActRow[]>;

  /**
   * Returns the same lists as the interface's JSON, written by the reading thread: for the serving thread, one text
   * costs half of what rows do. (Bytes, handed over uncopied, cost more: their memory is V8's to free.)
   */
  orderListPage(seq: number, accountId: number, window: Window): Promise<string>;
  orderPage(seq: number, accountId: number, symbolId: number, window: Window): Promise<string>;
  accountTradePage(seq: number, accountId: number, symbolId: number, window: TradeWindow): Promise<string>;
  tradePage(seq: number, symbolId: number, window: Window): Promise<string>;
  aggTradePage(seq: number, symbolId: number, window: Window): Promise<string>;
  klinePage(seq: number, symbolId: number, interval: KlineInterval, window: Window, nowMs: number): Promise<string>;
}

/** The time for which the history knows how accounts traded (`conduct`). */
export const CONDUCT_WINDOW_MS = 600_000;

/** The history did not reach the requested entry in time. */
export class HistoryBehind extends Error {
  override readonly name = "HistoryBehind";
}
