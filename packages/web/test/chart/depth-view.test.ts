import assert from "node:assert/strict";
import { test } from "node:test";
import { depthAt, depthView, roundStep } from "../../src/chart/depth-drawing.ts";

const levels = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([price, quantity]) => ({ price, quantity }));
const BIDS = levels([9990, 5], [9980, 10], [9900, 100]);
const ASKS = levels([10010, 4], [10020, 6], [10100, 50], [20000, 900]);

test("each price has the cumulative quantity up to it, as far as both sides reach", () => {
  const view = depthView({ bids: BIDS, asks: ASKS }, 1);
  assert.ok(view !== null);
  assert.equal(view.mid, 10_000);
  assert.deepEqual([view.lowPrice, view.highPrice], [9900, 10_100]);
  assert.deepEqual(
    view.bids.map(({ total }) => total),
    [5, 15, 115],
  );
  assert.deepEqual(
    view.asks.map(({ total }) => total),
    [4, 10, 60],
  );
});

test("a large order at the edge does not flatten the levels near the mid price", () => {
  const even = levels([9990, 5], [9975, 5], [9950, 5], [9925, 5], [9900, 5]);
  const asks = levels([10_010, 5], [10_025, 5], [10_050, 5], [10_075, 5], [10_100, 5]);
  assert.equal(depthView({ bids: even, asks }, 1)?.topTotal, 25, "an even book is drawn as a whole");
  const walled = [...asks.slice(0, -1), { price: 10_100, quantity: 100_000 }];
  assert.equal(depthView({ bids: even, asks: walled }, 1)?.topTotal, 15 / 0.4);
  assert.equal(depthView({ bids: levels([9900, 7]), asks: levels([10_100, 9]) }, 1)?.topTotal, 9);
});

test("a zoom shows a smaller range that always contains the best levels", () => {
  assert.deepEqual(
    depthView({ bids: BIDS, asks: ASKS }, 8)?.bids.map(({ price }) => price),
    [9990, 9980],
  );
  const closest = depthView({ bids: BIDS, asks: ASKS }, 1e9);
  assert.deepEqual([closest?.bids.length, closest?.asks.length], [1, 1]);
});

test("a book with an empty side has no middle price", () => {
  assert.equal(depthView({ bids: BIDS, asks: [] }, 1), null);
  assert.equal(depthView({ bids: [], asks: ASKS }, 1), null);
});

test("the value at a price is that of the last level before it", () => {
  const view = depthView({ bids: BIDS, asks: ASKS }, 1);
  assert.ok(view !== null);
  assert.deepEqual(depthAt(view, 9985), { side: "bid", price: 9990, total: 5 });
  assert.deepEqual(depthAt(view, 9980), { side: "bid", price: 9980, total: 15 });
  assert.deepEqual(depthAt(view, 10_099), { side: "ask", price: 10_020, total: 10 });
  assert.equal(depthAt(view, 10_005), null);
  assert.equal(depthAt(view, 9995), null);
});

test("axes have round steps, and no more marks than fit", () => {
  for (const [span, marks] of [
    [100, 7],
    [0.3, 4],
    [12_345, 9],
    [1, 1],
  ] as const) {
    const step = roundStep(span, marks);
    assert.ok(span / step <= marks, `${span} by ${step}`);
    assert.ok([1, 2, 5].some((lead) => Math.abs(Math.log10(step / lead) - Math.round(Math.log10(step / lead))) < 1e-9));
  }
});
