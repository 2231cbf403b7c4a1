import assert from "node:assert/strict";
import { test } from "node:test";
import { aheadMs } from "../../src/cluster/peers.ts";

const others = (...clocks: number[]) => clocks.map((clockMs) => ({ clockMs, readMs: 500 }));

test("a clock is compared with the median of the others, adjusted for the time since they were read", () => {
  assert.equal(aheadMs(10_000, 700, []), 0);
  assert.equal(aheadMs(10_000, 700, others(9_000)), 800);
  assert.equal(aheadMs(10_000, 700, others(9_700, 9_900, 99_000)), -100);
  assert.equal(aheadMs(10_000, 700, others(9_600, 9_500, 3)), 300);
});

test("of three nodes, one that is far behind or ahead does not make the others look wrong", () => {
  assert.equal(aheadMs(10_000, 500, others(10_000, 10)), 0);
  assert.ok(aheadMs(10_000, 500, others(10_000, 90_000)) < 0);
});
