/** Locks a data folder for one node. The lock is the operating system's, so it ends with the process. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk/private-file.ts";

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
