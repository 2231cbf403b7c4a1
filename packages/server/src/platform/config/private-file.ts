/** Files with secrets: readable only by their owner, and written atomically. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    const bytes = Buffer.from(text);
    // On a nearly full disk, a write may be partial without an error.
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes the file atomically with mode 0600. Returns when the file is on disk. */
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
  // Windows cannot open folders, and its file system makes renames durable itself.
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
