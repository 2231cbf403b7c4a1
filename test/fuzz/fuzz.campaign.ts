/** A short while of what `npm run fuzz` does for hours: every reader of bytes, and the real program by all its doors. */
import { test } from "node:test";
import { LANES } from "./lanes.ts";
import { LIVE } from "./live.ts";
import { PURE } from "./pure.ts";
import { run, SEED } from "./target.ts";

for (const target of [...PURE, LANES, ...LIVE]) {
  test(`${target.inCi} of ${target.name}, from seed ${SEED}`, { timeout: 240_000 }, async () => {
    await run(target, SEED, (executions) => executions >= target.inCi);
  });
}
