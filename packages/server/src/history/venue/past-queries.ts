/** Reads what an account did before a withdrawal. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { type PastQuestion, VENUE_LIMITS, type WithdrawalPast } from "../venue-port.ts";

export const PAST_QUERIES = {
  completed: `SELECT count(*) AS completed, count(*) FILTER (WHERE network = ?3 AND address = ?4 AND tag = ?5) AS toAddress
    FROM (SELECT network, address, tag FROM withdrawals INDEXED BY withdrawals_by_status
      WHERE account_id = ?1 AND status = ?2 ORDER BY apply_time_ms DESC LIMIT ${VENUE_LIMITS.maxCounted})`,
  newestDeposit:
    "SELECT max(insert_time_ms) AS timeMs FROM deposits INDEXED BY deposits_by_account WHERE account_id = ?",
};

const COMPLETED = WITHDRAWAL_STATUSES.indexOf("completed");

export class PastQueries {
  readonly #completed: StatementSync;
  readonly #newestDeposit: StatementSync;

  constructor(database: DatabaseSync) {
    this.#completed = database.prepare(PAST_QUERIES.completed);
    this.#newestDeposit = database.prepare(PAST_QUERIES.newestDeposit);
  }

  withdrawalPasts(withdrawals: readonly PastQuestion[]): WithdrawalPast[] {
    return withdrawals.map(({ withdrawalId, accountId, network, address, tag }) => {
      const counts = this.#completed.get(accountId, COMPLETED, network, address, tag);
      const { completed, toAddress } = counts as { completed: number; toAddress: number };
      const { timeMs } = this.#newestDeposit.get(accountId) as { timeMs: number | null };
      return { withdrawalId, completed, completedToAddress: toAddress, newestDepositMs: timeMs };
    });
  }
}
