/**
 * Decides whether an error came from the disk or the system (full, read-only, out of handles, a failed write),
 * so that another try may succeed. Everything else is damage, or a bug of ours.
 */

/** Error codes of Node. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  ...["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE"],
]);

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
  readonly cause?: unknown;
}

/** Looks at the error and its causes. */
export function isDiskTrouble(error: unknown): boolean {
  const { code, cause } = coded(error);
  if (TROUBLE.has(sqliteCode(error))) return true;
  if (typeof code === "string" && SYSTEM_CODES.has(code)) return true;
  return cause !== undefined && isDiskTrouble(cause);
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
