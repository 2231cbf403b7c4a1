/** What a worked order of BTCUSDT does to its price grows like the square root of its size, as on real markets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isJudged, outside } from "../../bench/demo-market/figures.ts";
import { impactFigures, type WorkedImpact, workedImpact } from "../../bench/demo-market/impact.ts";

const ORDERS = 4;

test("orders of BTCUSDT worked up to a tenth of an hour's volume: the impact's growth lies within its band, for those who buy and those who sell", async (t) => {
  const orders: WorkedImpact[] = [];
  for (let seed = 1; seed <= ORDERS; seed++) orders.push(await workedImpact(seed));
  for (const side of [0, 1]) {
    const figures = impactFigures(orders.filter((_, index) => index % 2 === side));
    t.diagnostic(figures.map(({ name, value }) => `${name}: ${value.toFixed(3)}`).join("; "));
    assert.deepEqual(outside(figures), []);
    assert.equal(figures.filter(isJudged).length, 3);
  }
  // Not only on average.
  for (const { moves, taken } of orders) {
    assert.deepEqual(
      moves,
      moves.toSorted((a, b) => a - b),
    );
    assert.ok(
      (moves[0] ?? 0) > 0 && (taken[2] ?? 0) > 90 * (taken[0] ?? 0),
      `${moves.join(" ")} of ${taken.join(" ")}`,
    );
  }
});
