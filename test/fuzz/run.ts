/** `npm run fuzz -- --minutes M`; `--target NAME` for one, `--seed S` to begin elsewhere or to see a failure again. */
import { parseArgs } from "node:util";
import { LANES } from "./lanes.ts";
import { LIVE } from "./live.ts";
import { PURE } from "./pure.ts";
import { run } from "./target.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    target: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const targets = [...PURE, LANES, ...LIVE].filter(({ name }) => values.target === undefined || name === values.target);
const shareMs = (Number(values.minutes) * 60_000) / targets.length;
console.log(`seed ${values.seed}`);
for (const target of targets) {
  const endMs = performance.now() + shareMs;
  try {
    const executions = await run(target, Number(values.seed), () => performance.now() >= endMs);
    console.log(`${target.name}: ${executions} executions, nothing found`);
  } catch (error) {
    process.exitCode = 1;
    console.log((error as Error).message);
  }
}
