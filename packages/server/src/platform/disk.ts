/**
 * Disk and SQLite helpers: files readable only by their owner, transactions, and classification of errors that a retry
 * may fix.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Creates the folder with mode 0700 if it is missing. */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder);
  chmodSync(folder, OWNER_ONLY_FOLDER);
}

/** Creates folders one by one: on a read-only disk, the recursive call reports ENOENT instead of the actual error. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(folder, { mode: OWNER_ONLY_FOLDER });
  }
}

/** Creates an empty file with mode 0600 if it is missing. SQLite gives its WAL and journal files the same mode. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, "a", OWNER_ONLY_FILE));
}

/** SQLite's busy timeout while opening a file: another thread may be closing it or creating its WAL. */
export const OPEN_PATIENCE_MS = 5000;

/** `IMMEDIATE`: for writing; `DEFERRED`: for several reads of the same state. */
export type TransactionKind = "IMMEDIATE" | "DEFERRED";

/** Runs `work` in a transaction and passes on its error. `work` must not begin another transaction. */
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

/** Rolls back the open transaction, if any. Some errors, such as a full disk, have already ended it. */
export function rollBack(database: DatabaseSync): void {
  if (!database.isTransaction) return;
  try {
    database.exec("ROLLBACK");
  } catch {
    // Ignored: the caller's error matters more, and the next transaction reports this one.
  }
}

// Errors of the disk or the system (full, read-only, out of file handles, failed writes) can be retried. All other
// errors are corruption or bugs.

/** Error codes of Node. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  ...["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE"],
]);

/** The error code that `rmSync` sets for some errors, such as a read-only disk. */
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
 * After these codes, a failed transaction cannot reappear after a crash, because it was not written completely. After
 * an I/O error it can: the pages may have been written before the sync failed.
 */
const NOTHING_WRITTEN: ReadonlySet<number> = new Set([BUSY, LOCKED, READONLY, FULL, CANTOPEN]);

/** The lowest byte of an extended result code is the primary code. */
const PRIMARY_CODE_BITS = 0xff;

interface Coded {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}

/** Whether the error, or one of its causes, is a disk or system error. */
export function isDiskTrouble(error: unknown): boolean {
  const { code, cause } = coded(error);
  if (TROUBLE.has(sqliteCode(error))) return true;
  if (typeof code === "string" && (SYSTEM_CODES.has(code) || code === NO_CODE)) return true;
  return cause !== undefined && isDiskTrouble(cause);
}

/**
 * Same as `isDiskTrouble`, but also true for other failed system calls, such as a missing folder. For files that the
 * next attempt writes completely, without reading from the disk.
 */
export function isFileTrouble(error: unknown): boolean {
  return isDiskTrouble(error) || typeof coded(error).syscall === "string";
}

/** Whether a failed SQLite transaction has certainly written nothing. */
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
