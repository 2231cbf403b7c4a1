/** `npm run sim:mutants`: which planted bugs are found, by which seed, and the auditor's message for each. */
import { CLUSTER_BUGS, huntInCluster } from "./mutations/cluster-bugs.ts";
import { type Hunt, hunt, knownSeed, MUTATIONS } from "./mutations/list.ts";

let missed = 0;

function tell(name: string, { seed, violation }: Hunt): void {
  if (seed === undefined) missed++;
  const shown = violation?.replaceAll(/\s+/g, " ").slice(0, 150) ?? "NOT FOUND";
  console.log(`| ${name} | ${seed ?? "-"} | ${shown} |`);
}

for (const mutation of MUTATIONS) tell(mutation.name, await hunt(mutation));
for (const mutation of CLUSTER_BUGS) tell(mutation.name, await huntInCluster(mutation, knownSeed(mutation)));
process.exitCode = missed > 0 ? 1 : 0;
