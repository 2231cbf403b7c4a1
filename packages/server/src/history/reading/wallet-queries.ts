/**
 * Reads funds movements other than trades (deposits, withdrawals, transfers, dividends), and trading conduct in the
 * last ten minutes. Interface 3.6, 3.8, 4.5.
 */
import { CONDUCT_PERIOD_MS, depositStatus, type DepositStatusCode, moneyColumn } from "../table/columns.ts";
import type { HistoryTables } from "./history-tables.ts";

/** A page of a list that is ordered by time. */
export interface TimePage {
  /** The bounds of the time range, both inclusive. */
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** The number of rows to skip. Default: 0. */
  readonly offset?: number | undefined;
  readonly limit: number;
}

interface AccountPage extends TimePage {
  readonly accountId: number;
}

export interface ListTable {
  readonly select: string;
  readonly table: string;
  /** The time column. Rows are ordered by it, newest first, and then by rowid. */
  readonly time: string;
  /** Each index has `account_id`, its columns and the time. The first index whose columns are all filtered is used. */
  readonly indexes: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/**
 * The statement that selects an account's rows with given values in `columns`, newest first. Parameters: account, the
 * values, `pageBounds`.
 */
export function listSql({ select, table, time, indexes }: ListTable, columns: readonly string[]): string {
  const index = indexes.find((one) => one.columns.every((column) => columns.includes(column)));
  const equal = ["account_id", ...columns].map((column) => `${column} = ?`).join(" AND ");
  return `${select} FROM ${table} INDEXED BY ${index?.name}
    WHERE ${equal} AND ${time} BETWEEN ? AND ? ORDER BY ${time} DESC, rowid DESC LIMIT ? OFFSET ?`;
}

/** The parameters of a page: from, to, limit, offset. */
function pageBounds({ startTimeMs, endTimeMs, limit, offset }: TimePage): [number, number, number, number] {
  return [startTimeMs ?? 0, endTimeMs ?? Number.MAX_SAFE_INTEGER, limit, offset ?? 0];
}

/** Rows of the list, newest first. Columns whose value is undefined are not filtered. */
function listed<Row extends InUnits>(
  tables: HistoryTables,
  table: ListTable,
  values: Readonly<Record<string, string | number | undefined>>,
  page: AccountPage,
): Row[] {
  const asked = Object.entries(values).filter((one): one is [string, string | number] => one[1] !== undefined);
  const sql = listSql(
    table,
    asked.map(([column]) => column),
  );
  const narrow = asked.map(([, value]) => value);
  return inDecimals(tables, tables.rows<Row>(sql, page.accountId, ...narrow, ...pageBounds(page)));
}

interface InUnits {
  readonly assetId: number;
  readonly amount: string;
}

function inDecimals<Row extends InUnits>(tables: HistoryTables, rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, amount: tables.money(row.assetId, row.amount) }));
}

export interface DepositRow {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly assetId: number;
  readonly amount: string;
  readonly address: string;
  /** "" if the network has no tags. The same applies to the tags below. */
  readonly tag: string;
  readonly status: DepositStatusCode;
  /** When the deposit was first seen. */
  readonly insertTimeMs: number;
  readonly updateTimeMs: number;
}

export const DEPOSITS: ListTable = {
  select: `SELECT deposit_id AS depositId, network, tx_id AS txId, output, asset_id AS assetId,
    ${moneyColumn("amount", "amount")}, address, tag, status, insert_time_ms AS insertTimeMs,
    update_time_ms AS updateTimeMs`,
  table: "deposits",
  time: "insert_time_ms",
  indexes: [
    { name: "deposits_by_tx", columns: ["tx_id"] },
    { name: "deposits_by_asset_and_status", columns: ["asset_id", "status"] },
    { name: "deposits_by_asset", columns: ["asset_id"] },
    { name: "deposits_by_status", columns: ["status"] },
    { name: "deposits_by_account", columns: [] },
  ],
};

/** The time bounds apply to `insertTimeMs`. */
interface DepositsAsked extends AccountPage {
  readonly assetId?: number | undefined;
  readonly status?: DepositStatusCode | undefined;
  readonly txId?: string | undefined;
}

export interface WithdrawalRow {
  readonly withdrawalId: string;
  /** The client's own id; "" if the client sent none. */
  readonly withdrawOrderId: string;
  readonly assetId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  /** The amount that arrives, after fees. Interface S.18. */
  readonly amount: string;
  readonly fee: string;
  /** "" before the transaction is signed. */
  readonly txId: string;
  /** Status code, 0 to 6. Interface 2.10. */
  readonly status: number;
  readonly applyTimeMs: number;
  readonly updateTimeMs: number;
  /** The customer's name for the address. */
  readonly name: string;
  /** The reason for a rejection or failure; otherwise "". */
  readonly why: string;
}

export const WITHDRAWALS: ListTable = {
  select: `SELECT withdrawal_id AS withdrawalId, withdraw_order_id AS withdrawOrderId, asset_id AS assetId, network,
    address, tag, ${moneyColumn("amount", "amount")}, ${moneyColumn("fee", "fee")}, tx_id AS txId, status,
    apply_time_ms AS applyTimeMs, update_time_ms AS updateTimeMs, name, why`,
  table: "withdrawals",
  time: "apply_time_ms",
  indexes: [
    { name: "withdrawals_by_tx", columns: ["tx_id"] },
    { name: "withdrawals_by_order_id", columns: ["withdraw_order_id"] },
    { name: "withdrawals_by_asset_and_status", columns: ["asset_id", "status"] },
    { name: "withdrawals_by_asset", columns: ["asset_id"] },
    { name: "withdrawals_by_status", columns: ["status"] },
    { name: "withdrawals_by_account", columns: [] },
  ],
};

/** A row of the venue's list of all accounts, newest first. `seq`: the entry of a withdrawal, the number of a deposit. */
interface OfVenue {
  readonly seq: number;
  readonly accountId: number;
}
interface VenuePage {
  /** Only rows with a lower `seq`. */
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** Both lists are read by the primary key. */
export const OF_VENUE = {
  deposits: `${DEPOSITS.select}, deposit_id AS seq, account_id AS accountId FROM deposits
    WHERE deposit_id < ? ORDER BY deposit_id DESC LIMIT ?`,
  /** Without the statuses of pending withdrawals. */
  closedWithdrawals: `${WITHDRAWALS.select}, seq, account_id AS accountId FROM withdrawals
    WHERE seq < ? AND status NOT IN (0, 2, 4) ORDER BY seq DESC LIMIT ?`,
  withdrawal: `${WITHDRAWALS.select}, seq, account_id AS accountId FROM withdrawals WHERE withdrawal_id = ?`,
};

function withFee(tables: HistoryTables, rows: readonly (WithdrawalRow & OfVenue)[]): (WithdrawalRow & OfVenue)[] {
  return inDecimals(tables, rows).map((row) => ({ ...row, fee: tables.money(row.assetId, row.fee) }));
}

/** The time bounds apply to `applyTimeMs`. */
interface WithdrawalsAsked extends AccountPage {
  readonly assetId?: number | undefined;
  readonly status?: number | undefined;
  readonly txId?: string | undefined;
  readonly withdrawOrderId?: string | undefined;
}

export interface TransferRow {
  readonly tranId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly timeMs: number;
  /** "" if the client sent none. */
  readonly clientTranId: string;
}

const TRANSFER = `SELECT transfers.tran_id AS tranId, from_account_id AS fromAccountId, to_account_id AS toAccountId,
  asset_id AS assetId, ${moneyColumn("amount", "amount")}, transfers.time_ms AS timeMs,
  client_tran_id AS clientTranId`;

const OF_SIDE = "? IN ('either', CASE side.account_id WHEN from_account_id THEN 'from' ELSE 'to' END)";

/** Queries for transfers, oldest first. */
export const TRANSFERS = {
  ofMaster: `${TRANSFER} FROM transfers WHERE master_id = ? AND time_ms BETWEEN ? AND ?
    ORDER BY time_ms, tran_id LIMIT ? OFFSET ?`,
  ofAccount: `${TRANSFER} FROM account_transfers AS side CROSS JOIN transfers ON transfers.tran_id = side.tran_id
    WHERE side.account_id = ? AND ${OF_SIDE} AND side.time_ms BETWEEN ? AND ?
    ORDER BY side.time_ms, side.tran_id LIMIT ? OFFSET ?`,
  countOfMaster: "SELECT count(*) AS total FROM transfers WHERE master_id = ? AND time_ms BETWEEN ? AND ?",
  countOfAccount: `SELECT count(*) AS total
    FROM account_transfers AS side CROSS JOIN transfers ON transfers.tran_id = side.tran_id
    WHERE side.account_id = ? AND ${OF_SIDE} AND side.time_ms BETWEEN ? AND ?`,
};

/** `side` selects transfers from or to the account. */
export interface TransferPage extends TimePage {
  readonly side?: "from" | "to" | "either";
}
interface Total {
  readonly total: number;
}

export interface DividendRow {
  readonly tranId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly info: string;
  readonly timeMs: number;
}

export const DIVIDENDS: ListTable = {
  select: `SELECT tran_id AS tranId, asset_id AS assetId, ${moneyColumn("amount", "amount")}, info,
    time_ms AS timeMs`,
  table: "dividends",
  time: "time_ms",
  indexes: [
    { name: "dividends_by_asset", columns: ["asset_id"] },
    { name: "dividends_by_account", columns: [] },
  ],
};

/** An account's trading conduct on a symbol, as counted for the API trading rules. Interface 3.8. */
export interface ConductRow {
  readonly accountId: number;
  readonly symbolId: number;
  readonly orders: number;
  /** Orders are valued at their own prices. Only the ratio of both fields is meaningful. */
  readonly submitted: number;
  readonly filled: number;
  /** Number of IOC and FOK orders, and of those that expired without a fill. */
  readonly immediate: number;
  readonly immediateExpired: number;
  /** Number of GTC orders, and of those that ended without a fill within 2.5 s. */
  readonly goodTillCancel: number;
  readonly goodTillCancelQuick: number;
}

const SUMS = `SELECT account_id AS accountId, symbol_id AS symbolId, sum(orders) AS orders,
  total(CAST(submitted AS REAL)) AS submitted, total(CAST(filled AS REAL)) AS filled, sum(immediate) AS immediate,
  sum(immediate_expired) AS immediateExpired, sum(good_till_cancel) AS goodTillCancel,
  sum(good_till_cancel_quick) AS goodTillCancelQuick
  FROM conduct`;

export const CONDUCT = {
  ofAccount: `${SUMS} WHERE account_id = ? AND period >= ? GROUP BY account_id, symbol_id`,
  /** Scans the complete table, which covers only ten minutes. */
  ofAll: `${SUMS} WHERE period >= ? AND lock_seq = coalesce(
      (SELECT max(seq) FROM api_trading_locks AS lock WHERE lock.account_id = conduct.account_id), 0)
    GROUP BY account_id, symbol_id
    HAVING sum(orders) >= ? OR sum(immediate) >= ? OR sum(good_till_cancel) >= ?`,
};

function periodOf(timeMs: number): number {
  return Math.floor(timeMs / CONDUCT_PERIOD_MS);
}

export const walletQueries = {
  /** Deposits, newest first. The lists of /wapi are oldest first (Interface 1.2), so reverse them. */
  deposits(tables: HistoryTables, { assetId, status, txId, ...page }: DepositsAsked): DepositRow[] {
    return listed(tables, DEPOSITS, { asset_id: assetId, status, tx_id: txId }, page);
  },
  /** Withdrawals, newest first. */
  withdrawals(tables: HistoryTables, asked: WithdrawalsAsked): WithdrawalRow[] {
    const { assetId, status, txId, withdrawOrderId, ...page } = asked;
    const values = { asset_id: assetId, status, tx_id: txId, withdraw_order_id: withdrawOrderId };
    const rows = listed<WithdrawalRow>(tables, WITHDRAWALS, values, page);
    return rows.map((row) => ({ ...row, fee: tables.money(row.assetId, row.fee) }));
  },

  /** Deposits of all accounts, newest first. */
  depositsOfVenue(tables: HistoryTables, { beforeSeq, limit }: VenuePage) {
    const rows = tables.rows<DepositRow & OfVenue>(OF_VENUE.deposits, beforeSeq ?? Number.MAX_SAFE_INTEGER, limit);
    return inDecimals(tables, rows).map(({ status, ...row }) => ({ ...row, status: depositStatus(status) }));
  },
  /** Closed withdrawals of all accounts, newest request first. */
  closedWithdrawals(tables: HistoryTables, { beforeSeq, limit }: VenuePage): (WithdrawalRow & OfVenue)[] {
    return withFee(tables, tables.rows(OF_VENUE.closedWithdrawals, beforeSeq ?? Number.MAX_SAFE_INTEGER, limit));
  },
  withdrawalById(tables: HistoryTables, withdrawalId: string): (WithdrawalRow & OfVenue) | undefined {
    return withFee(tables, tables.rows(OF_VENUE.withdrawal, withdrawalId))[0];
  },

  /** Transfers between a master account and its sub-accounts, and between these; oldest first. */
  transfersOfMaster(
    tables: HistoryTables,
    { masterId, ...page }: TimePage & { readonly masterId: number },
  ): TransferRow[] {
    return inDecimals(tables, tables.rows<TransferRow>(TRANSFERS.ofMaster, masterId, ...pageBounds(page)));
  },
  /** Transfers to or from the account, oldest first. */
  transfersOfAccount(
    tables: HistoryTables,
    { accountId, side = "either", ...page }: AccountPage & TransferPage,
  ): TransferRow[] {
    return inDecimals(tables, tables.rows<TransferRow>(TRANSFERS.ofAccount, accountId, side, ...pageBounds(page)));
  },
  /** The total number of transfers, on all pages. */
  countTransfersOfMaster(
    tables: HistoryTables,
    { masterId, ...page }: TimePage & { readonly masterId: number },
  ): number {
    const [from, to] = pageBounds(page);
    return tables.row<Total>(TRANSFERS.countOfMaster, masterId, from, to)?.total ?? 0;
  },
  countTransfersOfAccount(
    tables: HistoryTables,
    { accountId, side = "either", ...page }: AccountPage & TransferPage,
  ): number {
    const [from, to] = pageBounds(page);
    return tables.row<Total>(TRANSFERS.countOfAccount, accountId, side, from, to)?.total ?? 0;
  },

  /** Dividends, newest first. */
  dividends(
    tables: HistoryTables,
    { assetId, ...page }: AccountPage & { readonly assetId?: number | undefined },
  ): DividendRow[] {
    return listed(tables, DIVIDENDS, { asset_id: assetId }, page);
  },

  /**
   * An account's conduct by symbol, for orders placed since this time (rounded to half a minute; at most ten minutes
   * ago).
   */
  conduct(
    tables: HistoryTables,
    { accountId, sinceMs }: { readonly accountId: number; readonly sinceMs: number },
  ): ConductRow[] {
    return tables.rows(CONDUCT.ofAccount, accountId, periodOf(sinceMs));
  },
  /**
   * The conduct of all accounts since this time, and since their last lock. Only rows with at least `orders` orders,
   * `immediate` IOC and FOK orders, or `goodTillCancel` GTC orders.
   */
  conductOfAll(
    tables: HistoryTables,
    { sinceMs, ...least }: { readonly sinceMs: number } & Pick<ConductRow, "orders" | "immediate" | "goodTillCancel">,
  ): ConductRow[] {
    return tables.rows(CONDUCT.ofAll, periodOf(sinceMs), least.orders, least.immediate, least.goodTillCancel);
  },
};
