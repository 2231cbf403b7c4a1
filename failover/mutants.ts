/** `npm run cluster:mutants [-- --only WORD]`: which planted bugs are found, and how. Exit code 1: one is not. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { campaign } from "./campaign.ts";
import { endOnSignals } from "./end-on-signals.ts";
import { FAULTS } from "./faults/schedule.ts";
import type { Bug, Hunt } from "./mutations/bug.ts";
import { BUGS } from "./mutations/bugs.ts";

endOnSignals();
const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, seed: { type: "string", default: "1" } },
});
const TEST_WITHIN_MS = 30_000;

function planting({ name }: Bug, wakes?: string): string[] {
  const plant = new URL("./mutations/plant.ts", import.meta.url);
  plant.searchParams.set("bug", name);
  if (wakes !== undefined) plant.searchParams.set("wakes", wakes);
  return ["--import", plant.href];
}

/** Returns what was said of it; undefined: it was not found. */
async function hunt(bug: Bug): Promise<string | undefined> {
  const { foundBy } = bug;
  if ("test" in foundBy) return failing(bug, foundBy);
  const faults = FAULTS.filter(({ name }) => foundBy.faults.some((start) => name.startsWith(start)));
  const folder = temporaryFolder();
  const wakes = join(folder, "awake");
  const nodeArgs = planting(bug, wakes);
  const onStarted = (): void => writeFileSync(wakes, "");
  const options = { seconds: foundBy.seconds, seed: Number(values.seed), nodeArgs, onStarted, say: () => {} };
  try {
    const { findings } = await campaign({ ...options, faults });
    return mostTelling(findings.first);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** That a node does not serve says less than anything else that was found. */
function mostTelling(findings: readonly string[]): string | undefined {
  return findings.find((each) => !each.startsWith("service: no service")) ?? findings[0];
}

function failing(bug: Bug, { test, in: file }: Extract<Hunt, { test: string }>): string | undefined {
  // In one process, which ends by itself with all that it has started, also when a test waits for ever.
  const runner = ["--test", "--test-isolation=none", "--test-force-exit", `--test-timeout=${TEST_WITHIN_MS}`];
  const args = ["--disable-warning=ExperimentalWarning", "--test-reporter=tap", ...runner];
  args.push(`--test-name-pattern=${test}`, file);
  const { stdout, error } = spawnSync(process.execPath, args, {
    ...{ cwd: ROOT, encoding: "utf8", timeout: 2 * TEST_WITHIN_MS },
    env: { ...process.env, NODE_OPTIONS: planting(bug).join(" ") },
  });
  const failed = stdout.split("\n").find((line) => /^\s*not ok /.test(line) && !line.includes(file));
  if (failed !== undefined) return failed.trim();
  const isLate = error !== undefined && "code" in error && error.code === "ETIMEDOUT";
  return isLate ? "the test waits for ever" : undefined;
}

let missed = 0;
for (const bug of BUGS.filter(({ name }) => name.includes(values.only))) {
  const beganMs = performance.now();
  const said = await hunt(bug);
  if (said === undefined) missed++;
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
  const how = "test" in bug.foundBy ? bug.foundBy.in : "campaign";
  console.log(`| ${bug.name} | ${how}, ${seconds} s | ${said?.replaceAll(/\s+/g, " ").slice(0, 160) ?? "NOT FOUND"} |`);
}
process.exitCode = missed > 0 ? 1 : 0;
