/** What the terminal's benchmark tells of Chromium's processes is what they used between two looks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sharesOf, type Spent } from "../../bench/terminal/chromium.ts";
import { ownProcessorMs, processorMs } from "@pricetime/testkit/process-usage";

test("shares are of the time between, by kind; a process that came in between counts from its beginning", () => {
  const before: Spent = new Map([
    [1, { kind: "browser", ms: 500 }],
    [2, { kind: "renderer", ms: 1000 }],
    [3, { kind: "renderer", ms: 700 }],
  ]);
  const after: Spent = new Map([
    [1, { kind: "browser", ms: 600 }],
    [2, { kind: "renderer", ms: 1400 }],
    [4, { kind: "renderer", ms: 100 }],
  ]);
  assert.deepEqual(sharesOf(before, after, 1000), { renderer: 0.5, GPU: 0, browser: 0.1, others: 0, all: 0.6 });
});

test("a process's time is what it has used, all threads together", () => {
  const before = { kernelMs: processorMs(process.pid), ownMs: ownProcessorMs() };
  // The kernel counts hundredths of a second.
  while (ownProcessorMs() - before.ownMs < 200);
  const usedMs = ownProcessorMs() - before.ownMs;
  const kernelMs = processorMs(process.pid) - before.kernelMs;
  assert.ok(Math.abs(kernelMs - usedMs) < 60, `${kernelMs} ms by the kernel, ${usedMs} by Node`);
});
