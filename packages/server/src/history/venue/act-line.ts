/**
 * What operators and its holder did to an account, how it was signed in to, and locks of its trading by API. Acts that name only a key or a withdrawal stand in the
 * history without an account; they are looked for among the newest acts.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { TimeIndex } from "../table/window.ts";
import { type TimeLineKind, type TimeLineRow, VENUE_LIMITS } from "../venue-port.ts";
import { highIdOf, type Line, type LineItem, type LineQuestion, NO_SYMBOL } from "./line.ts";

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
