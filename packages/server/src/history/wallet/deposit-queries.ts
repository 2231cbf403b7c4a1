/** Reads the deposits of an account. */
import type { DatabaseSync } from "node:sqlite";
import { moneyColumn } from "../table/money.ts";
import { type ListTable, NarrowedList } from "./narrowed-list.ts";
import type { Units } from "../table/units.ts";
import type { DepositRow } from "../shapes/wallet-rows.ts";
import type { DepositQuestion } from "../wallet-port.ts";

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

export class DepositQueries {
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
