/** Reads adjustments, notes on accounts, and coins of nobody: each list newest first, a page at a time. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { DepositStatusCode } from "../shapes/wallet-rows.ts";
import { depositStatus } from "../table/deposit-statuses.ts";
import { VENUE_LIMITS } from "../venue-port.ts";
import type {
  AdjustmentRow,
  AdjustmentsQuestion,
  BookedDepositRow,
  DeskHistory,
  NoteRow,
  NotesQuestion,
  UnknownDepositRow,
  UnknownDepositsQuestion,
} from "../desk-port.ts";
import type { Queries } from "../question.ts";
import { moneyColumn } from "../table/money.ts";
import type { Units } from "../table/units.ts";

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
