/**
 * An export's memory does not grow with the journal: of a million trades, or of `EXPORT_TRADES`, beside that of a third
 * of them.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fill, write } from "../../bench/export/export.ts";
import { withFolder } from "../../bench/venue/venue.ts";

/** The dearest kind: the most rows, and a group of rows in memory at once. */
const LEDGER = ["ledger", "parquet"];
const TRADES = Number(process.env.EXPORT_TRADES ?? 1_000_000);
/** Measured: 13, of a million trades. */
const LEAST_ROWS_A_TRADE = 12;
/** Left to itself, V8 collects later the longer it runs, and its peaks tell of that: in this heap they tell of what is kept. */
const HEAP_MIB = 96;
const MOST_TIMES = 1.15;

test("the ledger as Parquet: three times the journal, no more memory", async (t) => {
  const first = await timesTheMemory(t);
  // When V8 collects hangs on what else the machine does, too: what is kept is there a second time.
  const times = first < MOST_TIMES ? first : await timesTheMemory(t);
  assert.ok(times < MOST_TIMES, `${times} times the memory`);
});

async function timesTheMemory(t: TestContext): Promise<number> {
  const [small, large] = [await peakOf(Math.floor(TRADES / 3)), await peakOf(TRADES)];
  const told = `${small.rows} rows, then ${large.rows}`;
  assert.ok(large.rows > 2.5 * small.rows && large.rows > LEAST_ROWS_A_TRADE * TRADES, told);
  const times = large.peakBytes / small.peakBytes;
  t.diagnostic(`${(large.peakBytes / 2 ** 20).toFixed(0)} MiB, ${times.toFixed(2)} times those of a third of it`);
  return times;
}

function peakOf(trades: number): Promise<{ readonly rows: number; readonly peakBytes: number }> {
  return withFolder((folder) => {
    const data = join(folder, "data");
    fill(data, trades);
    return write(data, join(folder, "out"), LEDGER, HEAP_MIB);
  });
}
