/**
 * Two engines in one process: `engines-process.ts <checkout> <flow> <symbols> <1: the other goes first>`. Both take the
 * same flow in slices by turns; prints the median slice's time of this checkout's engine divided by the other's.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "@pricetime/testkit/quantile";
import { type Contestant, ENGINE } from "../engine/contestants.ts";
import { type FlowName, makeFlow } from "../engine/flow.ts";

const SEED = 1;
const SLICE = 1000;
const WARM_UP_SLICES = 150;
const SLICES = 600;

const [checkout, flowName, symbols, otherFirst] = process.argv.slice(2);
const file = join(checkout as string, "bench/engine/contestants.ts");
const other: { readonly ENGINE: Contestant } = await import(pathToFileURL(file).href);

const flow = makeFlow(flowName as FlowName, Number(symbols), SEED, SLICES * SLICE);
const contestants = otherFirst === "1" ? [other.ENGINE, ENGINE] : [ENGINE, other.ENGINE];
const runs = contestants.map((each) => each.load(flow));
const times: number[][] = runs.map(() => []);
for (let slice = 0; slice < SLICES; slice++) {
  for (let turn = 0; turn < runs.length; turn++) {
    const which = (slice + turn) % runs.length;
    const run = runs[which];
    assert.ok(run);
    const started = performance.now();
    for (let i = slice * SLICE; i < (slice + 1) * SLICE; i++) run.step(i);
    if (slice >= WARM_UP_SLICES) times[which]?.push(performance.now() - started);
  }
}
const [mine, theirs] = otherFirst === "1" ? [1, 0] : [0, 1];
assert.deepEqual(runs[mine]?.outcome(), runs[theirs]?.outcome(), "the engines did the same");
console.log(median(times[mine] ?? []) / median(times[theirs] ?? []));
