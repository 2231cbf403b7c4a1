/** Runs the work while no node can run on the folder. Rejects with `CopyRefused` when one does. */
import { CopyRefused } from "../../journal/backup/refused.ts";
import { FolderInUse, type FolderLock, lockFolder } from "../../journal/storage/folder-lock.ts";

export async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  let lock: FolderLock;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new CopyRefused(error.message, { cause: error });
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
