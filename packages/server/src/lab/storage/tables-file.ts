/**
 * The file of a lab's history: opened, copied into an image, put back from it. In a temporary folder nobody else has it
 * open, so it is copied as it lies, and put back where it differs. In a folder that is kept others may be reading: there
 * SQLite makes the copy, and what is put back is a new file, so that they go on with the old one.
 */
import { constants, copyFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../../platform/disk/private-file.ts";
import { openHistoryFile } from "../../history/schema.ts";
import type { DataPaths } from "../../journal/storage/data-paths.ts";
import { copyOver } from "./copy-over.ts";
import type { LabHistoryMode } from "./lab-history.ts";

export interface TablesFileOptions {
  readonly path: string;
  readonly kind: "kept" | "temporary";
  /** The pages that SQLite keeps in memory. */
  readonly cacheKiB: number;
}

/** Candles alone are in a file of their own: no start takes them for the whole. */
export function tablesPath({ history }: DataPaths, mode: LabHistoryMode): string {
  return mode === "candles" ? join(dirname(history), "candles.sqlite") : history;
}

/** Makes the tables when missing. Throws `HistoryUnreadable`. */
export function openTablesFile({ path, kind, cacheKiB }: TablesFileOptions): DatabaseSync {
  makePrivateFile(path);
  // In a temporary folder what a log would save twice is written once.
  const database = openHistoryFile(path, kind === "temporary" ? "alone" : "beside readers");
  try {
    database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKiB};`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies tables that stand open between two transactions. `image` must not exist. */
export function copyTables(database: DatabaseSync, { path, kind }: TablesFileOptions, image: string): void {
  if (kind === "kept") database.prepare("VACUUM INTO ?").run(image);
  else copyFileSync(path, image, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Puts tables back that this process has not open. */
export function putTablesBack(image: string, { path, kind }: TablesFileOptions): void {
  if (kind === "temporary") {
    copyOver(image, path);
    return;
  }
  removeTables(path);
  makePrivateFile(path);
  copyFileSync(image, path);
}

export function removeTables(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}
