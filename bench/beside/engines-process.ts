/**
 * Two engines in one process: `engines-process.ts <checkout> <flow> <symbols> <1: the other goes first> [slices]`. Both
 * run the same flow in alternating slices, the first quarter as warm-up; prints the ratio of the median slice times,
 * this checkout's engine divided by the other's.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "@pricetime/testkit/quantile";
import { type Contestant, ENGINE } from "../engine/contestants.ts";
import { type FlowName, makeFlow } from "../engine/flow.ts";

const SEED = 1;
const SLICE = 1000;
const SLICES = 600;

const [checkout, flowName, symbols, otherFirst, asked] = process.argv.slice(2);
const slices = Number(asked ?? SLICES);
const warmUpSlices = Math.floor(slices / 4);
const file = join(checkout as string, "bench/engine/contestants.ts");
const other: { readonly ENGINE: Contestant } = await import(pathToFileURL(file).href);

const flow = makeFlow(flowName as FlowName, Number(symbols), SEED, slices * SLICE);
const contestants = otherFirst === "1" ? [other.ENGINE, ENGINE] : [ENGINE, other.ENGINE];
const runs = contestants.map((each) => each.load(flow));
const times: number[][] = runs.map(() => []);
for (let slice = 0; slice < slices; slice++) {
  for (let turn = 0; turn < runs.length; turn++) {
    const which = (slice + turn) % runs.length;
    const run = runs[which];
    assert.ok(run);
    const started = performance.now();
    for (let i = slice * SLICE; i < (slice + 1) * SLICE; i++) run.step(i);
    if (slice >= warmUpSlices) times[which]?.push(performance.now() - started);
  }
}
const [mine, theirs] = otherFirst === "1" ? [1, 0] : [0, 1];
assert.deepEqual(runs[mine]?.outcome(), runs[theirs]?.outcome(), "the engines did the same");
console.log(median(times[mine] ?? []) / median(times[theirs] ?? []));
