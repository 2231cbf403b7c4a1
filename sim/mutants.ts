/**
 * `npm run sim:mutants`: which planted bugs are found, by which seed, and the auditor's message for each. `--renew` begins
 * with the known seeds, and stores the seeds that find the bugs. `--part 1/2` looks for every second bug.
 */
import { parseArgs } from "node:util";
import { CLUSTER_BUGS, huntInCluster } from "./mutations/cluster-bugs.ts";
import { type Hunt, hunt, knownSeed, learnSeed, MUTATIONS } from "./mutations/list.ts";

const { values } = parseArgs({
  options: { renew: { type: "boolean", default: false }, part: { type: "string", default: "1/1" } },
});
const [part, parts] = values.part.split("/").map(Number) as [number, number];
const mine = (_bug: unknown, at: number): boolean => at % parts === part - 1;
let missed = 0;

function tell(name: string, { seed, violation }: Hunt): void {
  if (seed === undefined) missed++;
  const shown = violation?.replaceAll(/\s+/g, " ").slice(0, 150) ?? "NOT FOUND";
  console.log(`| ${name} | ${seed ?? "-"} | ${shown} |`);
}

for (const mutation of MUTATIONS.filter(mine)) {
  const found = await hunt(mutation, values.renew ? knownSeed(mutation) : 1);
  tell(mutation.name, found);
  if (values.renew && found.seed !== undefined) learnSeed(mutation, found.seed, "oneNode");
}
for (const mutation of CLUSTER_BUGS.filter(mine)) {
  const found = await huntInCluster(mutation, knownSeed(mutation, "cluster"));
  tell(mutation.name, found);
  if (values.renew && found.seed !== undefined) learnSeed(mutation, found.seed, "cluster");
}
process.exitCode = missed > 0 ? 1 : 0;
