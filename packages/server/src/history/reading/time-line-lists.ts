/** Lists of an account's time line: what operators and its holder did, and money that moved in other ways than trading. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { depositStatus, idRange, type TimeIndex, type Units } from "../table/units.ts";
import { type TimeLineKind, type TimeLinePlace, type TimeLineRow, VENUE_LIMITS } from "../port.ts";
import { WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { moneyColumn } from "../table/columns.ts";

export interface LineItem {
  readonly timeMs: number;
  /** -1 in lists whose ids hold for all symbols. */
  readonly symbolId: number;
  /** From 0 on. */
  readonly id: number;
  /** Makes the row: only of those that are told. */
  readonly row: () => TimeLineRow;
}

export interface LineQuestion {
  /** Rows below it are wanted, in the order of time, symbol and id. */
  readonly before: Omit<TimeLinePlace, "list">;
  readonly kinds: ReadonlySet<TimeLineKind>;
  readonly limit: number;
}

export interface Line {
  readonly kinds: readonly TimeLineKind[];
  /** At most `limit` rows of each of its parts, the newest of them before the place; in no order. */
  newest(accountId: number, question: LineQuestion): LineItem[];
}

/** The symbol of what has none. */
export const NO_SYMBOL = -1;

/**
 * The highest id before a place, in a list whose ids grow with time. Of the place's own moment the ids below its own are
 * before it. `scope`: as in `TimeIndex`.
 */
export function highIdOf(
  { timeMs, id }: Pick<TimeLinePlace, "timeMs" | "id">,
  times: TimeIndex,
  scope: readonly number[],
): number {
  const until = (endTimeMs: number): number => idRange({ endTimeMs, limit: 1 }, times, scope).highId;
  return Math.max(until(timeMs - 1), Math.min(until(timeMs), id - 1));
}

/** The symbols that an index has of an account, ascending. `next`: the lowest above one; parameters account and symbol. */
export function* symbolsOf(next: StatementSync, accountId: number): Generator<number> {
  for (let last = -1; ; ) {
    const { id } = next.get(accountId, last) as { id: number | null };
    if (id === null) return;
    yield id;
    last = id;
  }
}

// Acts that name only a key or a withdrawal stand in the history without an account; they are looked for among the
// newest acts.

const ACT = "SELECT seq, time_ms AS timeMs, type, by, outcome, details";
/** Commands on keys and codes. */
const KEY_ACTS: ReadonlySet<string> = new Set(["createApiKey", "deleteApiKey", "setTotp"]);
/** Commands on who gets in; the rest of these is in a table of their own. */
const ACCESS_ACTS: ReadonlySet<string> = new Set([
  ...["setPassword", "closeSession", "closeSessions", "cancelRecovery", "invite", "revokeInvitation", "freezeAccount"],
]);
const listed = (types: ReadonlySet<string>): string => [...types].map((type) => `'${type}'`).join(", ");
/** Whether acts on keys are wanted (?4), those on who gets in (?5), and others (?6). */
const OF_KIND = `CASE WHEN type IN (${listed(KEY_ACTS)}) THEN ?4 WHEN type IN (${listed(ACCESS_ACTS)}) THEN ?5 ELSE ?6 END`;

export const ACT_LINE_QUERIES = {
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
  timeFrom: "SELECT seq AS id, time_ms AS timeMs FROM operator_acts WHERE seq >= ? ORDER BY seq LIMIT 1",
  lastId: "SELECT max(seq) AS id FROM operator_acts",
  accessTimeFrom: "SELECT seq AS id, time_ms AS timeMs FROM access_acts WHERE seq >= ? ORDER BY seq LIMIT 1",
  lastAccess: "SELECT max(seq) AS id FROM access_acts",
  lockTimeFrom: "SELECT seq AS id, time_ms AS timeMs FROM api_trading_locks WHERE seq >= ? ORDER BY seq LIMIT 1",
  lastLock: "SELECT max(seq) AS id FROM api_trading_locks",
};

interface Act {
  readonly seq: number;
  readonly timeMs: number;
  readonly type: string;
  /** Absent: whoever signed in. */
  readonly by?: string;
  readonly outcome: string;
  readonly details: string;
}
interface Lock {
  readonly seq: number;
  readonly timeMs: number;
  readonly untilMs: number;
}

export class ActLine implements Line {
  readonly kinds = ["key", "access", "act"] as const;
  readonly #named: StatementSync;
  readonly #unnamed: StatementSync;
  readonly #access: StatementSync;
  readonly #locks: StatementSync;
  readonly #times: TimeIndex;
  readonly #accessTimes: TimeIndex;
  readonly #lockTimes: TimeIndex;

  constructor(database: DatabaseSync) {
    const { named, unnamed, access, locks, timeFrom, lastId } = ACT_LINE_QUERIES;
    const { accessTimeFrom, lastAccess, lockTimeFrom, lastLock } = ACT_LINE_QUERIES;
    this.#named = database.prepare(named);
    this.#unnamed = database.prepare(unnamed);
    this.#access = database.prepare(access);
    this.#accessTimes = { timeFrom: database.prepare(accessTimeFrom), lastId: database.prepare(lastAccess) };
    this.#locks = database.prepare(locks);
    this.#times = { timeFrom: database.prepare(timeFrom), lastId: database.prepare(lastId) };
    this.#lockTimes = { timeFrom: database.prepare(lockTimeFrom), lastId: database.prepare(lastLock) };
  }

  newest(accountId: number, { before, kinds, limit }: LineQuestion): LineItem[] {
    const wants = (kind: TimeLineKind): number => (kinds.has(kind) ? 1 : 0);
    const boundsBy = (times: TimeIndex) => [accountId, highIdOf(before, times, []), limit] as const;
    const wanted = [...boundsBy(this.#times), wants("key"), wants("access"), wants("act")];
    const acts = [...this.#named.all(...wanted), ...this.#unnamed.all(...wanted)];
    if (kinds.has("access")) acts.push(...this.#access.all(...boundsBy(this.#accessTimes)));
    const locks = kinds.has("act") ? this.#locks.all(...boundsBy(this.#lockTimes)) : [];
    return [
      ...(acts as unknown as Act[]).map((act) => item(act, () => rowOf(act))),
      ...(locks as unknown as Lock[]).map((lock) => item(lock, () => lockRow(lock))),
    ];
  }
}

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
  /** Parameters: account, time and id of the place, limit. */
  readonly sql: string;
  readonly told: (row: Row, units: Units) => Told;
}

/** An index of the account and the time holds the id, too. */
const newest = (columns: string, table: string, time: string, id = "rowid"): string =>
  `SELECT ${id} AS id, ${time} AS timeMs, asset_id AS assetId, ${moneyColumn("amount", "amount")}, ${columns}
    FROM ${table} INDEXED BY ${table}_by_account
    WHERE account_id = ? AND (${time}, rowid) < (?, ?) ORDER BY ${time} DESC, rowid DESC LIMIT ?`;

/** Only what says something. */
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
    told: ({ withdrawalId, network, txId, address, tag, status, why, fee, assetId }, units) => ({
      ...{ id: withdrawalId as string, network, address, status: WITHDRAWAL_STATUSES[status as number] },
      fee: units.money(assetId, fee as string),
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
    told: ({ tranId, dustAssetId, received, charge }, units) => ({
      ...{ id: tranId as number, receivedAsset: units.asset(dustAssetId as number) },
      received: units.money(dustAssetId as number, received as string),
      charge: units.money(dustAssetId as number, charge as string),
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

export function moneyLines(database: DatabaseSync, units: Units): readonly Line[] {
  return MONEY_TABLES.map((table) => new MoneyLine(database, units, table));
}

class MoneyLine implements Line {
  readonly kinds = ["money"] as const;
  readonly #units: Units;
  readonly #table: Table;
  readonly #newest: StatementSync;

  constructor(database: DatabaseSync, units: Units, table: Table) {
    this.#units = units;
    this.#table = table;
    this.#newest = database.prepare(table.sql);
  }

  newest(accountId: number, { before, limit }: LineQuestion): LineItem[] {
    const rows = this.#newest.all(accountId, before.timeMs, before.id, limit) as unknown as Row[];
    return rows.map((row) => ({ timeMs: row.timeMs, symbolId: NO_SYMBOL, id: row.id, row: () => this.#row(row) }));
  }

  #row(row: Row): TimeLineRow {
    const { what, told } = this.#table;
    const { timeMs, assetId, amount } = row;
    const money = { asset: this.#units.asset(assetId), amount: this.#units.money(assetId, amount) };
    return { timeMs, kind: "money", what, ...money, ...told(row, this.#units) };
  }
}
