/** Reads how accounts traded in the last ten minutes, for the rules of API trading. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { CONDUCT_PERIOD_MS } from "./conduct-rows.ts";
import type { ConductLeast, ConductRow } from "../wallet-port.ts";

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

export class ConductQueries {
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
