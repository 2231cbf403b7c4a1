/** One list of an account's time line. */
import type { StatementSync } from "node:sqlite";
import { idRange, type TimeIndex } from "../table/window.ts";
import type { TimeLineKind, TimeLinePlace, TimeLineRow } from "../venue-port.ts";

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
