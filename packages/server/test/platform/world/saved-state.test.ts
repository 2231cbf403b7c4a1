/** The registry of a lab's saved state: which part gets which state, and rejections. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { SavedParts } from "../../../src/platform/world/saved-state.ts";
import type { SavedState } from "../../../src/platform/world/port.ts";

const SAVED = z.strictObject({ count: z.int().min(0) });

/** A part whose state is a number; with `outlasts`, a restore does not recreate it. */
class Counter {
  count: number;

  constructor(saved: SavedState, name: string, outlasts = false) {
    const takeBack = (state: { count: number }): void => void (this.count = state.count);
    const restored = saved.restore(name, SAVED, () => ({ count: this.count }), outlasts ? takeBack : undefined);
    this.count = restored?.count ?? 0;
  }
}

test("parts continue from their state: those that outlast a restore at once, others when they are created", () => {
  const saved = new SavedParts();
  const clock = new Counter(saved, "clock", true);
  const old = new Counter(saved, "old");
  [clock.count, old.count] = [5, 7];
  const states = saved.save();
  assert.deepEqual(states, { clock: { count: 5 }, old: { count: 7 } });
  [clock.count, old.count] = [50, 70];
  saved.begin(states);
  assert.equal(clock.count, 5);
  assert.equal(new Counter(saved, "old").count, 7);
  saved.finish();
  assert.deepEqual(saved.save(), states);
  assert.equal(new Counter(saved, "later").count, 0);
  assert.throws(() => new Counter(saved, "later"), /two parts save their state as later/);
});

test("parts in one scope end together and start after the restore", () => {
  const saved = new SavedParts();
  saved.begin({ "wallet/BTC/chain": { count: 1 }, "streams/a": { count: 2 }, "streams/gone": { count: 3 } });
  assert.equal(new Counter(saved.within("wallet").within("BTC"), "chain").count, 1);
  const streams = saved.within("streams");
  assert.equal(new Counter(streams, "a").count, 2);
  streams.startFresh();
  assert.equal(new Counter(streams, "b").count, 0);
  saved.finish();
  streams.within("a").end();
  assert.deepEqual(Object.keys(saved.save()), ["wallet/BTC/chain", "streams/b"]);
  streams.end();
  assert.deepEqual(Object.keys(saved.save()), ["wallet/BTC/chain"]);
});

test("invalid state is rejected with its path", () => {
  const rejected = (states: Parameters<SavedParts["begin"]>[0], message: RegExp): void => {
    const saved = new SavedParts();
    const restore = (): void => {
      saved.begin(states);
      new Counter(saved, "part");
      saved.finish();
    };
    assert.throws(restore, { name: "SavedStateUnreadable", message });
    saved.begin({ part: { count: 1 } });
    assert.equal(new Counter(saved, "part").count, 1, "other state can be restored then");
  };
  rejected({}, /it lacks modules that this lab has: part$/);
  rejected({ part: { count: 1 }, other: 1, more: 2 }, /it has modules that this lab does not have: other, more$/);
  rejected({ part: null }, /damaged, or of another version: part: Invalid input/);
  rejected({ part: { count: -1 } }, /: part at count: /);
  rejected({ part: { count: 1, more: 1 } }, /: part: Unrecognized key: "more"$/);
});
