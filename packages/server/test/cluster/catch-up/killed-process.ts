/** Counts the steps of a process that is to be killed, which prints a line for each. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ROOT } from "@pricetime/testkit/venue";

/** The process continues for this many steps while the kill is delivered, then waits, however fast its disk is. */
const STEPS_MORE = 1;
const LONGEST_WAIT_MS = 60_000;

/** Runs a script that uses `reportSteps`, and kills it after this many steps; 0: never. Returns its exit code. */
export async function runAndKill(
  script: URL,
  args: readonly string[],
  { killAfter, onLine }: { killAfter: number; onLine: (line: string) => void },
): Promise<number | null> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script.pathname, `${killAfter}`, ...args],
    { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] },
  );
  let count = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    onLine(line);
    if (++count === killAfter) child.kill("SIGKILL");
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

/** In the process: prints a line after each step, and waits for its end once it should have been killed. */
export function reportSteps(killAfter: number): (seq: number) => void {
  let left = killAfter === 0 ? Number.POSITIVE_INFINITY : killAfter + STEPS_MORE;
  return (seq) => {
    process.stdout.write(`${seq}\n`);
    if (--left === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONGEST_WAIT_MS);
  };
}
