/**
 * The parts of the history port about money: what moved in other ways than trading, and statements, which list all that
 * moved an account's money in a span of time. Interface 3.6, 4.5.
 */
import type {
  DepositRow,
  DepositStatusCode,
  DividendRow,
  DustRow,
  SnapshotRow,
  TransferRow,
  WithdrawalRow,
} from "./shapes/rows.ts";
import type { Bucket, PostingReason } from "@pricetime/engine";

/** A part of a list that grows with time. */
export interface TimePage {
  /** Both bounds are inclusive. */
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** The number of rows to skip first. Default: 0. */
  readonly offset?: number | undefined;
  readonly limit: number;
}

/** `side` selects transfers that the account paid, or was paid. */
export interface TransferPage extends TimePage {
  readonly side?: "from" | "to" | "either";
}

/** The window applies to `insertTimeMs`. */
export interface DepositQuestion extends TimePage {
  readonly assetId?: number | undefined;
  readonly status?: DepositStatusCode | undefined;
  readonly txId?: string | undefined;
}

/** The window applies to `applyTimeMs`. */
export interface WithdrawalQuestion extends TimePage {
  readonly assetId?: number | undefined;
  readonly status?: number | undefined;
  readonly txId?: string | undefined;
  readonly withdrawOrderId?: string | undefined;
}

export interface DividendQuestion extends TimePage {
  readonly assetId?: number | undefined;
}

export interface SnapshotQuestion {
  /** Selects days that end in this window. Default: up to now. */
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** The most days; the latest ones are returned. */
  readonly limit: number;
  /** The asset of the total; without it the total is "0.00000000". */
  readonly totalAssetId?: number | undefined;
  /** Days that are not over by then are left out. */
  readonly nowMs: number;
}

/** How an account traded a symbol: what the API trading rules count. Interface 3.8. */
export interface ConductRow {
  readonly accountId: number;
  readonly symbolId: number;
  readonly orders: number;
  /** Values at the orders' own prices: only their ratio has a meaning. */
  readonly submitted: number;
  readonly filled: number;
  /** IOC and FOK orders, and those of them that expired without a fill. */
  readonly immediate: number;
  readonly immediateExpired: number;
  /** GTC orders, and those of them that ended without a fill within 2.5 s. */
  readonly goodTillCancel: number;
  readonly goodTillCancelQuick: number;
}
/** Selects rows with at least one of these counts reached; without any, every row. */
export interface ConductLeast {
  readonly orders: number;
  readonly immediate: number;
  readonly goodTillCancel: number;
}

export interface WalletHistory {
  /** Returns deposits, newest first. (/wapi lists are oldest first, Interface 1.2: reverse them.) */
  deposits(seq: number, accountId: number, question: DepositQuestion): Promise<DepositRow[]>;
  /** Returns withdrawals, newest first. */
  withdrawals(seq: number, accountId: number, question: WithdrawalQuestion): Promise<WithdrawalRow[]>;
  /** Returns transfers between a master account and its sub-accounts, and among these; oldest first. */
  transfersOfMaster(seq: number, masterId: number, page: TimePage): Promise<TransferRow[]>;
  /** Returns transfers to or from the account, oldest first. */
  transfersOfAccount(seq: number, accountId: number, page: TransferPage): Promise<TransferRow[]>;
  /** Returns the number of transfers on all pages. */
  countTransfersOfMaster(seq: number, masterId: number, page: TimePage): Promise<number>;
  countTransfersOfAccount(seq: number, accountId: number, page: TransferPage): Promise<number>;
  /** Returns dust conversions, newest first. */
  dustConversions(seq: number, accountId: number, page: TimePage): Promise<DustRow[]>;
  /** Returns dividends, newest first. */
  dividends(seq: number, accountId: number, question: DividendQuestion): Promise<DividendRow[]>;
  /** Returns days, oldest first, from the day on which the account first had anything. */
  snapshots(seq: number, accountId: number, question: SnapshotQuestion): Promise<SnapshotRow[]>;
  /** Returns the same as JSON, written by the reading thread. */
  snapshotPage(seq: number, accountId: number, question: SnapshotQuestion): Promise<string>;
  /** Returns the conduct in orders placed since then (to the half minute, at most ten minutes), by symbol id. */
  conduct(seq: number, accountId: number, sinceMs: number): Promise<ConductRow[]>;
  /** Returns the conduct of all accounts with enough orders since then, and since their last lock. */
  conductOfAll(seq: number, sinceMs: number, least: ConductLeast): Promise<ConductRow[]>;
}

export interface StatementSpan {
  /** Both are ends of days in UTC; the second is exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Entries after this one are left out. */
  readonly lastSeq: number;
}

/** In units of the asset, as digits. */
export interface StatementBalance {
  readonly assetId: number;
  readonly free: string;
  readonly locked: string;
}

export interface StatementBounds {
  /** The entries of the span: from the first up to, and not with, the second. */
  readonly fromSeq: number;
  readonly endSeq: number;
  /** What the account had before the span. */
  readonly opening: readonly StatementBalance[];
  /** What it had at the end of the span, as far as history reaches: also of entries after `lastSeq`. */
  readonly closing: readonly StatementBalance[];
}

/** What one posting did to one bucket: a lock moves from one to the other, which are two. */
export interface StatementMove {
  readonly seq: number;
  /** Counts the account's moves of an entry, from 0. */
  readonly place: number;
  readonly timeMs: number;
  readonly assetId: number;
  readonly bucket: Bucket;
  /** Units of the asset, as digits; what went out has a `-`. */
  readonly amount: string;
  readonly reason: PostingReason;
}

export interface StatementPage {
  readonly moves: readonly StatementMove[];
  /** The entry with which the next page begins; null: this is the last one. */
  readonly nextSeq: number | null;
}

export interface StatementHistory {
  statementBounds(seq: number, accountId: number, span: StatementSpan): Promise<StatementBounds>;
  /** Returns moves in their order, whole entries: a bounded number of them, of a bounded part of the history. */
  statementPage(
    seq: number,
    accountId: number,
    entries: Pick<StatementBounds, "fromSeq" | "endSeq">,
  ): Promise<StatementPage>;
}
