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
import type { Bug } from "./mutations/bug.ts";
import { BUGS } from "./mutations/bugs.ts";

endOnSignals();
const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, seed: { type: "string", default: "1" } },
});
const TESTS_WITHIN_MS = 240_000;

function planting({ name }: Bug, wakes?: string): string[] {
  const plant = new URL("./mutations/plant.ts", import.meta.url);
  plant.searchParams.set("bug", name);
  if (wakes !== undefined) plant.searchParams.set("wakes", wakes);
  return ["--import", plant.href];
}

/** Returns what was said of it; undefined: it was not found. */
async function hunt(bug: Bug): Promise<string | undefined> {
  const { foundBy } = bug;
  if ("tests" in foundBy) return failing(bug, foundBy.tests);
  const faults = FAULTS.filter(({ name }) => foundBy.faults.some((start) => name.startsWith(start)));
  const folder = temporaryFolder();
  const wakes = join(folder, "awake");
  const nodeArgs = planting(bug, wakes);
  const onStarted = (): void => writeFileSync(wakes, "");
  const options = { seconds: foundBy.seconds, seed: Number(values.seed), nodeArgs, onStarted, say: () => {} };
  try {
    const { findings } = await campaign({ ...options, faults });
    return findings.first[0];
  } catch (error) {
    // The cluster did not come so far that it could be examined.
    const lines = (error as Error).message.split("\n");
    return lines.findLast((line) => /"level":"fatal"|^pricetime: |Error: /.test(line)) ?? lines[0];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function failing(bug: Bug, files: readonly string[]): string | undefined {
  const args = ["--disable-warning=ExperimentalWarning", ...planting(bug), "--test", "--test-reporter=tap", ...files];
  const { status, stdout } = spawnSync(process.execPath, args, {
    ...{ cwd: ROOT, encoding: "utf8", timeout: TESTS_WITHIN_MS },
    // What tests start has the bug too.
    env: { ...process.env, NODE_OPTIONS: planting(bug).join(" ") },
  });
  if (status === 0) return undefined;
  return /^\s*not ok .*$/m.exec(stdout)?.[0].trim() ?? `the tests ended with ${status}`;
}

let missed = 0;
for (const bug of BUGS.filter(({ name }) => name.includes(values.only))) {
  const beganMs = performance.now();
  const said = await hunt(bug);
  if (said === undefined) missed++;
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
  const how = "tests" in bug.foundBy ? bug.foundBy.tests.join(", ") : "campaign";
  console.log(`| ${bug.name} | ${how}, ${seconds} s | ${said?.replaceAll(/\s+/g, " ").slice(0, 160) ?? "NOT FOUND"} |`);
}
process.exitCode = missed > 0 ? 1 : 0;
