/** Selects a window of a list that grows by id and time: the ids, and the end to start from. Interface 1.11. */
import type { StatementSync } from "node:sqlite";
import type { Window } from "../port.ts";

/** The inclusive bounds for what a window leaves open. */
const FIRST_ID = 0;
const LAST_ID = Number.MAX_SAFE_INTEGER;

export interface IdRange {
  readonly lowId: number;
  readonly highId: number;
  /** Take the newest of them instead of the oldest. */
  readonly newest: boolean;
}

/**
 * Converts times to ids. Times never decrease as ids grow, so bisection finds a time, without an index that every row
 * would have to be written to. The parameters begin with the scope.
 */
export interface TimeIndex {
  /** Returns `{id, timeMs}` of the first row whose id is not below the last parameter. */
  readonly timeFrom: StatementSync;
  /** Returns `{id}` of the last row; null when there is none. */
  readonly lastId: StatementSync;
}

/** `scope` comes first in the statements' parameters. A given id takes precedence over times. */
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

/** Returns the first id of that time or later; one after the last when there is none. */
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
