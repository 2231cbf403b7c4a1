/** Files that hold secrets: readable by their owner only, never half written. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Writes `text` to `path` with mode 0600, whole or not at all, and waits until it is on the disk. */
export function writePrivateFile(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  const file = openSync(partial, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
