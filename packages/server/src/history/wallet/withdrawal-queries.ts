/** Reads the withdrawals of an account. */
import type { DatabaseSync } from "node:sqlite";
import { moneyColumn } from "../table/money.ts";
import { type ListTable, NarrowedList } from "./narrowed-list.ts";
import type { Units } from "../table/units.ts";
import type { WithdrawalRow } from "../shapes/wallet-rows.ts";
import type { WithdrawalQuestion } from "../wallet-port.ts";

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

export class WithdrawalQueries {
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
