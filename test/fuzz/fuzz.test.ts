/** A moment of what `npm run fuzz` does for hours; fuzz.campaign.ts has a few minutes of it, the real program included. */
import { test } from "node:test";
import { LANES } from "./lanes.ts";
import { PURE } from "./pure.ts";
import { run, SEED } from "./target.ts";

const SHARE = 0.05;

for (const target of [...PURE, LANES]) {
  const executions = Math.ceil(target.inCi * SHARE);
  test(`${executions} of ${target.name}, from seed ${SEED}`, { timeout: 60_000 }, async () => {
    await run(target, SEED, (done) => done >= executions);
  });
}
