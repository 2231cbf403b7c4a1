/** Process metrics do not keep a stopped node in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Metrics } from "../../../src/platform/observe/metrics.ts";
import { collect } from "../../api/edge/heap.ts";

/** A gauge as a node adds it. */
async function nodeThatGoes(): Promise<WeakRef<object>> {
  const metrics = new Metrics();
  metrics.collectProcess();
  const room = { open: 3 };
  metrics.gauge("pricetime_open", "Open", () => room.open);
  const text = await metrics.text();
  assert.match(text, /^pricetime_open 3$/m);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  return new WeakRef(room);
}

test("process metrics do not hold a stopped node, and the next node has the same metrics", async () => {
  const gone = [await nodeThatGoes(), await nodeThatGoes()];
  for (let turns = 0; turns < 5; turns++) await turn();
  collect();
  assert.deepEqual(
    gone.map((room) => room.deref()),
    [undefined, undefined],
  );
});
