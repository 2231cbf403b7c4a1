/**
 * The machine's time, timers and dice. Only entry points of processes and threads take them from here;
 * test/tidy/machine.ts lists them.
 */
import { randomBytes } from "node:crypto";
import os from "node:os";
import type { MachineClocks, World } from "./port.ts";

export const MACHINE_CLOCKS: MachineClocks = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  uptimeMs: () => os.uptime() * 1000,
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
};
