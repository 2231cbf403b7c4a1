/** The history port over tables that another part writes. */
import type { History, Queries, QuestionName } from "@pricetime/server/data-folder";

/**
 * `seqNow` returns the last entry that the tables hold. `reached` resolves when they hold an entry; without it, callers
 * must know that they do.
 */
export function historyOver(queries: Queries, seqNow: () => number, reached?: (seq: number) => Promise<void>): History {
  const asked = Object.entries(queries).map(([name, query]) => [
    name,
    async (seq: number, ...args: never[]): Promise<unknown> => {
      if (reached !== undefined) await reached(seq);
      return (query as (...args: never[]) => unknown)(...args);
    },
  ]);
  const questions = Object.fromEntries(asked) as Pick<History, QuestionName>;
  return Object.defineProperty(questions as History, "seq", { get: seqNow, enumerable: true });
}
