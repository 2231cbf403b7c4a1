/**
 * The one way to run a transaction of SQLite. Some errors, a full disk among them, end it by themselves: another
 * rollback would fail with an error of its own, which hides the first.
 */
import type { DatabaseSync } from "node:sqlite";

/** A file is opened with this much patience: another thread may just be closing it as the last one, or making its log. */
export const OPEN_PATIENCE_MS = 5000;

/** `IMMEDIATE`: to write; `DEFERRED`: to read one state of the file in several looks. */
export type TransactionKind = "IMMEDIATE" | "DEFERRED";

/** Does everything in `work`, or nothing. Throws the first error. `work` must not begin another transaction. */
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

/** Ends the open transaction, if there is one. */
export function rollBack(database: DatabaseSync): void {
  if (!database.isTransaction) return;
  try {
    database.exec("ROLLBACK");
  } catch {
    // The next transaction will find out; the first error matters more.
  }
}
