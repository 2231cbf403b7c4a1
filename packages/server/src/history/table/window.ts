/** A window of a list that grows by id and time: which ids, and from which end. Interface 1.11. */
import type { StatementSync } from "node:sqlite";
import type { Window } from "../port.ts";

/** Inclusive. The bounds that a window leaves open. */
const FIRST_ID = 0;
const LAST_ID = Number.MAX_SAFE_INTEGER;

export interface IdRange {
  readonly lowId: number;
  readonly highId: number;
  /** Take the newest of them, not the oldest. */
  readonly newest: boolean;
}

/**
 * From times to ids: times never go back where ids go up, so a time is found by halving, without an index
 * that every row would have to be written to. The parameters begin with the scope.
 */
export interface TimeIndex {
  /** `{id, timeMs}` of the first row whose id is not below the last parameter. */
  readonly timeFrom: StatementSync;
  /** `{id}`: the last of all, null when there is none. */
  readonly lastId: StatementSync;
}

/** `scope`: what stands first among the statements' parameters. An id given wins over times. */
export function idRange(window: Window, times: TimeIndex, scope: readonly number[]): IdRange {
  const { fromId, startTimeMs, endTimeMs } = window;
  if (fromId !== undefined) return { lowId: fromId, highId: LAST_ID, newest: false };
  const newest = startTimeMs === undefined;
  if (newest && endTimeMs === undefined) return { lowId: FIRST_ID, highId: LAST_ID, newest };
  const lastId = (times.lastId.get(...scope) as { id: number | null }).id ?? FIRST_ID - 1;
  const from = (timeMs: number): number => firstIdFrom(timeMs, lastId, times.timeFrom, scope);
  return {
    lowId: newest ? FIRST_ID : from(startTimeMs),
    highId: endTimeMs === undefined ? LAST_ID : from(endTimeMs + 1) - 1,
    newest,
  };
}

/** No row below it is of that time or later; all from it on are. After the last when there is none. */
function firstIdFrom(timeMs: number, lastId: number, timeFrom: StatementSync, scope: readonly number[]): number {
  let low = FIRST_ID;
  let high = lastId + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = timeFrom.get(...scope, middle) as { id: number; timeMs: number };
    if (row.timeMs >= timeMs) high = middle;
    else low = row.id + 1;
  }
  return low;
}
