/** An export's memory does not grow with the journal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fill, write } from "../../bench/export/export.ts";
import { withFolder } from "../../bench/venue/venue.ts";

/** The dearest kind: the most rows, and a group of rows in memory at once. */
const LEDGER = ["ledger", "parquet"];
const TRADES = [15_000, 45_000] as const;
/** Left to itself, V8 collects later the longer it runs, and its peaks tell of that: in this heap they tell of what is kept. */
const HEAP_MIB = 96;
const MOST_TIMES = 1.15;

test("the ledger as Parquet: three times the journal, no more memory", async (t) => {
  const [small, large] = [await peakOf(TRADES[0]), await peakOf(TRADES[1])];
  assert.ok(large.rows > 2.5 * small.rows && large.rows > 500_000, `${small.rows} rows, then ${large.rows}`);
  const times = large.peakBytes / small.peakBytes;
  t.diagnostic(`${(large.peakBytes / 2 ** 20).toFixed(0)} MiB, ${times.toFixed(2)} times those of a third of it`);
  assert.ok(times < MOST_TIMES, `${times} times the memory`);
});

function peakOf(trades: number): Promise<{ readonly rows: number; readonly peakBytes: number }> {
  return withFolder((folder) => {
    const data = join(folder, "data");
    fill(data, trades);
    return write(data, join(folder, "out"), LEDGER, HEAP_MIB);
  });
}
