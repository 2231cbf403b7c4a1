/** Reads transfers within a family of accounts, dust conversions, and dividends. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { moneyColumn } from "../table/money.ts";
import { type ListTable, NarrowedList, pageBounds } from "./narrowed-list.ts";
import type { Units } from "../table/units.ts";
import type { DividendRow, DustRow, TransferRow } from "../shapes/wallet-rows.ts";
import type { DividendQuestion, TimePage, TransferPage } from "../wallet-port.ts";

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

export class MoveQueries {
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
