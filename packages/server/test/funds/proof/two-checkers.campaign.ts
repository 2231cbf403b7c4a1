/** Like the test of this name, with many bits. */
import { test } from "node:test";
import { checkFlips, skip } from "./two-checkers.ts";

const SEEDS = 5;
const FLIPS = 200;

for (let seed = 100; seed < 100 + SEEDS; seed++) {
  test(`${FLIPS} bits turned over, seed ${seed}`, { skip }, () => checkFlips(seed, FLIPS));
}
