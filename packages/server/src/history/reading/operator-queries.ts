/**
 * Queries for operators: the audit log; adjustments, notes on accounts and unattributed deposits, each newest first;
 * and an account's activity before a withdrawal.
 */
import {
  type AdjustmentCategory,
  type CoinId,
  type DepositStatus,
  type HouseAccount,
  type UnknownDepositReason,
  WITHDRAWAL_STATUSES,
} from "@pricetime/engine";
import type { HistoryTables } from "./history-tables.ts";
import type { DepositRow } from "./wallet-queries.ts";
import { depositStatus, moneyColumn } from "../table/columns.ts";

export const VENUE_LIMITS = {
  /**
   * Maximum number of deposits, withdrawals and unattributed deposits (the newest) that are scanned if no index
   * applies.
   */
  maxSearched: 100_000,
  /** Maximum number of audit log rows (the newest) that are scanned for an account's keys and withdrawals. */
  maxActsSearched: 100_000,
  /** Maximum number of completed withdrawals of an account that are counted. */
  maxCounted: 1000,
} as const;

/** A page of a list, newest rows first. */
interface NewestPage {
  /** Selects only rows of entries before this one. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** A row of the audit log. */
export interface ActRow {
  readonly seq: number;
  readonly timeMs: number;
  /** The type of the command. */
  readonly type: string;
  readonly by: string;
  /** The account that the command concerns; null if none. */
  readonly accountId: number | null;
  /** "done", or the reason for the rejection. */
  readonly outcome: string;
  /** The command's other fields, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The approval requests for a withdrawal. Their approvals and rejections contain only the id of the request. */
const PROPOSED = `SELECT details ->> '$.proposalId' FROM operator_acts
  WHERE type IN ('propose', 'changeProposal') AND details ->> '$.act.withdrawalId' = ?3`;

/** Conditions without an index are scanned, because the audit log is short and only operators read it. */
const ACTS = `SELECT seq, time_ms AS timeMs, type, by, account_id AS accountId, outcome, details FROM operator_acts
  WHERE seq < ?1 AND (?2 IS NULL OR account_id = ?2)
    AND (?3 IS NULL OR details ->> '$.withdrawalId' = ?3 OR details ->> '$.proposalId' IN (${PROPOSED}))
  ORDER BY seq DESC LIMIT ?4`;

/** Includes sign-ins to the account, and other commands of its holder that name no operator. */
const ACTS_OF_ACCOUNT = `SELECT * FROM (
    SELECT seq, time_ms AS timeMs, type, by, account_id AS accountId, outcome, details FROM operator_acts
    WHERE account_id = ?2 AND seq < ?1 ORDER BY seq DESC LIMIT ?3)
  UNION ALL SELECT * FROM (
    SELECT seq, time_ms, type, 'account:' || account_id, account_id, outcome, details FROM access_acts
    WHERE account_id = ?2 AND seq < ?1 ORDER BY seq DESC LIMIT ?3)
  ORDER BY seq DESC LIMIT ?3`;

export interface AdjustmentRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly asset: string;
  /** A decimal; negative if the account paid. */
  readonly amount: string;
  readonly house: HouseAccount;
  readonly category: AdjustmentCategory;
  readonly why: string;
  readonly reference: string;
  readonly by: string;
}

export interface NoteRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly text: string;
  readonly by: string;
}

/** seen: waits for an operator; deposit: was later recognized as a customer's deposit. */
export const UNKNOWN_DEPOSIT_STATUSES = ["seen", "credit", "keep", "dismiss", "deposit"] as const;
export type UnknownDepositStatus = (typeof UNKNOWN_DEPOSIT_STATUSES)[number];

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
  /** The account to which the deposit was assigned; null if none. */
  readonly accountId: number | null;
  readonly why: string;
  readonly updateTimeMs: number;
}

/** A pending, credited or final deposit. */
export interface BookedDepositRow extends Omit<DepositRow, "assetId" | "status"> {
  readonly accountId: number;
  readonly asset: string;
  readonly status: DepositStatus;
}

const ADJUSTMENT = `SELECT seq, time_ms AS timeMs, account_id AS accountId, asset_id AS assetId,
  ${moneyColumn("amount", "amount")}, house, category, why, reference, by FROM adjustments`;
const UNKNOWN = `SELECT seq, seen_ms AS seenMs, network, tx_id AS txId, output, address, tag, coin, amount, reason, status,
  account_id AS accountId, why, update_time_ms AS updateTimeMs FROM unknown_deposits`;
const DEPOSIT = `SELECT deposit_id AS depositId, network, tx_id AS txId, output, account_id AS accountId,
  asset_id AS assetId, ${moneyColumn("amount", "amount")}, address, tag, status, insert_time_ms AS insertTimeMs,
  update_time_ms AS updateTimeMs`;
const PAGE = "seq < ?1 ORDER BY seq DESC LIMIT ?2";

export const OPERATOR_LISTS = {
  adjustments: `${ADJUSTMENT} WHERE ${PAGE}`,
  adjustmentsOf: `${ADJUSTMENT} INDEXED BY adjustments_by_entry WHERE account_id = ?3 AND ${PAGE}`,
  notes: `SELECT seq, time_ms AS timeMs, account_id AS accountId, text, by
    FROM account_notes INDEXED BY account_notes_by_account WHERE account_id = ?3 AND ${PAGE}`,
  unknown: `${UNKNOWN} WHERE ${PAGE}`,
  unknownByCoin: `${UNKNOWN} WHERE network = ?1 AND tx_id = ?2 AND output = ?3`,
  depositById: `${DEPOSIT} FROM deposits WHERE deposit_id = ?1`,
  unknownOf: `${UNKNOWN} INDEXED BY unknown_deposits_by_status WHERE status = ?3 AND ${PAGE}`,
};
/** Finds deposits whose id the exchange does not store. No index applies, so only the newest ones are scanned. */
const DEPOSIT_BY_COIN = `${DEPOSIT} FROM (SELECT * FROM deposits ORDER BY deposit_id DESC LIMIT ${VENUE_LIMITS.maxSearched})
  WHERE network = ?1 AND tx_id = ?2 AND output = ?3`;

/** A withdrawal whose account's earlier activity is requested. */
export interface PastQuestion {
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

export interface WithdrawalPast {
  readonly withdrawalId: string;
  /**
   * The number of the account's completed withdrawals, up to `VENUE_LIMITS.maxCounted`, and of those to the same
   * address.
   */
  readonly completed: number;
  readonly completedToAddress: number;
  /** When the account's newest deposit was seen; null if there is none. */
  readonly newestDepositMs: number | null;
}

export const WITHDRAWAL_PASTS = {
  completed: `SELECT count(*) AS completed, count(*) FILTER (WHERE network = ?3 AND address = ?4 AND tag = ?5) AS toAddress
    FROM (SELECT network, address, tag FROM withdrawals INDEXED BY withdrawals_by_status
      WHERE account_id = ?1 AND status = ?2 ORDER BY apply_time_ms DESC LIMIT ${VENUE_LIMITS.maxCounted})`,
  newestDeposit:
    "SELECT max(insert_time_ms) AS timeMs FROM deposits INDEXED BY deposits_by_account WHERE account_id = ?",
};

const COMPLETED = WITHDRAWAL_STATUSES.indexOf("completed");

interface Counts {
  readonly completed: number;
  readonly toAddress: number;
}

/** A page of a list, newest first: all rows, or only rows with a given value. */
function page<Row>(
  tables: HistoryTables,
  sql: { readonly all: string; readonly narrowed: string },
  { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: NewestPage,
  value: number | string | undefined,
): Row[] {
  if (value === undefined) return tables.rows(sql.all, beforeSeq, limit);
  return tables.rows(sql.narrowed, beforeSeq, limit, value);
}

interface ActsAsked extends NewestPage {
  readonly accountId?: number | undefined;
  readonly withdrawalId?: string | undefined;
}

export const operatorQueries = {
  /** Rows of the audit log that match all given fields. */
  acts(tables: HistoryTables, asked: ActsAsked): ActRow[] {
    const { beforeSeq = Number.MAX_SAFE_INTEGER, accountId, withdrawalId, limit } = asked;
    const rows: (Omit<ActRow, "details"> & { readonly details: string })[] =
      accountId !== undefined && withdrawalId === undefined
        ? tables.rows(ACTS_OF_ACCOUNT, beforeSeq, accountId, limit)
        : tables.rows(ACTS, beforeSeq, accountId ?? null, withdrawalId ?? null, limit);
    return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
  },

  adjustments(
    tables: HistoryTables,
    { accountId, ...asked }: NewestPage & { readonly accountId?: number | undefined },
  ): AdjustmentRow[] {
    const { adjustments: all, adjustmentsOf: narrowed } = OPERATOR_LISTS;
    const rows = page<Omit<AdjustmentRow, "asset"> & { readonly assetId: number }>(
      tables,
      { all, narrowed },
      asked,
      accountId,
    );
    return rows.map((row) => tables.named(row));
  },

  notes(tables: HistoryTables, { accountId, ...asked }: NewestPage & { readonly accountId: number }): NoteRow[] {
    const { notes } = OPERATOR_LISTS;
    return page(tables, { all: notes, narrowed: notes }, asked, accountId);
  },

  /** Unattributed deposits; by default of any status. */
  unknownDeposits(
    tables: HistoryTables,
    { status, ...asked }: NewestPage & { readonly status?: UnknownDepositStatus | undefined },
  ): UnknownDepositRow[] {
    const { unknown: all, unknownOf: narrowed } = OPERATOR_LISTS;
    return page(tables, { all, narrowed }, asked, status);
  },
  unknownDeposit(tables: HistoryTables, { network, txId, output }: CoinId): UnknownDepositRow | undefined {
    return tables.row(OPERATOR_LISTS.unknownByCoin, network, txId, output);
  },

  /** Finds a deposit. With its id, it may be of any age; otherwise only the newest ones are scanned. */
  bookedDeposit(
    tables: HistoryTables,
    { coin, depositId }: { readonly coin: CoinId; readonly depositId: number | undefined },
  ): BookedDepositRow | undefined {
    const found: (DepositRow & { readonly accountId: number }) | undefined =
      depositId === undefined
        ? tables.row(DEPOSIT_BY_COIN, coin.network, coin.txId, coin.output)
        : tables.row(OPERATOR_LISTS.depositById, depositId);
    if (found === undefined) return undefined;
    const { status, ...row } = found;
    return { ...tables.named(row), status: depositStatus(status) };
  },

  /** The results have the same order as `withdrawals`. */
  withdrawalPasts(tables: HistoryTables, withdrawals: readonly PastQuestion[]): WithdrawalPast[] {
    const { completed: count, newestDeposit } = WITHDRAWAL_PASTS;
    return withdrawals.map(({ withdrawalId, accountId, network, address, tag }) => {
      const counts = tables.row<Counts>(count, accountId, COMPLETED, network, address, tag);
      const { completed, toAddress } = counts as Counts;
      const newest = tables.row<{ readonly timeMs: number | null }>(newestDeposit, accountId);
      return { withdrawalId, completed, completedToAddress: toAddress, newestDepositMs: newest?.timeMs ?? null };
    });
  },
};
