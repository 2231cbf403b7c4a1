/**
 * `npm run sim -- --seeds N --from S`, or `--minutes M`; `--length` steps a seed. A failing seed is cut down and
 * kept in `sim/kept`, where the tests run it ever after. See docs/internals/simulator.md.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addCounts, newCounts } from "./counts.ts";
import { kindOf, shrink } from "./plan/shrink.ts";
import { toJson } from "./plan/step.ts";
import { type RunResult, simulate } from "./simulation.ts";

const SHRINK_BUDGET_MS = 60_000;
const MOST_FAILURES = 3;
const KEPT = join(import.meta.dirname, "kept");

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    length: { type: "string", default: "400" },
    minutes: { type: "string" },
    /** Prints all that happens. */
    show: { type: "boolean", default: false },
  },
});
const [from, length] = [Number(values.from), Number(values.length)];
const endMs = values.minutes === undefined ? undefined : performance.now() + Number(values.minutes) * 60_000;

async function keepShort(seed: number, { steps, violation = "" }: RunResult): Promise<void> {
  console.log(`seed ${seed}: ${violation}\nmaking it short...`);
  const violationOf = async (shorter: RunResult["steps"]): Promise<string | undefined> =>
    (await simulate({ seed, length, steps: shorter })).violation;
  const short = await shrink(steps, violationOf, kindOf(violation), SHRINK_BUDGET_MS);
  const path = join(KEPT, `${seed}.json`);
  writeFileSync(path, toJson(short));
  console.log(
    `${await violationOf(short)}\n${short.length} of ${steps.length} steps are left:\n${toJson(short)}kept as ${path}`,
  );
}

const counts = newCounts();
const startMs = performance.now();
let failures = 0;
let seed = from;
const goesOn = (): boolean =>
  failures < MOST_FAILURES && (endMs === undefined ? seed < from + Number(values.seeds) : performance.now() < endMs);
for (; goesOn(); seed++) {
  const result = await simulate({ seed, length });
  addCounts(counts, result.counts);
  if (values.show) console.log(result.lines.join("\n"));
  if (result.violation === undefined) continue;
  failures++;
  await keepShort(seed, result);
}
const seconds = (performance.now() - startMs) / 1000;
const hours = counts.virtualMs / 3_600_000;
console.log(
  `seeds ${from} to ${seed - 1}, ${failures} failed; ${hours.toFixed(1)} simulated hours in ${seconds.toFixed(0)} s`,
);
for (const [name, count] of Object.entries(counts)) console.log(`  ${name} ${count}`);
process.exitCode = failures > 0 ? 1 : 0;
