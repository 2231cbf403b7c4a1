/**
 * The machine's time, timers and dice. Only entry points of processes and threads take them from here;
 * test/tidy/machine.ts lists them.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { type MachineClocks, NOTHING_SAVED, type World } from "./port.ts";

/**
 * The uptime, from one source for good. Node's own takes the kernel's clock while the file cannot be read; in a
 * container the file counts from the container's start, and a change of source would look like a sleep.
 */
export function uptimeFrom(file: string): () => number {
  const read = (): number => Number.parseFloat(fs.readFileSync(file, "latin1")) * 1000;
  const readOrNot = (): number => {
    try {
      return read();
    } catch {
      return Number.NaN;
    }
  };
  try {
    read();
  } catch (error) {
    // Where it is never to be read, Node's own is one source, too.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EACCES", "EPERM"].includes(code)) return () => os.uptime() * 1000;
  }
  return readOrNot;
}

export const MACHINE_CLOCKS: MachineClocks = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: uptimeFrom("/proc/uptime"),
};

/** Its time is the wall clock, including leaps. */
export const MACHINE: World = {
  nowMs: MACHINE_CLOCKS.wallMs,
  steadyMs: MACHINE_CLOCKS.steadyMs,
  soon: (task) => void setImmediate(task),
  after: (waitMs, task) => {
    const timer = setTimeout(task, waitMs).unref();
    return () => clearTimeout(timer);
  },
  every: (periodMs, task) => {
    const timer = setInterval(task, periodMs).unref();
    return () => clearInterval(timer);
  },
  pause: (waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs)),
  randomBytes,
  saved: NOTHING_SAVED,
};
