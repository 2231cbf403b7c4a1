/** The history port on real tables in memory: a query waits until history has reached its entry. */
import type { DatabaseSync } from "node:sqlite";
import { type History, openQueries } from "@pricetime/server/data-folder";
import { historyOver } from "@pricetime/testkit/journal";

export interface SimHistory extends History {
  /** History has new entries. */
  wake(): void;
}

/** `seqNow` returns the last entry in the tables. */
export function openSimHistory(database: DatabaseSync, seqNow: () => number): SimHistory {
  let waiting: { readonly seq: number; readonly go: () => void }[] = [];
  const reached = (seq: number): Promise<void> =>
    seqNow() >= seq ? Promise.resolve() : new Promise((go) => waiting.push({ seq, go }));
  const wake = (): void => {
    const there = waiting.filter(({ seq }) => seq <= seqNow());
    waiting = waiting.filter(({ seq }) => seq > seqNow());
    for (const { go } of there) go();
  };
  return Object.assign(historyOver(openQueries(database), seqNow, reached), { wake });
}
