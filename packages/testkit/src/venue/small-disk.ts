/** A small disk that fills up soon: a file system of its own, in memory. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const FILLER = "filler";

/** Mounts one of `bytes` bytes at `folder`; false where this user may not mount. `unmount` removes it. */
export function mountSmallDisk(folder: string, bytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", folder]).status === 0;
}

export function unmount(folder: string): void {
  spawnSync("umount", ["-l", folder]);
}

/** Fills all the space, to the last byte. */
export function fill(disk: string): void {
  const file = openSync(join(disk, FILLER), "w");
  try {
    for (const size of [1 << 20, 4096, 1]) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  }
}

export function makeSpace(disk: string): void {
  rmSync(join(disk, FILLER));
}
