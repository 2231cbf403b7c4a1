/**
 * The lists of an account's timeline: actions of operators and of the account's holder, and funds movements other than
 * trades.
 */
import { WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { type HistoryTables, idRange, type TimeIndex } from "./history-tables.ts";
import { VENUE_LIMITS } from "./operator-queries.ts";
import { depositStatus, moneyColumn } from "../table/columns.ts";

export const TIME_LINE_KINDS = ["order", "trade", "money", "key", "access", "act"] as const;
export type TimeLineKind = (typeof TIME_LINE_KINDS)[number];

/** A position in a timeline. Items at the same time are ordered by their list, symbol and id. */
export interface TimeLinePlace {
  readonly timeMs: number;
  readonly list: number;
  readonly symbolId: number;
  readonly id: number;
}

/** An item of the timeline. Fields other than these depend on the kind. */
export interface TimeLineRow {
  readonly timeMs: number;
  readonly kind: TimeLineKind;
  readonly what: string;
  readonly id: number | string;
  readonly [field: string]: unknown;
}

export interface LineItem {
  readonly timeMs: number;
  /** -1 for lists whose ids are unique across symbols. */
  readonly symbolId: number;
  /** The id within the list and symbol, from 0. */
  readonly id: number;
  /** Builds the row. Called only for rows that are returned. */
  readonly row: () => TimeLineRow;
}

export interface LineQuestion {
  /** Selects rows before this position, in the order of time, symbol and id. */
  readonly before: Omit<TimeLinePlace, "list">;
  readonly kinds: ReadonlySet<TimeLineKind>;
  readonly limit: number;
}

export interface Line {
  readonly kinds: readonly TimeLineKind[];
  /** The newest rows before the position, in any order: at most `limit` from each part of the list. */
  newest(tables: HistoryTables, accountId: number, question: LineQuestion): LineItem[];
}

/** Used as the symbol of items that have none. */
export const NO_SYMBOL = -1;

/**
 * The highest id before a position, in a list whose ids grow with time. Among rows with the position's own time, those
 * with lower ids come before it. `scope`: as in `TimeIndex`.
 */
export function highIdOf(
  tables: HistoryTables,
  { timeMs, id }: Pick<TimeLinePlace, "timeMs" | "id">,
  times: TimeIndex,
  ...scope: readonly number[]
): number {
  const until = (endTimeMs: number): number => idRange(tables, { endTimeMs, limit: 1 }, times, ...scope).highId;
  return Math.max(until(timeMs - 1), Math.min(until(timeMs), id - 1));
}

/**
 * The symbols of an account in an index, ascending. The statement `next` selects the lowest symbol above a given one;
 * its parameters are account and symbol.
 */
export function* symbolsOf(tables: HistoryTables, next: string, accountId: number): Generator<number> {
  for (let last = -1; ; ) {
    const id = tables.row<{ readonly id: number | null }>(next, accountId, last)?.id ?? null;
    if (id === null) return;
    yield id;
    last = id;
  }
}

// Actions that name only a key or a withdrawal are stored without an account, so they are searched for among the newest
// actions.

const ACT = "SELECT seq, time_ms AS timeMs, type, by, outcome, details";
/** Commands on keys and two-factor authentication. */
const KEY_ACTS: ReadonlySet<string> = new Set(["createApiKey", "deleteApiKey", "setTotp"]);
/** Commands on access that are in the audit log; other access commands are in a separate table. */
const ACCESS_ACTS: ReadonlySet<string> = new Set([
  ...["setPassword", "closeSession", "closeSessions", "cancelRecovery", "invite", "revokeInvitation", "freezeAccount"],
]);
const listed = (types: ReadonlySet<string>): string => [...types].map((type) => `'${type}'`).join(", ");
/** Selects actions on keys (?4), on access (?5), and other actions (?6), if the parameter is set. */
const OF_KIND = `CASE WHEN type IN (${listed(KEY_ACTS)}) THEN ?4 WHEN type IN (${listed(ACCESS_ACTS)}) THEN ?5 ELSE ?6 END`;

export const ACT_LINES = {
  named: `${ACT} FROM operator_acts INDEXED BY operator_acts_by_account
    WHERE account_id = ?1 AND seq <= ?2 AND ${OF_KIND} ORDER BY seq DESC LIMIT ?3`,
  unnamed: `${ACT} FROM (SELECT * FROM operator_acts WHERE seq <= ?2 ORDER BY seq DESC LIMIT ${VENUE_LIMITS.maxActsSearched})
    WHERE account_id IS NULL AND ${OF_KIND} AND CASE type
      WHEN 'deleteApiKey' THEN details ->> '$.apiKey' IN (
        SELECT own.details ->> '$.apiKey' FROM operator_acts AS own INDEXED BY operator_acts_by_account
        WHERE own.account_id = ?1 AND own.type = 'createApiKey')
      WHEN 'approveWithdrawal' THEN ?1 = (
        SELECT account_id FROM withdrawals WHERE withdrawal_id = details ->> '$.withdrawalId')
      WHEN 'rejectWithdrawal' THEN ?1 = (
        SELECT account_id FROM withdrawals WHERE withdrawal_id = details ->> '$.withdrawalId')
      END
    ORDER BY seq DESC LIMIT ?3`,
  access: `SELECT seq, time_ms AS timeMs, type, outcome, details FROM access_acts INDEXED BY access_acts_by_account
    WHERE account_id = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT ?3`,
  locks: `SELECT seq, time_ms AS timeMs, until_ms AS untilMs
    FROM api_trading_locks INDEXED BY api_trading_locks_by_account
    WHERE account_id = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT ?3`,
};

interface Act {
  readonly seq: number;
  readonly timeMs: number;
  readonly type: string;
  /** Absent for actions of the account's holder. */
  readonly by?: string;
  readonly outcome: string;
  readonly details: string;
}
interface Lock {
  readonly seq: number;
  readonly timeMs: number;
  readonly untilMs: number;
}

/** The time index of a table of actions, whose ids grow with time. */
const timesOf = (table: string): TimeIndex => ({
  timeFrom: `SELECT seq AS id, time_ms AS timeMs FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT 1`,
  lastId: `SELECT max(seq) AS id FROM ${table}`,
});
export const ACT_TIMES = {
  acts: timesOf("operator_acts"),
  access: timesOf("access_acts"),
  locks: timesOf("api_trading_locks"),
};

export const actLine: Line = {
  kinds: ["key", "access", "act"],
  newest(tables, accountId, { before, kinds, limit }) {
    const wants = (kind: TimeLineKind): number => (kinds.has(kind) ? 1 : 0);
    const boundsBy = (times: TimeIndex) => [accountId, highIdOf(tables, before, times), limit] as const;
    const wanted = [...boundsBy(ACT_TIMES.acts), wants("key"), wants("access"), wants("act")];
    const acts = [...tables.rows<Act>(ACT_LINES.named, ...wanted), ...tables.rows<Act>(ACT_LINES.unnamed, ...wanted)];
    if (kinds.has("access")) acts.push(...tables.rows<Act>(ACT_LINES.access, ...boundsBy(ACT_TIMES.access)));
    const locks = kinds.has("act") ? tables.rows<Lock>(ACT_LINES.locks, ...boundsBy(ACT_TIMES.locks)) : [];
    return [...acts.map((act) => item(act, () => rowOf(act))), ...locks.map((lock) => item(lock, () => lockRow(lock)))];
  },
};

function item({ seq, timeMs }: Pick<Act, "seq" | "timeMs">, row: () => TimeLineRow): LineItem {
  return { timeMs, symbolId: NO_SYMBOL, id: seq, row };
}

function rowOf({ seq, timeMs, type, by, outcome, details }: Act): TimeLineRow {
  const kind = KEY_ACTS.has(type) ? "key" : by === undefined || ACCESS_ACTS.has(type) ? "access" : "act";
  return { timeMs, kind, what: type, id: seq, by: by ?? null, outcome, details: JSON.parse(details) };
}

function lockRow({ seq, timeMs, untilMs }: Lock): TimeLineRow {
  return { timeMs, kind: "act", what: "lockApiTrading", id: seq, by: null, outcome: "done", details: { untilMs } };
}

interface Row {
  readonly id: number;
  readonly timeMs: number;
  readonly assetId: number;
  readonly amount: string;
  readonly [column: string]: string | number;
}

type Told = Readonly<Record<string, unknown>> & Pick<TimeLineRow, "id">;

interface Table {
  readonly what: string;
  /** Parameters: account, time and id of the position, limit. */
  readonly sql: string;
  readonly told: (row: Row, tables: HistoryTables) => Told;
}

/** The index by account and time also contains the rowid, like every SQLite index. */
const newest = (columns: string, table: string, time: string, id = "rowid"): string =>
  `SELECT ${id} AS id, ${time} AS timeMs, asset_id AS assetId, ${moneyColumn("amount", "amount")}, ${columns}
    FROM ${table} INDEXED BY ${table}_by_account
    WHERE account_id = ? AND (${time}, rowid) < (?, ?) ORDER BY ${time} DESC, rowid DESC LIMIT ?`;

/** Returns the fields that are not empty. */
const unlessEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

export const MONEY_TABLES: readonly Table[] = [
  {
    what: "deposit",
    sql: newest("network, tx_id AS txId, address, tag, status", "deposits", "insert_time_ms"),
    told: ({ id, network, txId, address, tag, status }) => ({
      ...{ id, network, txId, address, status: depositStatus(status as number) },
      ...unlessEmpty({ tag }),
    }),
  },
  {
    what: "withdrawal",
    sql: newest(
      `network, tx_id AS txId, address, tag, status, why, ${moneyColumn("fee", "fee")}, withdrawal_id AS withdrawalId`,
      "withdrawals",
      "apply_time_ms",
    ),
    told: ({ withdrawalId, network, txId, address, tag, status, why, fee, assetId }, tables) => ({
      ...{ id: withdrawalId as string, network, address, status: WITHDRAWAL_STATUSES[status as number] },
      fee: tables.money(assetId, fee as string),
      ...unlessEmpty({ txId, tag, why }),
    }),
  },
  {
    what: "transfer",
    sql: `SELECT side.tran_id AS id, side.time_ms AS timeMs, asset_id AS assetId, ${moneyColumn("amount", "amount")},
      from_account_id AS fromAccountId, to_account_id AS toAccountId
      FROM account_transfers AS side CROSS JOIN transfers ON transfers.tran_id = side.tran_id
      WHERE side.account_id = ? AND (side.time_ms, side.tran_id) < (?, ?)
      ORDER BY side.time_ms DESC, side.tran_id DESC LIMIT ?`,
    told: ({ id, fromAccountId, toAccountId }) => ({ id, fromAccountId, toAccountId }),
  },
  {
    what: "dust",
    sql: newest(
      `tran_id AS tranId, dust_asset_id AS dustAssetId, ${moneyColumn("received", "received")},
      ${moneyColumn("charge", "charge")}`,
      "dust_conversions",
      "time_ms",
    ),
    told: ({ tranId, dustAssetId, received, charge }, tables) => ({
      ...{ id: tranId as number, receivedAsset: tables.asset(dustAssetId as number).asset },
      received: tables.money(dustAssetId as number, received as string),
      charge: tables.money(dustAssetId as number, charge as string),
    }),
  },
  {
    what: "dividend",
    sql: newest("tran_id AS tranId, info", "dividends", "time_ms"),
    told: ({ tranId, info }) => ({ id: tranId as number, info }),
  },
  {
    what: "adjustment",
    sql: newest("house, category, why, reference, by", "adjustments", "time_ms"),
    told: ({ id, house, category, why, reference, by }) => ({ id, house, category, why, reference, by }),
  },
];

export const moneyLines: readonly Line[] = MONEY_TABLES.map(({ what, sql, told }) => ({
  kinds: ["money"],
  newest(tables, accountId, { before, limit }) {
    const rows = tables.rows<Row>(sql, accountId, before.timeMs, before.id, limit);
    return rows.map((row) => ({
      ...{ timeMs: row.timeMs, symbolId: NO_SYMBOL, id: row.id },
      row: () => {
        const { asset, amount } = tables.named(row);
        return { timeMs: row.timeMs, kind: "money", what, asset, amount, ...told(row, tables) };
      },
    }));
  },
}));
