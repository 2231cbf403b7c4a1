/** Runs tests with or without a planted bug. */
import { spawnSync } from "node:child_process";
import { ROOT } from "@pricetime/testkit/venue";
import type { TestHunt } from "./bug.ts";

/** With a planted bug, many tests wait forever. */
const FAILS_WITHIN_MS = 30_000;
/** A slow machine needs this long for a test that passes. */
const PASSES_WITHIN_MS = 90_000;

/** The arguments for Node.js that run the program with a bug; the bug is inactive until the file `wakes` exists. */
export function planting(bug: string, wakes?: string): string[] {
  const plant = new URL("./plant.ts", import.meta.url);
  plant.searchParams.set("bug", bug);
  if (wakes !== undefined) plant.searchParams.set("wakes", wakes);
  return ["--import", plant.href];
}

/** Returns the name of the failed test; undefined if all selected tests have passed. Throws if none was selected. */
export function failingTest({ test, in: file }: TestHunt, bug?: string): string | undefined {
  const withinMs = bug === undefined ? PASSES_WITHIN_MS : FAILS_WITHIN_MS;
  // In one process, which exits with everything that it has started, also when a test waits forever.
  const runner = ["--test", "--test-isolation=none", "--test-force-exit", `--test-timeout=${withinMs}`];
  const args = ["--disable-warning=ExperimentalWarning", "--test-reporter=tap", ...runner];
  args.push(`--test-name-pattern=${test}`, file);
  // Node's test runner must not see that a test started it, and a prebuilt program has no bug.
  const { NODE_TEST_CONTEXT: _, TEST_PROGRAM_FOLDER: _built, ...env } = process.env;
  const options = bug === undefined ? "" : planting(bug).join(" ");
  const { stdout, stderr, error } = spawnSync(process.execPath, args, {
    ...{ cwd: ROOT, encoding: "utf8", timeout: 2 * withinMs },
    env: { ...env, NODE_OPTIONS: options },
  });
  const lines = stdout.split("\n").filter((line) => line.includes(test));
  const failed = lines.find((line) => /^\s*not ok /.test(line));
  if (failed !== undefined) return failed.trim();
  if (error !== undefined && "code" in error && error.code === "ETIMEDOUT") return "the test waits for ever";
  if (lines.some((line) => /^\s*ok /.test(line))) return undefined;
  throw new Error(`${file} ran no test '${test}': ${stderr.slice(-2_000)}${stdout.slice(-2_000)}`);
}
