/**
 * Reads money that moved in other ways than trading (deposits, withdrawals, transfers, dust conversions, dividends),
 * and how accounts traded in the last ten minutes.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  ConductLeast,
  ConductRow,
  DepositQuestion,
  DividendQuestion,
  TimePage,
  TransferPage,
  WalletHistory,
  WithdrawalQuestion,
} from "../wallet-port.ts";
import { moneyColumn } from "../table/columns.ts";
import type { Units } from "../table/units.ts";
import type { DepositRow, DividendRow, DustRow, TransferRow, WithdrawalRow } from "../shapes/rows.ts";
import { CONDUCT_PERIOD_MS } from "../writing/conduct-rows.ts";
import { snapshotPage } from "../shapes/pages.ts";
import type { Queries } from "../port.ts";
import { SnapshotQueries } from "./statement-queries.ts";

export interface ListTable {
  readonly select: string;
  readonly table: string;
  /** The column of the window; rows are ordered by it, newest first, and then by rowid. */
  readonly time: string;
  /** Each index has `account_id`, its columns and the time. The first whose columns are all requested is used. */
  readonly indexes: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** Selects an account's rows (first parameter) with these values in `columns`, newest first; then `pageBounds`. */
export function listSql({ select, table, time, indexes }: ListTable, columns: readonly string[]): string {
  const index = indexes.find((one) => one.columns.every((column) => columns.includes(column)));
  const equal = ["account_id", ...columns].map((column) => `${column} = ?`).join(" AND ");
  return `${select} FROM ${table} INDEXED BY ${index?.name}
    WHERE ${equal} AND ${time} BETWEEN ? AND ? ORDER BY ${time} DESC, rowid DESC LIMIT ? OFFSET ?`;
}

/** Returns the parameters of a page: from, to, limit, offset. */
function pageBounds({ startTimeMs, endTimeMs, limit, offset }: TimePage): readonly number[] {
  return [startTimeMs ?? 0, endTimeMs ?? Number.MAX_SAFE_INTEGER, limit, offset ?? 0];
}

class NarrowedList {
  readonly #database: DatabaseSync;
  readonly #table: ListTable;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, table: ListTable) {
    this.#database = database;
    this.#table = table;
  }

  /** Returns rows, newest first. Columns whose value is undefined do not narrow. */
  rows(
    accountId: number,
    values: Readonly<Record<string, string | number | undefined>>,
    page: TimePage,
  ): readonly unknown[] {
    const asked = Object.entries(values).filter((one): one is [string, string | number] => one[1] !== undefined);
    const statement = this.#statement(asked.map(([column]) => column));
    return statement.all(accountId, ...asked.map(([, value]) => value), ...pageBounds(page));
  }

  #statement(columns: readonly string[]): StatementSync {
    const key = columns.join();
    let statement = this.#statements.get(key);
    if (statement === undefined) {
      statement = this.#database.prepare(listSql(this.#table, columns));
      this.#statements.set(key, statement);
    }
    return statement;
  }
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

class DepositQueries {
  readonly #list: NarrowedList;
  readonly #units: Units;

  constructor(database: DatabaseSync, units: Units) {
    this.#list = new NarrowedList(database, DEPOSITS);
    this.#units = units;
  }

  deposits(accountId: number, { assetId, status, txId, ...page }: DepositQuestion): DepositRow[] {
    const rows = this.#list.rows(accountId, { asset_id: assetId, status, tx_id: txId }, page) as readonly DepositRow[];
    return rows.map((row) => ({ ...row, amount: this.#units.money(row.assetId, row.amount) }));
  }
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

class WithdrawalQueries {
  readonly #list: NarrowedList;
  readonly #units: Units;

  constructor(database: DatabaseSync, units: Units) {
    this.#list = new NarrowedList(database, WITHDRAWALS);
    this.#units = units;
  }

  withdrawals(accountId: number, question: WithdrawalQuestion): WithdrawalRow[] {
    const { assetId, status, txId, withdrawOrderId, ...page } = question;
    const values = { asset_id: assetId, status, tx_id: txId, withdraw_order_id: withdrawOrderId };
    return (this.#list.rows(accountId, values, page) as readonly WithdrawalRow[]).map((row) => ({
      ...row,
      amount: this.#units.money(row.assetId, row.amount),
      fee: this.#units.money(row.assetId, row.fee),
    }));
  }
}

const TRANSFER = `SELECT transfers.tran_id AS tranId, from_account_id AS fromAccountId, to_account_id AS toAccountId,
  asset_id AS assetId, ${moneyColumn("amount", "amount")}, transfers.time_ms AS timeMs,
  client_tran_id AS clientTranId`;

const OF_SIDE = "? IN ('either', CASE side.account_id WHEN from_account_id THEN 'from' ELSE 'to' END)";

/** Queries for transfers, oldest first. */
export const TRANSFER_QUERIES = {
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

export const DUST: ListTable = {
  select: `SELECT tran_id AS tranId, asset_id AS assetId, ${moneyColumn("amount", "amount")},
    dust_asset_id AS dustAssetId, ${moneyColumn("received", "received")}, ${moneyColumn("charge", "charge")},
    time_ms AS timeMs`,
  table: "dust_conversions",
  time: "time_ms",
  indexes: [{ name: "dust_conversions_by_account", columns: [] }],
};

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

class MoveQueries {
  readonly #units: Units;
  readonly #ofMaster: StatementSync;
  readonly #ofAccount: StatementSync;
  readonly #countOfMaster: StatementSync;
  readonly #countOfAccount: StatementSync;
  readonly #dust: NarrowedList;
  readonly #paid: NarrowedList;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    this.#ofMaster = database.prepare(TRANSFER_QUERIES.ofMaster);
    this.#ofAccount = database.prepare(TRANSFER_QUERIES.ofAccount);
    this.#countOfMaster = database.prepare(TRANSFER_QUERIES.countOfMaster);
    this.#countOfAccount = database.prepare(TRANSFER_QUERIES.countOfAccount);
    this.#dust = new NarrowedList(database, DUST);
    this.#paid = new NarrowedList(database, DIVIDENDS);
  }

  transfersOfMaster(masterId: number, page: TimePage): TransferRow[] {
    return this.#inDecimals(this.#ofMaster.all(masterId, ...pageBounds(page)) as unknown as TransferRow[]);
  }

  transfersOfAccount(accountId: number, { side = "either", ...page }: TransferPage): TransferRow[] {
    return this.#inDecimals(this.#ofAccount.all(accountId, side, ...pageBounds(page)) as unknown as TransferRow[]);
  }

  countTransfersOfMaster(masterId: number, page: TimePage): number {
    const [from, to] = pageBounds(page) as [number, number];
    return (this.#countOfMaster.get(masterId, from, to) as { total: number }).total;
  }

  countTransfersOfAccount(accountId: number, { side = "either", ...page }: TransferPage): number {
    const [from, to] = pageBounds(page) as [number, number];
    return (this.#countOfAccount.get(accountId, side, from, to) as { total: number }).total;
  }

  dustConversions(accountId: number, page: TimePage): DustRow[] {
    const rows = this.#dust.rows(accountId, {}, page) as readonly DustRow[];
    return this.#inDecimals(rows).map((row) => ({
      ...row,
      received: this.#units.money(row.dustAssetId, row.received),
      charge: this.#units.money(row.dustAssetId, row.charge),
    }));
  }

  dividends(accountId: number, { assetId, ...page }: DividendQuestion): DividendRow[] {
    return this.#inDecimals(this.#paid.rows(accountId, { asset_id: assetId }, page) as readonly DividendRow[]);
  }

  #inDecimals<Row extends { readonly assetId: number; readonly amount: string }>(rows: readonly Row[]): Row[] {
    return rows.map((row) => ({ ...row, amount: this.#units.money(row.assetId, row.amount) }));
  }
}

const SUMS = `SELECT account_id AS accountId, symbol_id AS symbolId, sum(orders) AS orders,
  total(CAST(submitted AS REAL)) AS submitted, total(CAST(filled AS REAL)) AS filled, sum(immediate) AS immediate,
  sum(immediate_expired) AS immediateExpired, sum(good_till_cancel) AS goodTillCancel,
  sum(good_till_cancel_quick) AS goodTillCancelQuick
  FROM conduct`;

export const CONDUCT_QUERIES = {
  ofAccount: `${SUMS} WHERE account_id = ? AND period >= ? GROUP BY account_id, symbol_id`,
  /** Scans the whole table, which holds ten minutes. */
  ofAll: `${SUMS} WHERE period >= ? AND lock_seq = coalesce(
      (SELECT max(seq) FROM api_trading_locks AS lock WHERE lock.account_id = conduct.account_id), 0)
    GROUP BY account_id, symbol_id
    HAVING sum(orders) >= ? OR sum(immediate) >= ? OR sum(good_till_cancel) >= ?`,
};

class ConductQueries {
  readonly #ofAccount: StatementSync;
  readonly #ofAll: StatementSync;

  constructor(database: DatabaseSync) {
    this.#ofAccount = database.prepare(CONDUCT_QUERIES.ofAccount);
    this.#ofAll = database.prepare(CONDUCT_QUERIES.ofAll);
  }

  conduct(accountId: number, sinceMs: number): ConductRow[] {
    return plain(this.#ofAccount.all(accountId, periodOf(sinceMs)));
  }

  conductOfAll(sinceMs: number, { orders, immediate, goodTillCancel }: ConductLeast): ConductRow[] {
    return plain(this.#ofAll.all(periodOf(sinceMs), orders, immediate, goodTillCancel));
  }
}

function periodOf(timeMs: number): number {
  return Math.floor(timeMs / CONDUCT_PERIOD_MS);
}

/** Copies rows into plain objects of our own. */
function plain(rows: unknown[]): ConductRow[] {
  return (rows as ConductRow[]).map((row) => ({ ...row }));
}

export function openWalletQueries(database: DatabaseSync, units: Units): Pick<Queries, keyof WalletHistory> {
  const deposits = new DepositQueries(database, units);
  const withdrawals = new WithdrawalQueries(database, units);
  const moves = new MoveQueries(database, units);
  const snapshots = new SnapshotQueries(database, units);
  const conduct = new ConductQueries(database);
  return {
    deposits: (...args) => deposits.deposits(...args),
    withdrawals: (...args) => withdrawals.withdrawals(...args),
    transfersOfMaster: (...args) => moves.transfersOfMaster(...args),
    transfersOfAccount: (...args) => moves.transfersOfAccount(...args),
    countTransfersOfMaster: (...args) => moves.countTransfersOfMaster(...args),
    countTransfersOfAccount: (...args) => moves.countTransfersOfAccount(...args),
    dustConversions: (...args) => moves.dustConversions(...args),
    dividends: (...args) => moves.dividends(...args),
    snapshots: (...args) => snapshots.snapshots(...args),
    snapshotPage: (...args) => snapshotPage(units, snapshots.snapshots(...args)),
    conduct: (...args) => conduct.conduct(...args),
    conductOfAll: (...args) => conduct.conductOfAll(...args),
  };
}
