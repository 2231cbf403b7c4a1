/** The terminal's estimate of the node's time is never so far ahead that the node rejects it (Interface 5.6). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Clock } from "../../src/wire/rest.ts";

const MOST_AHEAD_MS = 1000;

test("a fast response gives the middle of its round trip", () => {
  const clock = new Clock();
  clock.note(10_000, 5_000, 5_040);
  assert.equal(clock.offsetMs.value, 4_980);
});

test("the certain difference excludes the time of the request", () => {
  const certain = (serverMs: number): number => {
    const clock = new Clock();
    clock.note(serverMs, 5_000, 7_000);
    return clock.certainOffsetMs.value;
  };
  assert.deepEqual([4_000, 4_900, 5_500, 7_000, 7_300].map(certain), [-1_000, -100, 0, 0, 300]);
});

test("with any round trip, a timestamp is not too far ahead", () => {
  const trip = fc.record({ thereMs: fc.nat(20_000), backMs: fc.nat(20_000) });
  fc.assert(
    fc.property(
      fc.integer({ min: -10_000_000, max: 10_000_000 }),
      fc.array(trip, { minLength: 1 }),
      (aheadMs, trips) => {
        const clock = new Clock();
        let nowMs = 1_000_000_000;
        for (const { thereMs, backMs } of trips) {
          clock.note(nowMs + thereMs + aheadMs, nowMs, nowMs + thereMs + backMs);
          nowMs += thereMs + backMs;
          assert.ok((clock.offsetMs.value ?? 0) - aheadMs < MOST_AHEAD_MS);
        }
      },
    ),
  );
});
