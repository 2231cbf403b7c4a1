/** Removes what a refused start made: a new data folder, or the new files in a folder without an exchange. */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "../../journal/storage/data-paths.ts";
import { FolderInUse, LOCK_FILE, lockFolder } from "../../journal/storage/folder-lock.ts";
import { LAB_MARK_FILE } from "../../journal/storage/lab-mark.ts";

/** Beginnings of the names of files that a start makes. Other files that appear meanwhile belong to somebody else. */
const OWN: readonly string[] = [
  ...["journal.", "history.", LOCK_FILE, "master.key", "admin.json", "demo.json"],
  ...["snapshots", "sandbox", "mail", LAB_MARK_FILE, "candles.", "checkpoints"],
];

export interface NewFolder {
  /** Removes what was made since; call it when nothing in the folder is open any more. */
  remove(): void;
}

/** Notes a folder's content before a start. Undefined when it contains an exchange, which a start leaves as it is. */
export function newFolder(folder: string): NewFolder | undefined {
  if (existsSync(dataPaths(folder).journal)) return undefined;
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  const before = new Set(missing.length === 0 ? readdirSync(folder) : []);
  return { remove: () => remove(folder, before, missing) };
}

function remove(folder: string, before: ReadonlySet<string>, missing: readonly string[]): void {
  if (!existsSync(folder)) return;
  try {
    // Another node may have begun here in the meantime: then everything is that node's.
    const lock = lockFolder(folder);
    const made = readdirSync(folder).filter((name) => !before.has(name) && OWN.some((own) => name.startsWith(own)));
    for (const name of made.filter((one) => !one.startsWith(LOCK_FILE)))
      rmSync(join(folder, name), { recursive: true });
    lock.release();
    for (const name of made.filter((one) => one.startsWith(LOCK_FILE))) rmSync(join(folder, name), { force: true });
    for (const each of missing) rmdirSync(each);
  } catch (error) {
    // The start has failed for another reason; a failed removal must not hide it.
    if (!(error instanceof FolderInUse || (error as NodeJS.ErrnoException).code !== undefined)) throw error;
  }
}
