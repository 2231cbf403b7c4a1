import assert from "node:assert/strict";
import { test } from "node:test";
import { onShellGone } from "../../../src/program/start/signals.ts";

/** How often it was told to stop, when npm ran `script` and the shell is gone after a while. */
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

test("left by the shell that npm ran it by, it was told to stop", () => {
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "pricetime" }), [0, 1]);
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "npm run build && node main.ts" }), [0, 1]);
});

test("nobody's shell, or one that was to go on without it, says nothing", () => {
  assert.deepEqual(toldAfter({}), [0, 0]);
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "pricetime &" }), [0, 0]);
  assert.deepEqual(toldAfter({ npm_lifecycle_script: "pricetime & sleep 3" }), [0, 0]);
});
