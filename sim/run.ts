/**
 * `npm run sim -- --seeds N --from S`, or `--minutes M`; `--length` is the number of steps per seed. With `--nodes N`,
 * 2 to 4 nodes share one log; without it, most seeds simulate a single node and some a cluster. A failing run is
 * shortened and stored in `sim/kept`, where the tests run it from then on. See docs/internals/simulator.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { simulateCluster } from "./cluster/simulation.ts";
import type { ClusterStep } from "./cluster/step.ts";
import { addCounts, newClusterCounts, newCounts } from "./counts.ts";
import { nodesOf } from "./mutations/cluster-bugs.ts";
import { kindOf, shrink } from "./plan/shrink.ts";
import { type RunResult, type Step, toJson } from "./plan/step.ts";
import { simulate } from "./simulation.ts";

const SHRINK_BUDGET_MS = 60_000;
const MOST_FAILURES = 3;
/** If the run names no number of nodes, one seed in so many simulates a cluster. */
const CLUSTER_EVERY = 4;
const STORED_RUNS = join(import.meta.dirname, "kept");

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    length: { type: "string", default: "400" },
    minutes: { type: "string" },
    nodes: { type: "string" },
    /** Prints everything that happens. */
    show: { type: "boolean", default: false },
  },
});
const [from, length] = [Number(values.from), Number(values.length)];
const endMs = values.minutes === undefined ? undefined : performance.now() + Number(values.minutes) * 60_000;

/** A run that can be repeated with fewer steps. */
interface Run<S> {
  readonly result: Pick<RunResult<S, unknown>, "violation" | "steps" | "lines">;
  readonly again: (steps: readonly S[]) => Promise<{ readonly violation: string | undefined }>;
  readonly savedAs: string;
}

async function runAlone(seed: number): Promise<Run<Step>> {
  const result = await simulate({ seed, length });
  addCounts(counts, result.counts);
  return { result, again: (steps) => simulate({ seed, length, steps }), savedAs: join(STORED_RUNS, `${seed}.json`) };
}

async function runCluster(seed: number, nodes: number): Promise<Run<ClusterStep>> {
  const result = await simulateCluster({ seed, nodes, length });
  addCounts(clusterCounts, result.counts);
  const again: Run<ClusterStep>["again"] = (steps) => simulateCluster({ seed, nodes, length, steps });
  return { result, again, savedAs: join(STORED_RUNS, "cluster", `${seed}-of-${nodes}.json`) };
}

/** Returns whether the run had no violation. */
async function isSound<S extends object>(seed: number, { result, again, savedAs }: Run<S>): Promise<boolean> {
  const { violation, steps, lines } = result;
  if (values.show) console.log(lines.join("\n"));
  if (violation === undefined) return true;
  console.log(`seed ${seed}: ${violation}\nshortening...`);
  const violationOf = async (shorter: readonly S[]): Promise<string | undefined> => (await again(shorter)).violation;
  const short = await shrink(steps, violationOf, kindOf(violation), SHRINK_BUDGET_MS);
  mkdirSync(dirname(savedAs), { recursive: true });
  writeFileSync(savedAs, toJson(short));
  console.log(
    `${await violationOf(short)}\n${short.length} of ${steps.length} steps remain:\n${toJson(short)}saved as ${savedAs}`,
  );
  return false;
}

const counts = newCounts();
const clusterCounts = newClusterCounts();
const startMs = performance.now();
let failures = 0;
let seed = from;
const goesOn = (): boolean =>
  failures < MOST_FAILURES && (endMs === undefined ? seed < from + Number(values.seeds) : performance.now() < endMs);
for (; goesOn(); seed++) {
  if (values.nodes === undefined && !(await isSound(seed, await runAlone(seed)))) failures++;
  if (values.nodes === undefined && seed % CLUSTER_EVERY !== 0) continue;
  const nodes = values.nodes === undefined ? nodesOf(seed) : Number(values.nodes);
  if (!(await isSound(seed, await runCluster(seed, nodes)))) failures++;
}
const seconds = (performance.now() - startMs) / 1000;
const hours = (counts.virtualMs + clusterCounts.virtualMs) / 3_600_000;
console.log(
  `seeds ${from} to ${seed - 1}, ${failures} failed; ${hours.toFixed(1)} simulated hours in ${seconds.toFixed(0)} s`,
);
const shown = values.nodes === undefined ? [counts, clusterCounts] : [clusterCounts];
for (const all of shown) for (const [name, count] of Object.entries(all)) console.log(`  ${name} ${count}`);
process.exitCode = failures > 0 ? 1 : 0;
