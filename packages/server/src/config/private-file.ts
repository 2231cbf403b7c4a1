/** Files that hold secrets: readable by their owner only, never half written. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    const bytes = Buffer.from(text);
    // On a disk that is nearly full a write takes part of it and says so by its number alone.
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes `text` to `path` with mode 0600, whole or not at all, and waits until it is on the disk. */
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
  // Windows opens no folder, and keeps names in a journal of its own.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
