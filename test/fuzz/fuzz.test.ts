/** A short while of what `npm run fuzz` does for hours. */
import { test } from "node:test";
import { LANES } from "./lanes.ts";
import { LIVE } from "./live.ts";
import { PURE } from "./pure.ts";
import { run } from "./target.ts";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20191021);

for (const target of [...PURE, LANES, ...LIVE]) {
  test(`${target.inCi} of ${target.name}, from seed ${SEED}`, { timeout: 240_000 }, async () => {
    await run(target, SEED, (executions) => executions >= target.inCi);
  });
}
