import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { bigOf } from "../src/numbers.ts";

test("arithmetic of safe integers equals that of big integers", () => {
  const dice = new Dice(1);
  const edges = [0, 2 ** 31, 2 ** 32, 2 ** 33, Number.MAX_SAFE_INTEGER].flatMap((edge) => [edge - 1, edge, edge + 1]);
  const others = Array.from({ length: 10_000 }, () => Math.floor(2 ** (53 * dice.next())));
  for (const value of [...edges, ...others]) {
    if (value >= 0 && Number.isSafeInteger(value)) assert.equal(bigOf(value), BigInt(value));
  }
});
