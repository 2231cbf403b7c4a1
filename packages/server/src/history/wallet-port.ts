/** What history tells of money that came, went or moved otherwise than by trading: a part of the port. Interface 3.6, 4.5. */
import type {
  DepositRow,
  DepositStatusCode,
  DividendRow,
  DustRow,
  SnapshotRow,
  TransferRow,
  WithdrawalRow,
} from "../shapes/wallet-rows.ts";

/** A part of a list that grows with time. */
export interface TimePage {
  /** Inclusive, both. */
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** Rows to pass over first. Default: 0. */
  readonly offset?: number | undefined;
  readonly limit: number;
}

/** `side`: those that the account paid, or was paid. */
export interface TransferPage extends TimePage {
  readonly side?: "from" | "to" | "either";
}

/** The window is of `insertTimeMs`. */
export interface DepositQuestion extends TimePage {
  readonly assetId?: number | undefined;
  readonly status?: DepositStatusCode | undefined;
  readonly txId?: string | undefined;
}

/** The window is of `applyTimeMs`. */
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
  /** Of days that end in it. Default: up to now. */
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** Days, at most: the latest of them. */
  readonly limit: number;
  /** In which the total is told; without it the total is "0.00000000". */
  readonly totalAssetId?: number | undefined;
  /** Days that are not over by then are left out. */
  readonly nowMs: number;
}

/** How an account traded a symbol: what the API trading rules count. Interface 3.8. */
export interface ConductRow {
  readonly accountId: number;
  readonly symbolId: number;
  readonly orders: number;
  /** Values at the orders' own prices: only their ratio means anything. */
  readonly submitted: number;
  readonly filled: number;
  /** IOC and FOK orders, and those of them that expired without a fill. */
  readonly immediate: number;
  readonly immediateExpired: number;
  /** GTC orders, and those of them that ended without a fill within 2.5 s. */
  readonly goodTillCancel: number;
  readonly goodTillCancelQuick: number;
}
/** Rows with at least one of these counts reached; all left out: every row. */
export interface ConductLeast {
  readonly orders: number;
  readonly immediate: number;
  readonly goodTillCancel: number;
}

export interface WalletHistory {
  /** Newest first. (/wapi lists are oldest first, Interface 1.2: turn them round.) */
  deposits(seq: number, accountId: number, question: DepositQuestion): Promise<DepositRow[]>;
  /** Newest first; likewise. */
  withdrawals(seq: number, accountId: number, question: WithdrawalQuestion): Promise<WithdrawalRow[]>;
  /** Between a master account and its sub-accounts, and among these; oldest first. */
  transfersOfMaster(seq: number, masterId: number, page: TimePage): Promise<TransferRow[]>;
  /** To or from the account; oldest first. */
  transfersOfAccount(seq: number, accountId: number, page: TransferPage): Promise<TransferRow[]>;
  /** How many there are on all pages. */
  countTransfersOfMaster(seq: number, masterId: number, page: TimePage): Promise<number>;
  countTransfersOfAccount(seq: number, accountId: number, page: TransferPage): Promise<number>;
  /** Newest first. */
  dustConversions(seq: number, accountId: number, page: TimePage): Promise<DustRow[]>;
  /** Newest first. */
  dividends(seq: number, accountId: number, question: DividendQuestion): Promise<DividendRow[]>;
  /** Oldest first, from the day on which the account first had anything. */
  snapshots(seq: number, accountId: number, question: SnapshotQuestion): Promise<SnapshotRow[]>;
  /** The same as JSON, written where it is read. */
  snapshotPage(seq: number, accountId: number, question: SnapshotQuestion): Promise<string>;
  /** Of orders placed since then (to the half minute, ten minutes back at most), one row a symbol, by symbol id. */
  conduct(seq: number, accountId: number, sinceMs: number): Promise<ConductRow[]>;
  /** Of all accounts that placed enough orders since then, and since they were last locked. */
  conductOfAll(seq: number, sinceMs: number, least: ConductLeast): Promise<ConductRow[]>;
}
