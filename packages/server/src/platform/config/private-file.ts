/** Files that hold secrets: readable by their owner only, and never half written. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    const bytes = Buffer.from(text);
    // On a nearly full disk a write may take only a part, and reports that only by its result.
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes `text` to `path` with mode 0600, whole or not at all, and waits until it is on disk. */
export function writePrivateFile(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  try {
    writeNew(partial, text);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  // Windows cannot open a folder, and journals names itself.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
