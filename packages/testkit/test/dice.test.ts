import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";

test("a seed always gives the same numbers: those of mulberry32", () => {
  const dice = new Dice(1);
  const thrown = Array.from({ length: 4 }, () => dice.next() * 2 ** 32);
  assert.deepEqual(thrown, [2693262067, 11749833, 2265367787, 4213581821]);
});

test("every method uses one number and stays within its bounds", () => {
  for (let seed = 0; seed < 500; seed++) {
    const [dice, plain] = [new Dice(seed), new Dice(seed)];
    assert.equal(dice.below(6), Math.floor(plain.next() * 6));
    assert.equal(dice.between(-2, 3), Math.floor(plain.next() * 6) - 2);
    assert.equal(dice.oneIn(3), Math.floor(plain.next() * 3) === 0);
    assert.equal(dice.pick("abcdef".split("")), "abcdef"[Math.floor(plain.next() * 6)]);
    const weighted = dice.weighted([
      [1, "rare"],
      [0, "never"],
      [5, "often"],
    ]);
    assert.equal(weighted, Math.floor(plain.next() * 6) === 0 ? "rare" : "often");
  }
});
