/** The history port over real tables in memory: a question waits until history has reached its entry. */
import type { DatabaseSync } from "node:sqlite";
import { type History, openQueries, type QuestionName } from "@pricetime/server/data-folder";

export interface SimHistory extends History {
  /** History has moved on. */
  wake(): void;
}

/** `seqNow`: the last entry that the tables hold. */
export function openSimHistory(database: DatabaseSync, seqNow: () => number): SimHistory {
  const queries = openQueries(database);
  let waiting: { readonly seq: number; readonly go: () => void }[] = [];
  const reach = (seq: number): Promise<void> =>
    seqNow() >= seq ? Promise.resolve() : new Promise((go) => waiting.push({ seq, go }));
  const asked = async <T>(seq: number, ask: () => T): Promise<T> => {
    await reach(seq);
    return ask();
  };
  const questions = Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [
      name,
      (seq: number, ...args: never[]) => asked(seq, () => (query as (...args: never[]) => unknown)(...args)),
    ]),
  ) as unknown as Pick<History, QuestionName>;
  return {
    get seq() {
      return seqNow();
    },
    wake: () => {
      const there = waiting.filter(({ seq }) => seq <= seqNow());
      waiting = waiting.filter(({ seq }) => seq > seqNow());
      for (const { go } of there) go();
    },
    ...questions,
  };
}
