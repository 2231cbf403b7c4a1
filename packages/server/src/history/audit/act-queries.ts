/** Reads what operators did, and the outcome. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ActRow, ActsQuestion } from "../port.ts";

/** Proposals about a withdrawal: approvals and rejections of one name the proposal alone. */
const PROPOSED = `SELECT details ->> '$.proposalId' FROM operator_acts
  WHERE type IN ('propose', 'changeProposal') AND details ->> '$.act.withdrawalId' = ?3`;

/** Acts are few, and only operators ask for them: what no index narrows is scanned. */
const ACTS = `SELECT seq, time_ms AS timeMs, type, by, account_id AS accountId, outcome, details FROM operator_acts
  WHERE seq < ?1 AND (?2 IS NULL OR account_id = ?2)
    AND (?3 IS NULL OR details ->> '$.withdrawalId' = ?3 OR details ->> '$.proposalId' IN (${PROPOSED}))
  ORDER BY seq DESC LIMIT ?4`;

/** Also of the sign-ins of one account, and what else says of nobody that he gave it. */
const ACTS_OF_ACCOUNT = `SELECT * FROM (
    SELECT seq, time_ms AS timeMs, type, by, account_id AS accountId, outcome, details FROM operator_acts
    WHERE account_id = ?2 AND seq < ?1 ORDER BY seq DESC LIMIT ?3)
  UNION ALL SELECT * FROM (
    SELECT seq, time_ms, type, 'account:' || account_id, account_id, outcome, details FROM access_acts
    WHERE account_id = ?2 AND seq < ?1 ORDER BY seq DESC LIMIT ?3)
  ORDER BY seq DESC LIMIT ?3`;

export class ActQueries {
  readonly #newest: StatementSync;
  readonly #ofAccount: StatementSync;

  constructor(database: DatabaseSync) {
    this.#newest = database.prepare(ACTS);
    this.#ofAccount = database.prepare(ACTS_OF_ACCOUNT);
  }

  /** Returns acts, newest first. */
  acts({ beforeSeq = Number.MAX_SAFE_INTEGER, accountId, withdrawalId, limit }: ActsQuestion): ActRow[] {
    if (accountId !== undefined && withdrawalId === undefined) {
      return asActs(this.#ofAccount.all(beforeSeq, accountId, limit));
    }
    return asActs(this.#newest.all(beforeSeq, accountId ?? null, withdrawalId ?? null, limit));
  }
}

function asActs(rows: readonly Readonly<Record<string, unknown>>[]): ActRow[] {
  return rows.map((row) => ({ ...row, details: JSON.parse(String(row["details"])) })) as unknown as ActRow[];
}
