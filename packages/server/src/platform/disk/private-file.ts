/** Files and folders of a node, which only their owner may open. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";

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
