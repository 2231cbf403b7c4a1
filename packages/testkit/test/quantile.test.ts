import assert from "node:assert/strict";
import { test } from "node:test";
import { median, quantile } from "@pricetime/testkit/quantile";

test("the nearest rank, in any order", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2);
  assert.equal(quantile([3, 1, 2], 1), 3);
  assert.equal(quantile([3, 1, 2], 0), 1);
  assert.equal(quantile([], 0.5), Number.NaN);
});
