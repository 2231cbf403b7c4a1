/**
 * The machine's clocks, timers and random source. Imported only by entry points of processes and threads, which
 * test/tidy/machine.ts lists.
 */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { type MachineClocks, NOTHING_SAVED, type World } from "./port.ts";

/**
 * Returns a function that reads the uptime always from the same source. Node's own function switches to the kernel's
 * clock if the file cannot be read. In a container the two sources differ, and switching would look like a sleep.
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
    // If the file can never be read, Node's function always uses the same source, so it is safe to call.
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

/** Its time is the machine's wall clock, including leaps. */
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
