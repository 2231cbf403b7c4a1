/** Processes left behind by a killed runner, identified by process ID and command line. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Started } from "./folder.ts";

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** Stops those that are still running, all at once. A process ID that belongs to another program by now is ignored. */
export async function stopLeftBehind(started: readonly Started[]): Promise<number> {
  const running = started.filter(isRunning);
  for (const signal of ["SIGTERM", "SIGCONT"] as const) signalAll(running, signal);
  const late = performance.now() + PATIENCE_MS;
  while (running.some(isRunning) && performance.now() < late) await sleep(LOOK_EVERY_MS);
  signalAll(running.filter(isRunning), "SIGKILL");
  while (running.some(isRunning)) await sleep(LOOK_EVERY_MS);
  return running.length;
}

export function isRunning({ pid, mark }: Started): boolean {
  return commandLine(pid).includes(mark);
}

function signalAll(all: readonly Started[], signal: NodeJS.Signals): void {
  for (const { pid } of all) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** The command line of a process; empty if it has exited or is a zombie. */
function commandLine(pid: number): string[] {
  if (!existsSync("/proc/self/cmdline")) {
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" })
      .stdout.trim()
      .split(" ");
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
