/** `npm run sim:mutants`: which planted bugs are found, by which seed, and what the auditor says of each. */
import { hunt, MUTATIONS } from "./mutations/list.ts";

let missed = 0;
for (const mutation of MUTATIONS) {
  const { seed, violation } = await hunt(mutation);
  if (seed === undefined) missed++;
  const said = violation?.replaceAll(/\s+/g, " ").slice(0, 150) ?? "NOT FOUND";
  console.log(`| ${mutation.name} | ${seed ?? "-"} | ${said} |`);
}
process.exitCode = missed > 0 ? 1 : 0;
