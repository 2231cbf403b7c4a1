/**
 * Reads for operators: what they did and the outcome; adjustments, notes on accounts and coins that belong to no
 * account, each list newest first; and what an account did before a withdrawal.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type ActRow,
  type ActsQuestion,
  type AdjustmentRow,
  type AdjustmentsQuestion,
  type BookedDepositRow,
  type DeskHistory,
  type NoteRow,
  type NotesQuestion,
  type PastQuestion,
  type Queries,
  type UnknownDepositRow,
  type UnknownDepositsQuestion,
  VENUE_LIMITS,
  type WithdrawalPast,
} from "../port.ts";
import type { DepositStatusCode } from "../shapes/rows.ts";
import { depositStatus, type Units } from "../table/units.ts";
import { moneyColumn } from "../table/columns.ts";
import { WITHDRAWAL_STATUSES } from "@pricetime/engine";

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

const ADJUSTMENT = `SELECT seq, time_ms AS timeMs, account_id AS accountId, asset_id AS assetId,
  ${moneyColumn("amount", "amount")}, house, category, why, reference, by FROM adjustments`;
const UNKNOWN = `SELECT seq, seen_ms AS seenMs, network, tx_id AS txId, output, address, tag, coin, amount, reason, status,
  account_id AS accountId, why, update_time_ms AS updateTimeMs FROM unknown_deposits`;
const DEPOSIT = `SELECT deposit_id AS depositId, network, tx_id AS txId, output, account_id AS accountId,
  asset_id AS assetId, ${moneyColumn("amount", "amount")}, address, tag, status, insert_time_ms AS insertTimeMs,
  update_time_ms AS updateTimeMs`;
const PAGE = "seq < ?1 ORDER BY seq DESC LIMIT ?2";

export const DESK_QUERIES = {
  adjustments: `${ADJUSTMENT} WHERE ${PAGE}`,
  adjustmentsOf: `${ADJUSTMENT} INDEXED BY adjustments_by_entry WHERE account_id = ?3 AND ${PAGE}`,
  notes: `SELECT seq, time_ms AS timeMs, account_id AS accountId, text, by
    FROM account_notes INDEXED BY account_notes_by_account WHERE account_id = ?3 AND ${PAGE}`,
  unknown: `${UNKNOWN} WHERE ${PAGE}`,
  unknownByCoin: `${UNKNOWN} WHERE network = ?1 AND tx_id = ?2 AND output = ?3`,
  depositById: `${DEPOSIT} FROM deposits WHERE deposit_id = ?1`,
  unknownOf: `${UNKNOWN} INDEXED BY unknown_deposits_by_status WHERE status = ?3 AND ${PAGE}`,
};
type Name = keyof typeof DESK_QUERIES;

/** For deposits whose number the exchange does not keep: no index has the coin, so the newest alone are looked through. */
const DEPOSIT_BY_COIN = `${DEPOSIT} FROM (SELECT * FROM deposits ORDER BY deposit_id DESC LIMIT ${VENUE_LIMITS.maxSearched})
  WHERE network = ?1 AND tx_id = ?2 AND output = ?3`;

type StoredAdjustment = Omit<AdjustmentRow, "asset"> & { readonly assetId: number };
type StoredDeposit = Omit<BookedDepositRow, "asset" | "status"> & {
  readonly assetId: number;
  readonly status: DepositStatusCode;
};

export function openDeskQueries(database: DatabaseSync, units: Units): Pick<Queries, keyof DeskHistory> {
  const prepared = Object.entries(DESK_QUERIES).map(([name, sql]) => [name, database.prepare(sql)]);
  const statements = Object.fromEntries(prepared) as Record<Name, StatementSync>;
  const byCoin = database.prepare(DEPOSIT_BY_COIN);
  const page = <Row>(
    [all, narrowed]: readonly [Name, Name],
    { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: { readonly beforeSeq?: number | undefined; readonly limit: number },
    narrow: number | string | undefined,
  ): Row[] =>
    (narrow === undefined
      ? statements[all].all(beforeSeq, limit)
      : statements[narrowed].all(beforeSeq, limit, narrow)) as Row[];
  return {
    adjustments: ({ accountId, ...question }: AdjustmentsQuestion) =>
      page<StoredAdjustment>(["adjustments", "adjustmentsOf"], question, accountId).map(
        ({ assetId, amount, ...row }): AdjustmentRow => ({
          ...row,
          asset: units.asset(assetId),
          amount: units.money(assetId, amount),
        }),
      ),
    notes: ({ accountId, ...question }: NotesQuestion) => page<NoteRow>(["notes", "notes"], question, accountId),
    unknownDeposits: ({ status, ...question }: UnknownDepositsQuestion) =>
      page<UnknownDepositRow>(["unknown", "unknownOf"], question, status),
    unknownDeposit: ({ network, txId, output }) =>
      statements.unknownByCoin.get(network, txId, output) as UnknownDepositRow | undefined,
    bookedDeposit: ({ coin: { network, txId, output }, depositId }) => {
      const found = depositId === undefined ? byCoin.get(network, txId, output) : statements.depositById.get(depositId);
      if (found === undefined) return undefined;
      const { assetId, amount, status, ...row } = found as unknown as StoredDeposit;
      const money = { asset: units.asset(assetId), amount: units.money(assetId, amount) };
      return { ...row, ...money, status: depositStatus(status) };
    },
  };
}

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
