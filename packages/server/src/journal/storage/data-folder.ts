/** A data folder: its paths, its lock, and its kind (node or lab). */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk.ts";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export interface DataPaths {
  readonly journal: string;
  readonly history: string;
  /** The folder of the snapshots. */
  readonly snapshots: string;
}

export function dataPaths(folder: string): DataPaths {
  return {
    journal: join(folder, "journal.sqlite"),
    history: join(folder, "history.sqlite"),
    snapshots: join(folder, "snapshots"),
  };
}

// The folder's lock. It is a lock of the operating system, so it ends with the process.

export const LOCK_FILE = "node.lock";
const SQLITE_BUSY = 5;

export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

export interface FolderLock {
  release(): void;
}

/**
 * The locks that this process holds. Without this reference, a database would be garbage collected and its lock
 * released.
 */
const held = new Set<DatabaseSync>();

/** Locks the folder, creating it if missing. Throws `FolderInUse` while another process holds the lock. */
export function lockFolder(folder: string): FolderLock {
  makePrivateFolder(folder);
  const path = join(folder, LOCK_FILE);
  makePrivateFile(path);
  const database = new DatabaseSync(path);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new FolderInUse(`The data folder ${folder} is in use by another node. Stop that node first.`, {
      cause: error,
    });
  }
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}

// The kind of a folder. In a lab, time is simulated, commits are not synced, and the journal is cut. So from its first
// start, a folder belongs to a lab or to a node, and neither opens a folder of the other.

/** The marker file of a lab's folder. */
export const LAB_MARK_FILE = "lab.json";
const MARK = "pricetime lab";

/** A lab's folder is opened by a node, or a node's folder by a lab. */
export class FolderOfOtherKind extends Error {
  override readonly name = "FolderOfOtherKind";
}

/** Whether the folder was created by a lab. */
export function isOfLab(folder: string): boolean {
  return existsSync(join(folder, LAB_MARK_FILE));
}

/** Throws `FolderOfOtherKind` if the folder was created by a lab. */
export function checkIsNoLab(folder: string): void {
  if (!isOfLab(folder)) return;
  throw new FolderOfOtherKind(
    `${folder} is the data folder of a lab. Start it with --lab, or choose another folder with --data`,
  );
}

/** Throws `FolderOfOtherKind` if the folder contains an exchange that was not created by a lab. */
export function checkIsLab(folder: string): void {
  if (isOfLab(folder)) {
    checkMark(folder);
    return;
  }
  if (!existsSync(dataPaths(folder).journal)) return;
  throw new FolderOfOtherKind(
    `${folder} is the data folder of an exchange, which a lab must not change. Start it without --lab, or choose another folder with --data`,
  );
}

/** Marks a folder as a lab's before anything of the exchange is created in it. */
export function markAsLab(folder: string): void {
  if (isOfLab(folder)) return;
  makePrivateFolder(folder);
  const path = join(folder, LAB_MARK_FILE);
  makePrivateFile(path);
  writeFileSync(path, `${JSON.stringify({ kind: MARK })}\n`);
}

/** Throws `FolderOfOtherKind` if the marker file was not written by a lab. */
function checkMark(folder: string): void {
  const path = join(folder, LAB_MARK_FILE);
  const isOurs = (): boolean => (JSON.parse(readFileSync(path, "utf8")) as { kind?: unknown } | null)?.kind === MARK;
  try {
    if (isOurs()) return;
  } catch {
    // Invalid JSON is reported by the error below.
  }
  throw new FolderOfOtherKind(`${path} is not a lab's marker file. Remove it, or choose another folder with --data`);
}
