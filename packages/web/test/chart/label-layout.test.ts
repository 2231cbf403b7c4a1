/** The labels of lines on the chart: on their lines where there is space, otherwise in tags that fan out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { apart, fanOut, groupLabels, lineAt } from "../../src/chart/label-layout.ts";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
process.stdout.write(`# SEED=${seed}\n`);

const SPACE = { heightPx: 20, topPx: 40, bottomPx: 20, paneHeightPx: 300 };
const linesAt = (...ys: readonly (number | null)[]) => ys.map((y, at) => ({ key: String(at), y }));

test("the nearest line within reach is picked", () => {
  const lines = [
    { key: "a", y: 10 },
    { key: "b", y: 16 },
    { key: "c", y: null },
  ];
  assert.equal(lineAt(lines, 12, 6), "a");
  assert.equal(lineAt(lines, 14, 6), "b");
  assert.equal(lineAt(lines, 23, 6), null);
  assert.equal(lineAt([], 0, 6), null);
});

test("a label is on its line, and lines that are too close for labels share a tag between them", () => {
  assert.deepEqual(groupLabels(linesAt(100, 150, 155, null, 230), SPACE), [
    { keys: ["0"], y: 100, outside: null },
    { keys: ["1", "2"], y: 152.5, outside: null },
    { keys: ["4"], y: 230, outside: null },
  ]);
});

test("prices beyond an edge are in one tag at that edge, which names the direction", () => {
  const groups = groupLabels(linesAt(-50, -900, 400, 150), SPACE);
  assert.deepEqual(groups, [
    { keys: ["1", "0"], y: 50, outside: "above" },
    { keys: ["3"], y: 150, outside: null },
    { keys: ["2"], y: 270, outside: "below" },
  ]);
  assert.deepEqual(groupLabels(linesAt(-50, 52), SPACE), [{ keys: ["0", "1"], y: 51, outside: null }]);
});

test("whatever the lines, every line is in one group, in order, inside the pane, and no two groups overlap", () => {
  const dice = new Dice(seed);
  for (let round = 0; round < 500; round++) {
    const lines = linesAt(...Array.from({ length: dice.between(0, 40) }, () => dice.between(-100, 400)));
    const groups = groupLabels(lines, SPACE);
    const ordered = lines.toSorted((one, other) => (one.y as number) - (other.y as number)).map(({ y }) => y);
    assert.deepEqual(
      groups.flatMap(({ keys }) => keys.map((key) => lines[Number(key)]?.y)),
      ordered,
    );
    groups.forEach(({ y }, at) => {
      assert.ok(y >= 50 && y <= 270, `${y}`);
      const before = groups[at - 1];
      if (before !== undefined) assert.ok(y - before.y >= 20, `${before.y} and ${y}`);
    });
  }
});

test("fanned labels are around their tag, in as few columns as possible, and overlap only without space", () => {
  const space = { ...SPACE, columnPx: 100, widthPx: 250 };
  assert.deepEqual(
    fanOut(3, 150, space).map(({ y }) => y),
    [130, 150, 170],
  );
  assert.deepEqual(
    fanOut(3, 60, space).map(({ y }) => y),
    [50, 70, 90],
  );
  const two = fanOut(20, 150, space);
  assert.deepEqual(new Set(two.map(({ column }) => column)), new Set([0, 1]));
  for (const [at, { column, y }] of two.entries()) {
    assert.ok(y >= 50 && y <= 270);
    const before = two[at - 1];
    if (before?.column === column) assert.equal(y - before.y, 20);
  }
  const tight = fanOut(60, 150, space);
  assert.equal(Math.max(...tight.map(({ column }) => column)), 1);
  assert.ok(tight.every(({ y }) => y >= 50 && y <= 270.001));
});

test("prices on the axis never cover each other or those that are always shown", () => {
  const shown = apart([{ y: 100 }, { y: 110 }, { y: 120 }, { y: 200 }], [205], 18);
  assert.deepEqual(shown, [{ y: 100 }, { y: 120 }]);
});
