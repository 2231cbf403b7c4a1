import assert from "node:assert/strict";
import { test } from "node:test";
import type { LabAssert, LabPoint } from "../../src/lab/port.ts";
import { assertsByState, elapsedOf, nextPoints, percentOf } from "../../src/panels/show.ts";

test("the percentage is 100 only when all is done", () => {
  const cases = [
    [0, 0],
    [0, 1000],
    [999_999, 1_000_000],
    [1000, 1000],
  ] as const;
  assert.deepEqual(
    cases.map(([done, all]) => percentOf(done, all)),
    [0, 0, 99, 100],
  );
});

test("the elapsed time of a scenario begins at zero and ends with the scenario", () => {
  const scenario = { name: "a", startMs: 1000, endMs: 1000 + 26 * 3_600_000, timeline: [], asserts: [] };
  assert.deepEqual(elapsedOf(scenario, 0), ["0:00:00", "26:00:00"]);
  assert.deepEqual(elapsedOf(scenario, 1000 + 3_725_999), ["1:02:05", "26:00:00"]);
  assert.deepEqual(elapsedOf(scenario, Number.MAX_SAFE_INTEGER), ["26:00:00", "26:00:00"]);
});

test("the next events are those that are not done, as many as fit", () => {
  const timeline = [true, false, true, false, false].map(
    (isDone, atMs): LabPoint => ({ atMs, kind: "mark", text: "", isDone }),
  );
  assert.deepEqual(
    nextPoints(timeline, 2).map(({ atMs }) => atMs),
    [1, 3],
  );
});

test("failed assertions are first, then waiting ones, each in the order of the file", () => {
  const asserts = (["holds", "waiting", "failed", "holds", "failed"] as const).map(
    (state, at): LabAssert => ({ name: String(at), kind: "always", state, text: "" }),
  );
  assert.deepEqual(
    assertsByState(asserts).map(({ name }) => name),
    ["2", "4", "1", "0", "3"],
  );
});
