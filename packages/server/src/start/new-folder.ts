/** A start that is refused leaves no data folder behind that it made, and nothing in one that held no exchange. */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "../storage/data-paths.ts";
import { FolderInUse, LOCK_FILE, lockFolder } from "../storage/folder-lock.ts";

/** What a start makes, by what its names begin with: whatever else appears there meanwhile is somebody's. */
const OWN: readonly string[] = [
  ...["journal.", "history.", LOCK_FILE, "master.key", "admin.json", "demo.json"],
  ...["snapshots", "sandbox", "mail"],
];

export interface NewFolder {
  /** Takes away what was made since; to be called when nothing in it is open any more. */
  remove(): void;
}

/** What stands there now, before a start. Undefined when there is an exchange in the folder, which a start leaves as it is. */
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
    // Another node may have begun here in the meantime: then all of it is its own.
    const lock = lockFolder(folder);
    const made = readdirSync(folder).filter((name) => !before.has(name) && OWN.some((own) => name.startsWith(own)));
    for (const name of made.filter((one) => !one.startsWith(LOCK_FILE)))
      rmSync(join(folder, name), { recursive: true });
    lock.release();
    for (const name of made.filter((one) => one.startsWith(LOCK_FILE))) rmSync(join(folder, name), { force: true });
    for (const each of missing) rmdirSync(each);
  } catch (error) {
    // The start has failed for a reason of its own; what could not be removed is no second one.
    if (!(error instanceof FolderInUse || (error as NodeJS.ErrnoException).code !== undefined)) throw error;
  }
}
