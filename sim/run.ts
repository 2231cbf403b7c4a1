/** `npm run sim -- --seeds N --from S`, or `--minutes M`; `--length` steps a seed. See README.md. */
import { parseArgs } from "node:util";
import { addCounts, newCounts } from "./counts.ts";
import { simulate } from "./simulation.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    length: { type: "string", default: "400" },
    minutes: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const counts = newCounts();
const [from, length] = [Number(values.from), Number(values.length)];
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const startMs = performance.now();
const isEnough = (seed: number): boolean =>
  minutes === undefined ? seed >= from + Number(values.seeds) : performance.now() - startMs > minutes * 60_000;

let failures = 0;
let seed = from;
for (; !isEnough(seed) && failures < 5; seed++) {
  const result = await simulate({ seed, length });
  addCounts(counts, result.counts);
  if (values.show) console.log(result.lines.join("\n"));
  if (result.violation === undefined) continue;
  failures++;
  console.log(`seed ${seed}: ${result.violation}`);
}
console.log(`${seed - from} seeds, ${((performance.now() - startMs) / 1000).toFixed(1)} s`, counts);
process.exitCode = failures > 0 ? 1 : 0;
