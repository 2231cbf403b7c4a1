/** This checkout beside itself: `npm run bench -- beside` runs, and tells ratios of what both have done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { type Effort, run } from "../../bench/beside/beside.ts";

const LITTLE: Effort = {
  flows: [
    ["making", 1],
    ["mixed", 500],
  ],
  slices: 4,
  counts: [[2, 20]],
};

test("a short run beside itself gives a ratio of each flow and of the order path", async () => {
  const lines = await run({ rounds: 2, checkout: ROOT }, LITTLE);
  const rows = lines.filter((line) => /^\| (?:making|mixed|2 )/.test(line)).map((line) => line.split(" | "));
  assert.deepEqual(
    rows.map(([name, count]) => `${name}: ${count}`),
    // Two pairs of engines; a pair of nodes is never asked for fewer than three rounds.
    ["| making, 1 symbol: 2", "| mixed, 500 symbols: 2", "| 2: 3"],
    lines.join("\n"),
  );
  for (const [name, , ...ratios] of rows) {
    const [least = 0, median = 0, most = 0] = ratios.map((text) => Number.parseFloat(text));
    // How large they are depends on what else the machine does.
    assert.ok(0 < least && least <= median && median <= most && most < Infinity, `${name}: ${ratios.join(" ")}`);
  }
  const [only, ...more] = (await run({ rounds: 1, checkout: ROOT, flow: "making" }, LITTLE)).filter((line) =>
    /^\| (?:m|2 )/.test(line),
  );
  assert.match(only ?? "", /^\| making, 1 symbol \| 1 \|/);
  assert.deepEqual(more, [], "one flow alone");
});

test("it says what it needs where it has no other checkout", async () => {
  await assert.rejects(run({}, LITTLE), /--checkout FOLDER/);
  await assert.rejects(run({ checkout: temporaryFolder() }, LITTLE), /holds no benchmarks/);
});
