/**
 * The history port: what has happened, derived from events and stored in SQL. It may lag behind the replica and never
 * leads; `seq` arguments make a query wait until history has reached that entry. Prices, quantities and money are
 * decimal strings of 8 places, as on the wire; rows are in ascending order unless stated otherwise.
 */
import type { AdjustmentCategory, CoinId, DepositStatus, HouseAccount, UnknownDepositReason } from "@pricetime/engine";
import type { KlineInterval } from "@pricetime/protocol";
import type { AccountTradeRow, AggTradeRow, KlineRow, OrderListRow, OrderRow, TradeRow } from "./shapes/rows.ts";
import type { StatementHistory, WalletHistory } from "./wallet-port.ts";

// What operators work on: adjustments, notes on accounts, coins that belong to no account.

/** Newest first. */
interface DeskPage {
  /** Only what was journaled before this entry. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

export interface AdjustmentsQuestion extends DeskPage {
  readonly accountId?: number | undefined;
}
export interface AdjustmentRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly asset: string;
  /** A decimal, below zero when the account paid. */
  readonly amount: string;
  readonly house: HouseAccount;
  readonly category: AdjustmentCategory;
  readonly why: string;
  readonly reference: string;
  readonly by: string;
}

export interface NotesQuestion extends DeskPage {
  readonly accountId: number;
}
export interface NoteRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly text: string;
  readonly by: string;
}

/** seen: it waits for an operator; deposit: it turned out to be a customer's. */
export const UNKNOWN_DEPOSIT_STATUSES = ["seen", "credit", "keep", "dismiss", "deposit"] as const;
export type UnknownDepositStatus = (typeof UNKNOWN_DEPOSIT_STATUSES)[number];

export interface UnknownDepositsQuestion extends DeskPage {
  /** Absent: whatever became of them. */
  readonly status?: UnknownDepositStatus | undefined;
}
export interface UnknownDepositRow {
  readonly seq: number;
  readonly seenMs: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  readonly coin: string;
  readonly amount: string;
  readonly reason: UnknownDepositReason;
  readonly status: UnknownDepositStatus;
  /** Whose it became; null: nobody's. */
  readonly accountId: number | null;
  readonly why: string;
  readonly updateTimeMs: number;
}

export interface BookedDepositQuestion {
  readonly coin: CoinId;
  /** Its number, where it is known: then it is found however old it is, else among the newest. */
  readonly depositId: number | undefined;
}
export interface BookedDepositRow {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly tag: string;
  readonly status: DepositStatus;
  readonly insertTimeMs: number;
  readonly updateTimeMs: number;
}

export interface DeskHistory {
  adjustments(seq: number, question: AdjustmentsQuestion): Promise<readonly AdjustmentRow[]>;
  notes(seq: number, question: NotesQuestion): Promise<readonly NoteRow[]>;
  unknownDeposits(seq: number, question: UnknownDepositsQuestion): Promise<readonly UnknownDepositRow[]>;
  unknownDeposit(seq: number, coin: CoinId): Promise<UnknownDepositRow | undefined>;
  /** One that is pending, credited or final. */
  bookedDeposit(seq: number, question: BookedDepositQuestion): Promise<BookedDepositRow | undefined>;
}

// What operators search: what happened to an account, and which account something belongs to.

export const TIME_LINE_KINDS = ["order", "trade", "money", "key", "access", "act"] as const;
export type TimeLineKind = (typeof TIME_LINE_KINDS)[number];

/** A place in a time line. Things of one moment are told apart by their list, its symbol and their id in it. */
export interface TimeLinePlace {
  readonly timeMs: number;
  readonly list: number;
  readonly symbolId: number;
  readonly id: number;
}

export interface TimeLineQuestion {
  readonly kinds: readonly TimeLineKind[];
  /** Only what comes after this place, which is what happened before it. */
  readonly before?: TimeLinePlace | undefined;
  readonly limit: number;
}

/** Something that happened; other fields are those of its kind. */
export interface TimeLineRow {
  readonly timeMs: number;
  readonly kind: TimeLineKind;
  readonly what: string;
  readonly id: number | string;
  readonly [field: string]: unknown;
}

export interface TimeLine {
  /** Newest first. */
  readonly rows: readonly TimeLineRow[];
  /** The place of the last row; null: nothing comes after it. */
  readonly last: TimeLinePlace | null;
}

export interface FindQuestion {
  readonly text: string;
  readonly limit: number;
}

/** What has that id, address or transaction. */
export interface Found {
  readonly kind: "order" | "orderList" | "trade" | "deposit" | "withdrawal" | "unknownDeposit" | "act";
  readonly id: string;
  /** Null: a trade is of two, an act may concern nobody, and a coin may be nobody's. */
  readonly accountId: number | null;
  readonly label: string;
  readonly timeMs: number;
  readonly symbol?: string;
  readonly asset?: string;
  readonly network?: string;
  readonly status?: string;
}

/** A withdrawal of which an operator wants to know what went before it. */
export interface PastQuestion {
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

export interface WithdrawalPast {
  readonly withdrawalId: string;
  /** Completed withdrawals of the account, counted up to `VENUE_LIMITS.maxCounted`, and those of them to that address. */
  readonly completed: number;
  readonly completedToAddress: number;
  /** When a chain showed the account's newest deposit; null: none ever did. */
  readonly newestDepositMs: number | null;
}

export const VENUE_LIMITS = {
  /** The newest deposits, withdrawals, and coins of nobody, that are searched for what no index finds. */
  maxSearched: 100_000,
  /** The newest acts that are searched for those on keys and withdrawals of an account. */
  maxActsSearched: 100_000,
  /** The completed withdrawals of an account that are counted. */
  maxCounted: 1000,
} as const;

interface VenueHistory {
  /** Returns what happened to an account, newest first. */
  timeLine(seq: number, accountId: number, question: TimeLineQuestion): Promise<TimeLine>;
  /** Returns what has the text as its id, address or transaction; at most `limit` of each kind. */
  find(seq: number, question: FindQuestion): Promise<readonly Found[]>;
  /** Returns them in the order of the questions. */
  withdrawalPasts(seq: number, withdrawals: readonly PastQuestion[]): Promise<readonly WithdrawalPast[]>;
}

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

/** The questions of the port that wait for an entry. */
export type QuestionName = Exclude<keyof History, "seq">;
export type Arguments<Name extends QuestionName> =
  Parameters<History[Name]> extends [number, ...infer Rest] ? Rest : never;
export type Answer<Name extends QuestionName> = Awaited<ReturnType<History[Name]>>;
export type Queries = { readonly [Name in QuestionName]: (...args: Arguments<Name>) => Answer<Name> };
