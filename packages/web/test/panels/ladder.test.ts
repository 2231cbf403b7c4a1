import assert from "node:assert/strict";
import { test } from "node:test";
import { changedPrices, groupingSteps, rungPrice, rungsOf } from "../../src/panels/book-side.ts";

const ASKS = [
  { price: 1001, quantity: 1 },
  { price: 1005, quantity: 2 },
  { price: 1010, quantity: 4 },
  { price: 1011, quantity: 8 },
];
const BIDS = [
  { price: 999, quantity: 1 },
  { price: 991, quantity: 2 },
  { price: 990, quantity: 4 },
  { price: 989, quantity: 8 },
];

test("asks are rounded up and bids down, so that no price looks better than it is", () => {
  const prices = (side: "bids" | "asks"): number[][] =>
    rungsOf(side === "bids" ? BIDS : ASKS, side, 10, 9).map(({ price, quantity, total }) => [price, quantity, total]);
  assert.deepEqual(prices("asks"), [
    [1010, 7, 7],
    [1020, 8, 15],
  ]);
  assert.deepEqual(prices("bids"), [
    [990, 7, 7],
    [980, 8, 15],
  ]);
  assert.equal(rungPrice(1000, 10, "asks"), 1000);
});

test("there are no more rows than requested, and each is complete", () => {
  assert.deepEqual(
    rungsOf(ASKS, "asks", 10, 1).map(({ quantity }) => quantity),
    [7],
  );
  assert.equal(rungsOf(ASKS, "asks", 1, 3).length, 3);
  assert.deepEqual(rungsOf([], "asks", 1, 3), []);
});

test("the value of a row is that of its levels, not of its price", () => {
  const [first, second] = rungsOf(ASKS, "asks", 10, 2);
  assert.equal(first?.value, 1001n + 2010n + 4040n);
  assert.equal(second?.totalValue, 1001n + 2010n + 4040n + 8088n);
});

test("grouping steps end where a row would span a large part of the price", () => {
  assert.deepEqual(groupingSteps(1, 5_000_000), [1, 10, 100, 1000, 10_000, 100_000]);
  assert.deepEqual(groupingSteps(1, 300), [1, 10]);
});

test("a changed level is found by its price, also if another one was inserted before it", () => {
  const before = new Map(BIDS.map(({ price, quantity }) => [price, quantity]));
  const now = [
    { price: 1000, quantity: 9 },
    ...BIDS.map((level) => (level.price === 990 ? { price: 990, quantity: 5 } : level)),
  ];
  assert.deepEqual([...changedPrices(before, rungsOf(now, "bids", 1, 4), "bids")], [1000, 990]);
});

test("a level that only came into view has not changed, and neither has any level of the first drawing", () => {
  const before = new Map(ASKS.slice(0, 3).map(({ price, quantity }) => [price, quantity]));
  assert.deepEqual([...changedPrices(before, rungsOf(ASKS.slice(1), "asks", 1, 3), "asks")], []);
  assert.deepEqual([...changedPrices(new Map(), rungsOf(ASKS, "asks", 1, 3), "asks")], []);
});

test("if the price has moved past most levels, none is marked as changed", () => {
  const before = new Map(BIDS.map(({ price, quantity }) => [price, quantity]));
  const moved = [1003, 1002, 1001].map((price) => ({ price, quantity: 1 }));
  assert.deepEqual([...changedPrices(before, rungsOf([...moved, ...BIDS], "bids", 1, 4), "bids")], []);
});
