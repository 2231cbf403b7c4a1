import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../src/lab/seeded-random.ts";
import { SavedParts } from "../../src/platform/world/saved-state.ts";
import { NOTHING_SAVED } from "../../src/platform/world/port.ts";
import { restoring } from "../platform/world/goes-on.ts";

test("the same seed gives the same bytes, on any machine", () => {
  // Any change here changes the journals of all seeds.
  assert.equal(new SeededRandom(1, NOTHING_SAVED).randomBytes(16).toString("hex"), "e861bc0b2977af5ca0fb47fec28a5669");
  assert.notDeepEqual(
    new SeededRandom(2, NOTHING_SAVED).randomBytes(16),
    new SeededRandom(1, NOTHING_SAVED).randomBytes(16),
  );
});

test("a random source that is created from saved state goes on", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), fc.nat(100), (draws, next) => {
      const saved = new SavedParts();
      const dice = new SeededRandom(7, saved);
      for (const count of draws) dice.randomBytes(count);
      const others = new SeededRandom(7, restoring(saved.save()));
      assert.deepEqual(others.randomBytes(next), dice.randomBytes(next));
      assert.deepEqual(others.state, dice.state);
    }),
  );
});

test("a lab that is started again draws other bytes, the same each time", () => {
  const drawn = [0, 5, 5, 6].map((seq) => {
    const dice = new SeededRandom(1, NOTHING_SAVED);
    dice.randomBytes(3);
    dice.beginAfter(seq);
    return dice.randomBytes(8).toString("hex");
  });
  assert.equal(new Set(drawn).size, 3);
  assert.equal(drawn[1], drawn[2]);
});
