/** Faults of a machine: a small disk that fills up, and an uptime that includes sleep. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import os from "node:os";

const FILLER = "filler";

/** Mounts a disk of `bytes` bytes at `folder`. Returns false if this user may not mount. `unmount` removes the disk. */
export function mountSmallDisk(folder: string, bytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", folder]).status === 0;
}

export function unmount(folder: string): void {
  spawnSync("umount", ["-l", folder]);
}

/** Fills the disk completely. */
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

/** Changes both sources of the uptime: Node's own, and Linux's file as `fs.readFileSync` reads it. */
export function moveUptime(sleptMs: () => number): void {
  const { uptime } = os;
  os.uptime = () => uptime() + sleptMs() / 1000;
  fs.readFileSync = ((file: string, options: "latin1") => {
    const text = readFileSync(file, options);
    return file === "/proc/uptime" ? `${Number.parseFloat(text) + sleptMs() / 1000}` : text;
  }) as typeof fs.readFileSync;
}
