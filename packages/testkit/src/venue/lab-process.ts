/** A lab in a process of its own, on a folder that goes with it: as `pricetime lab` starts one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { programOf } from "./command.ts";

const PROGRAM = programOf("packages/lab/src/start/lab-process.ts", "lab-process");

export interface LabProcess {
  readonly admin: string;
  readonly adminToken: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface LabProcessOptions {
  /** What objects that live may take. Those that just came have 16 MiB beside, which V8 else makes less with it. */
  readonly heapMiB?: number;
}

/** Its clock is manual, and it has no bots. Rejects when it ends before it serves. */
export async function startLabProcess(
  history: "on" | "candles" | "off",
  { heapMiB }: LabProcessOptions = {},
): Promise<LabProcess> {
  const heap = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`, "--max-semi-space-size=16"];
  const child = spawn(process.execPath, [...heap, ...PROGRAM, JSON.stringify({ history })], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, "line"), closed.then(() => undefined)]);
  assert.ok(line !== undefined && child.pid !== undefined, "the lab ended before it served");
  const { admin, adminToken } = JSON.parse(String(line[0])) as Pick<LabProcess, "admin" | "adminToken">;
  return {
    ...{ admin, adminToken, pid: child.pid },
    // It ends with its input.
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
