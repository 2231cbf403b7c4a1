import assert from "node:assert/strict";
import { test } from "node:test";
import { onShellGone } from "../../../src/program/start/signals.ts";

/** How often it is asked to stop when npm runs `script` and the shell then exits. */
function toldAfter(environment: Record<string, string>): [before: number, after: number] {
  let told = 0;
  let parent = 700;
  const ticks: (() => void)[] = [];
  onShellGone({ environment, parent: () => parent, every: (_, tick) => ticks.push(tick) }, () => told++);
  for (const tick of ticks) tick();
  const before = told;
  parent = 1;
  for (const tick of ticks) tick();
  return [before, told];
}

test("it stops when npm's shell exits", () => {
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "pricetime" }), [0, 1]);
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "npm run build && node main.ts" }), [0, 1]);
});

test("without npm's shell, or with one that was to exit first, nothing happens", () => {
  assert.deepEqual(toldAfter({}), [0, 0]);
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "pricetime &" }), [0, 0]);
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "pricetime & sleep 3" }), [0, 0]);
});
