/** A data folder: its paths, its lock, and its kind (a node's or a lab's). */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk.ts";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export interface DataPaths {
  readonly journal: string;
  readonly history: string;
  /** The path of a folder. */
  readonly snapshots: string;
}

export function dataPaths(folder: string): DataPaths {
  return {
    journal: join(folder, "journal.sqlite"),
    history: join(folder, "history.sqlite"),
    snapshots: join(folder, "snapshots"),
  };
}

// The lock is the operating system's, so it ends with the process.

export const LOCK_FILE = "node.lock";
const SQLITE_BUSY = 5;

export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

export interface FolderLock {
  release(): void;
}

/** The locks that this process holds: an unreferenced one would be collected, and the lock with it. */
const held = new Set<DatabaseSync>();

/** Locks the folder, making it when missing. Throws `FolderInUse` while another node holds it. */
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

// In a lab time is made up, commits wait for no disk, and the journal is cut. So a folder stays a lab's or a node's
// from its first start, and neither may go on where the other was.

/** The file that says so. */
export const LAB_MARK_FILE = "lab.json";
const MARK = "pricetime lab";

/** The folder was made by a lab and is opened without, or the other way round. */
export class FolderOfOtherKind extends Error {
  override readonly name = "FolderOfOtherKind";
}

/** Whether the folder was made by a lab. */
export function isOfLab(folder: string): boolean {
  return existsSync(join(folder, LAB_MARK_FILE));
}

/** Throws `FolderOfOtherKind` when the folder was made by a lab. */
export function checkIsNoLab(folder: string): void {
  if (!isOfLab(folder)) return;
  throw new FolderOfOtherKind(
    `${folder} is the data folder of a lab. Start it with --lab, or choose another folder with --data`,
  );
}

/** Throws `FolderOfOtherKind` when the folder holds an exchange that no lab made. */
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

/** Marks a folder as a lab's before anything of the exchange is there. */
export function markAsLab(folder: string): void {
  if (isOfLab(folder)) return;
  makePrivateFolder(folder);
  const path = join(folder, LAB_MARK_FILE);
  makePrivateFile(path);
  writeFileSync(path, `${JSON.stringify({ kind: MARK })}\n`);
}

/** Throws `FolderOfOtherKind` when a file of that name is somebody else's. */
function checkMark(folder: string): void {
  const path = join(folder, LAB_MARK_FILE);
  const isOurs = (): boolean => (JSON.parse(readFileSync(path, "utf8")) as { kind?: unknown } | null)?.kind === MARK;
  try {
    if (isOurs()) return;
  } catch {
    // The throw below reports it: whatever the file is, no lab wrote it.
  }
  throw new FolderOfOtherKind(`${path} is not a lab's marker file. Remove it, or choose another folder with --data`);
}
