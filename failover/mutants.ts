/** `npm run cluster:mutants [-- --only WORD]`: which planted bugs are found, and how. Exit code 1 if one is not. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { campaign } from "./campaign.ts";
import { endOnSignals } from "./end-on-signals.ts";
import { FAULTS } from "./faults/schedule.ts";
import type { Bug, CampaignHunt } from "./mutations/bug.ts";
import { BUGS } from "./mutations/bugs.ts";
import { failingTest, planting } from "./mutations/failing-test.ts";

endOnSignals();
const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, seed: { type: "string", default: "1" } },
});

/** Returns the finding; undefined if the bug was not found. */
async function found(bug: Bug, hunt: CampaignHunt): Promise<string | undefined> {
  const faults = FAULTS.filter(({ name }) => hunt.faults.some((start) => name.startsWith(start)));
  const folder = temporaryFolder();
  const wakes = join(folder, "awake");
  const nodeArgs = planting(bug.name, wakes);
  const onStarted = (): void => writeFileSync(wakes, "");
  const options = { seconds: hunt.seconds, seed: Number(values.seed), nodeArgs, onStarted, say: () => {} };
  try {
    const { findings } = await campaign({ ...options, faults });
    return mostTelling(findings.first);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A node that does not serve is the least specific finding. */
function mostTelling(findings: readonly string[]): string | undefined {
  return findings.find((each) => !each.startsWith("service: no service")) ?? findings[0];
}

let missed = 0;
for (const bug of BUGS.filter(({ name }) => name.includes(values.only))) {
  for (const hunt of bug.foundBy) {
    const beganMs = performance.now();
    const said = "test" in hunt ? failingTest(hunt, bug.name) : await found(bug, hunt);
    if (said === undefined) missed++;
    const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
    const how = "test" in hunt ? hunt.in : "campaign";
    console.log(
      `| ${bug.name} | ${how}, ${seconds} s | ${said?.replaceAll(/\s+/g, " ").slice(0, 160) ?? "NOT FOUND"} |`,
    );
  }
}
process.exitCode = missed > 0 ? 1 : 0;
