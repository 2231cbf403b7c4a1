/**
 * The one way to run a transaction of SQLite. Some errors, a full disk among them, have ended it by themselves:
 * to roll it back once more would be an error of its own, which hides the first.
 */
import type { DatabaseSync } from "node:sqlite";

/** A file is opened with this much patience: another thread may just be closing it as the last one, or making its log. */
export const OPEN_PATIENCE_MS = 5000;

/** `IMMEDIATE`: to write; `DEFERRED`: to read one state of the file in several looks. */
export type TransactionKind = "IMMEDIATE" | "DEFERRED";

/** All of what `work` does, or nothing of it. Throws what went wrong first. `work` must not begin another. */
export function transaction<T>(database: DatabaseSync, kind: TransactionKind, work: () => T): T {
  database.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ends the transaction that is open, if one is. */
export function rollBack(database: DatabaseSync): void {
  if (!database.isTransaction) return;
  try {
    database.exec("ROLLBACK");
  } catch {
    // The next transaction finds out; what went wrong before matters more.
  }
}
