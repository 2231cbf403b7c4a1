/** A window of a list that grows by id and time: which ids, and from which end. FACTS 5, 'Windows'. */
import type { StatementSync } from "node:sqlite";
import type { Window } from "./port.ts";

/** Inclusive. The bounds that a window leaves open. */
export const FIRST_ID = 0;
export const LAST_ID = Number.MAX_SAFE_INTEGER;

export interface IdRange {
  readonly lowId: number;
  readonly highId: number;
  /** Take the newest of them, not the oldest. */
  readonly newest: boolean;
}

/** From times to ids: times never go back where ids go up. Each gives `{id}`, the last two parameters being the time. */
export interface TimeIndex {
  /** The first id at or after a time. */
  readonly firstAt: StatementSync;
  /** The last id at or before a time. */
  readonly lastAt: StatementSync;
}

/** `scope`: what stands before the time among the statements' parameters. An id given wins over times. */
export function idRange(window: Window, times: TimeIndex, scope: readonly number[]): IdRange {
  const { fromId, startTimeMs, endTimeMs } = window;
  if (fromId !== undefined) return { lowId: fromId, highId: LAST_ID, newest: false };
  const lowId = startTimeMs === undefined ? FIRST_ID : (idOf(times.firstAt.get(...scope, startTimeMs)) ?? LAST_ID);
  const highId = endTimeMs === undefined ? LAST_ID : (idOf(times.lastAt.get(...scope, endTimeMs)) ?? FIRST_ID - 1);
  return { lowId, highId, newest: startTimeMs === undefined };
}

function idOf(row: unknown): number | undefined {
  return (row as { id: number } | undefined)?.id;
}
