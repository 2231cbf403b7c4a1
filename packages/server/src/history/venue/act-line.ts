/**
 * What operators did to an account, and locks of its trading by API. Acts that name only a key or a withdrawal stand in the
 * history without an account; they are looked for among the newest acts.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { TimeIndex } from "../table/window.ts";
import { type TimeLineRow, VENUE_LIMITS } from "../venue-port.ts";
import { highIdOf, type Line, type LineItem, type LineQuestion, NO_SYMBOL } from "./line.ts";

const ACT = "SELECT seq, time_ms AS timeMs, type, by, outcome, details";
/** Commands on keys and codes. */
const KEY_ACTS: ReadonlySet<string> = new Set(["createApiKey", "deleteApiKey", "setTotp"]);
const KEYS = [...KEY_ACTS].map((type) => `'${type}'`).join(", ");
/** Whether acts on keys are wanted (?4), and others (?5). */
const OF_KIND = `CASE WHEN type IN (${KEYS}) THEN ?4 ELSE ?5 END`;

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
  locks: `SELECT seq, time_ms AS timeMs, until_ms AS untilMs
    FROM api_trading_locks INDEXED BY api_trading_locks_by_account
    WHERE account_id = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT ?3`,
  timeFrom: "SELECT seq AS id, time_ms AS timeMs FROM operator_acts WHERE seq >= ? ORDER BY seq LIMIT 1",
  lastId: "SELECT max(seq) AS id FROM operator_acts",
  lockTimeFrom: "SELECT seq AS id, time_ms AS timeMs FROM api_trading_locks WHERE seq >= ? ORDER BY seq LIMIT 1",
  lastLock: "SELECT max(seq) AS id FROM api_trading_locks",
};

interface Act {
  readonly seq: number;
  readonly timeMs: number;
  readonly type: string;
  readonly by: string;
  readonly outcome: string;
  readonly details: string;
}
interface Lock {
  readonly seq: number;
  readonly timeMs: number;
  readonly untilMs: number;
}

export class ActLine implements Line {
  readonly kinds = ["key", "act"] as const;
  readonly #named: StatementSync;
  readonly #unnamed: StatementSync;
  readonly #locks: StatementSync;
  readonly #times: TimeIndex;
  readonly #lockTimes: TimeIndex;

  constructor(database: DatabaseSync) {
    const { named, unnamed, locks, timeFrom, lastId, lockTimeFrom, lastLock } = ACT_LINE_QUERIES;
    this.#named = database.prepare(named);
    this.#unnamed = database.prepare(unnamed);
    this.#locks = database.prepare(locks);
    this.#times = { timeFrom: database.prepare(timeFrom), lastId: database.prepare(lastId) };
    this.#lockTimes = { timeFrom: database.prepare(lockTimeFrom), lastId: database.prepare(lastLock) };
  }

  newest(accountId: number, { before, kinds, limit }: LineQuestion): LineItem[] {
    const [isOfKeys, isOfOthers] = [kinds.has("key"), kinds.has("act")];
    const bounds = [accountId, highIdOf(before, this.#times, []), limit] as const;
    const wanted = [...bounds, isOfKeys ? 1 : 0, isOfOthers ? 1 : 0];
    const acts = [...this.#named.all(...wanted), ...this.#unnamed.all(...wanted)] as unknown as Act[];
    const [, , ...rest] = bounds;
    const ofLocks = [accountId, highIdOf(before, this.#lockTimes, []), ...rest];
    const locks = isOfOthers ? (this.#locks.all(...ofLocks) as unknown as Lock[]) : [];
    return [...acts.map((act) => item(act, () => rowOf(act))), ...locks.map((lock) => item(lock, () => lockRow(lock)))];
  }
}

function item({ seq, timeMs }: Pick<Act, "seq" | "timeMs">, row: () => TimeLineRow): LineItem {
  return { timeMs, symbolId: NO_SYMBOL, id: seq, row };
}

function rowOf({ seq, timeMs, type, by, outcome, details }: Act): TimeLineRow {
  const kind = KEY_ACTS.has(type) ? "key" : "act";
  return { timeMs, kind, what: type, id: seq, by, outcome, details: JSON.parse(details) };
}

function lockRow({ seq, timeMs, untilMs }: Lock): TimeLineRow {
  return { timeMs, kind: "act", what: "lockApiTrading", id: seq, by: null, outcome: "done", details: { untilMs } };
}
