/**
 * Disk and SQLite: files that only their owner may open, the one way to run a transaction, and which errors another try
 * may mend.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Makes the folder (0700) when it is missing. */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder);
  chmodSync(folder, OWNER_ONLY_FOLDER);
}

/** On a read-only disk the recursive way reports that there is no such folder. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(folder, { mode: OWNER_ONLY_FOLDER });
  }
}

/** Makes an empty file (0600) when it is missing; SQLite gives its side files the same mode. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, "a", OWNER_ONLY_FILE));
}

// Some errors, a full disk among them, end a transaction by themselves: another rollback would fail with an error of
// its own, which hides the first.

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

// An error may come from the disk or the system (full, read-only, out of handles, a failed write), so that another try
// may succeed. Everything else is damage, or a bug of ours.

/** Error codes of Node. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  ...["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE"],
]);

/** The code of `rmSync` for what it knows no code of: a read-only disk is among it. */
const NO_CODE = "";

/** Primary result codes of SQLite. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;
const TROUBLE: ReadonlySet<number> = new Set([BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN]);

/**
 * After these codes nothing of a transaction can reappear after a crash: it was not begun, or its last page was
 * not written whole. An I/O error says less: the pages may be there and only the sync may have failed.
 */
const NOTHING_WRITTEN: ReadonlySet<number> = new Set([BUSY, LOCKED, READONLY, FULL, CANTOPEN]);

/** Extended codes contain the primary one in their lowest byte. */
const PRIMARY_CODE_BITS = 0xff;

interface Coded {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}

/** Looks at the error and its causes. */
export function isDiskTrouble(error: unknown): boolean {
  const { code, cause } = coded(error);
  if (TROUBLE.has(sqliteCode(error))) return true;
  if (typeof code === "string" && (SYSTEM_CODES.has(code) || code === NO_CODE)) return true;
  return cause !== undefined && isDiskTrouble(cause);
}

/**
 * As `isDiskTrouble`, and everything else that a call of the system failed with, such as a folder that was removed
 * meanwhile. For files that are made anew whole at the next try, from nothing that was on the disk.
 */
export function isFileTrouble(error: unknown): boolean {
  return isDiskTrouble(error) || typeof coded(error).syscall === "string";
}

/** Returns whether a failed transaction of SQLite has certainly left nothing behind. */
export function isNothingWritten(error: unknown): boolean {
  return NOTHING_WRITTEN.has(sqliteCode(error));
}

function sqliteCode(error: unknown): number {
  const { errcode } = coded(error);
  return typeof errcode === "number" ? errcode & PRIMARY_CODE_BITS : 0;
}

function coded(error: unknown): Coded {
  return typeof error === "object" && error !== null ? error : {};
}
