/** Rebuilds the history from the journal, to replace it or to compare the two row by row. */
import { rmSync } from "node:fs";
import { makePrivateFile, transaction } from "../../platform/disk.ts";
import type { DataPaths } from "./data-folder.ts";
import { openProjection } from "./projection.ts";
import type { DatabaseSync } from "node:sqlite";
import { readPosition } from "../../history/writing/history-writer.ts";
import { openHistoryFile, openHistoryReadOnly } from "../../history/table/schema.ts";

/**
 * Rebuilds the history in this thread. No node may be using the data folder. Returns the number of entries in the
 * history.
 */
export function rebuildHistory(paths: DataPaths): number {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${paths.history}${suffix}`, { force: true });
  makePrivateFile(paths.history);
  const projection = openProjection({ paths, snapshotEveryEntries: 0 });
  try {
    while (projection.advance(Number.POSITIVE_INFINITY));
    return projection.seq;
  } finally {
    projection.close();
  }
}

export interface HistoryVerification {
  readonly rows: number;
  /** The last entry in history. */
  readonly seq: number;
  /** The first difference, with its table and row; null if there is none. */
  readonly fault: string | null;
}

type Row = Readonly<Record<string, unknown>>;

export interface VerifyHistoryOptions {
  /**
   * Whether a node is using the data folder. If so, the history is read as of one instant, and later writes of the node
   * are ignored. Default: no.
   */
  readonly isBesideNode?: boolean;
}

/** Compares the history with a rebuilt one. An unreadable history is also reported as a fault. docs/decisions/0024. */
export function verifyHistory(
  paths: DataPaths,
  { isBesideNode = false }: VerifyHistoryOptions = {},
): HistoryVerification {
  const scratch = `${paths.history}.verify-${process.pid}`;
  try {
    const database = isBesideNode ? openHistoryReadOnly(paths.history) : openHistoryFile(paths.history);
    try {
      // All reads in a transaction see the same state.
      return transaction(database, "DEFERRED", () => verifyState(database, paths, scratch));
    } finally {
      database.close();
    }
  } catch (error) {
    return { rows: 0, seq: 0, fault: `history cannot be read: ${(error as Error).message}` };
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${scratch}${suffix}`, { force: true });
  }
}

function verifyState(database: DatabaseSync, paths: DataPaths, scratch: string): HistoryVerification {
  const { seq } = readPosition(database);
  const { integrity_check: structure } = database.prepare("PRAGMA integrity_check(1)").get() as Row;
  if (structure !== "ok") return { rows: 0, seq, fault: `history is damaged: ${String(structure)}` };
  return { seq, ...compare(database, scratch, () => makeAgain(paths, scratch, seq)) };
}

function makeAgain(paths: DataPaths, scratch: string, untilSeq: number): void {
  makePrivateFile(scratch);
  const projection = openProjection({ paths: { ...paths, history: scratch }, snapshotEveryEntries: 0 });
  try {
    while (projection.seq < untilSeq && projection.advance(untilSeq));
  } finally {
    projection.close();
  }
}

function compare(database: DatabaseSync, scratch: string, make: () => void): { rows: number; fault: string | null } {
  make();
  const made = openHistoryReadOnly(scratch);
  let rows = 0;
  try {
    for (const table of tablesOf(made)) {
      const found = compareTable(table, database, made);
      rows += found.rows;
      if (found.fault !== null) return { rows, fault: found.fault };
    }
    return { rows, fault: null };
  } finally {
    made.close();
  }
}

function tablesOf(database: DatabaseSync): string[] {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all() as Row[];
  return tables.map(({ name }) => String(name));
}

function compareTable(
  table: string,
  database: DatabaseSync,
  made: DatabaseSync,
): { rows: number; fault: string | null } {
  const keys = (made.prepare(`PRAGMA table_info(${table})`).all() as Row[])
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a["pk"]) - Number(b["pk"]))
    .map(({ name }) => String(name));
  // Rows without a key are in the order in which they were written, which is that of the journal.
  if (keys.length === 0) keys.push("rowid");
  const columns = keys.includes("rowid") ? "rowid, *" : "*";
  const select = `SELECT ${columns} FROM ${table} ORDER BY ${keys.join(", ")}`;
  const [theirs, ours] = [rowsOf(made, select), rowsOf(database, select)];
  for (let rows = 0; ; rows++) {
    const [must, is] = [theirs.next(), ours.next()];
    if (must.done === true && is.done === true) return { rows, fault: null };
    if (must.done !== true && is.done !== true && textOf(must.value) === textOf(is.value)) continue;
    const row = (must.done === true ? is.value : must.value) as Row;
    const where = keys.map((key) => `${key} ${String(row[key])}`).join(", ");
    return { rows, fault: `history differs from the journal in ${table}, row ${rows} (${where})` };
  }
}

function rowsOf(database: DatabaseSync, select: string): Iterator<Row> {
  const statement = database.prepare(select);
  statement.setReadBigInts(true);
  return statement.iterate();
}

function textOf(row: Row): string {
  return JSON.stringify(row, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}
