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

test("a node that has gone is not held by what watches the process; the next shows the same", async () => {
  const gone = [await nodeThatGoes(), await nodeThatGoes()];
  for (let turns = 0; turns < 5; turns++) await turn();
  collect();
  assert.deepEqual(
    gone.map((room) => room.deref()),
    [undefined, undefined],
  );
});
