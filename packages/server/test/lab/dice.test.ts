import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededDice } from "../../src/lab/dice.ts";
import { KeptUnreadable } from "../../src/platform/world/read-kept.ts";

test("the same seed gives the same bytes, on any machine", () => {
  // Any change here changes every journal that a seed stands for.
  assert.equal(new SeededDice(1).randomBytes(16).toString("hex"), "e861bc0b2977af5ca0fb47fec28a5669");
  assert.notDeepEqual(new SeededDice(2).randomBytes(16), new SeededDice(1).randomBytes(16));
});

test("dice made from what others kept go on where those were", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), fc.nat(100), (draws, next) => {
      const dice = new SeededDice(7);
      for (const count of draws) dice.randomBytes(count);
      const others = new SeededDice(7, dice.kept());
      assert.deepEqual(others.randomBytes(next), dice.randomBytes(next));
      assert.deepEqual(others.kept(), dice.kept());
    }),
  );
});

test("a lab that is started again draws other bytes, the same each time", () => {
  const drawn = [0, 5, 5, 6].map((seq) => {
    const dice = new SeededDice(1);
    dice.randomBytes(3);
    dice.beginAfter(seq);
    return dice.randomBytes(8).toString("hex");
  });
  assert.equal(new Set(drawn).size, 3);
  assert.equal(drawn[1], drawn[2]);
});

test("what is no place in them is refused", () => {
  for (const kept of [3, "3", null, [1], { sinceSeq: 1, drawnBytes: -1 }, { sinceSeq: 0.5, drawnBytes: 0 }]) {
    assert.throws(() => new SeededDice(1, kept), KeptUnreadable);
  }
});
