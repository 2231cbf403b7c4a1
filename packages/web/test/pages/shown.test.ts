/** Amounts as pages show them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { carried } from "../../src/pages/format.ts";

const TABLE: readonly (readonly [amount: string, step: string | undefined, shown: string])[] = [
  ["500.50000000", "0.01", "500.50"],
  ["500.50000000", "0.01000000", "500.50"],
  ["500.50000001", "0.01", "500.50000001"],
  ["499", "0.01", "499.00"],
  ["500.00000000", "1", "500"],
  ["500.00000000", undefined, "500.00000000"],
  ["", "0.01", ""],
];

for (const [amount, step, shown] of TABLE) {
  test(`${amount} on a step of ${step} is ${shown}`, () => assert.equal(carried(amount, step), shown));
}
