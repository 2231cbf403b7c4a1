import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, decimal, formatShort } from "../../src/exact/decimal.ts";
import type { Print } from "../../src/market/port.ts";
import { largeAbove } from "../../src/market/tape.ts";

const tape = (quantities: readonly number[]): Print[] =>
  quantities.map((quantity) => ({ quantity: String(quantity) }) as Print);

function marked(prints: readonly Print[]): string[] {
  const large = largeAbove(prints);
  if (large === null) return [];
  return prints
    .map(({ quantity }) => decimal(quantity))
    .filter((one) => compare(one, large) > 0)
    .map(formatShort);
}

test("the largest of forty trades are marked", () => {
  const rising = Array.from({ length: 200 }, (_, at) => at + 1);
  assert.deepEqual(marked(tape(rising)), ["196", "197", "198", "199", "200"]);
});

test("marks stay rare if half of all trades are many times the median, or many are as large as the largest", () => {
  const split = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? 0.01 : 5 + at / 1000));
  assert.equal(marked(tape(split)).length, 5);
  assert.deepEqual(marked(tape(Array.from({ length: 200 }, (_, at) => (at % 3 === 0 ? 2 : 1)))), []);
});

test("none of a few trades is marked", () => {
  assert.equal(largeAbove(tape(Array<number>(39).fill(1))), null);
});
