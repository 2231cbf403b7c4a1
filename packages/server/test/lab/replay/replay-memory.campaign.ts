/** A recording takes bounded memory, however long it is: the program's maximum after all of it, and after half. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { operate, startLabProcess } from "@pricetime/testkit/venue";
import { LAB_STORAGE_LIMITS } from "../../../src/lab/storage/lab-journal.ts";

const FIRST_MS = Date.parse("2026-01-01T00:00:00Z");
/** What a trade of its own instant takes of the journal's memory, at least. */
const LEAST_BYTES_A_ROW = 250;
/** Half fills the part of the journal that the lab keeps in memory. */
const HALF = Math.ceil((1.1 * LAB_STORAGE_LIMITS.freshJournalBytes) / LEAST_BYTES_A_ROW);
const MOST_GROWTH = 1.1;
/**
 * A lab that keeps rows in its heap fails for lack of it; without a limit a busy machine collects late, and the maximum
 * means nothing.
 */
const HEAP_MIB = 128;
const ADVANCE_MS = 100_000;

test("the whole of a recording takes no more memory than half of it", async (t) => {
  const path = join(scratchFolder(t), "BTCUSDT-trades.csv");
  await write(path, 2 * HALF);
  const lab = await startLabProcess("off", { heapMiB: HEAP_MIB });
  t.after(() => lab.stop());
  await operate(lab, "POST", "/v1/lab/replays", { symbol: "BTCUSDT", files: [path], startAtMs: FIRST_MS + 60_000 });
  let halfMiB = 0;
  let listed: { readonly state: string; readonly rows: number };
  do {
    await operate(lab, "POST", "/v1/lab/clock/advance", { ms: ADVANCE_MS });
    [listed = { state: "gone", rows: 0 }] = await operate<(typeof listed)[]>(lab, "GET", "/v1/lab/replays");
    if (halfMiB === 0 && listed.rows >= HALF) halfMiB = peakMiB(lab.pid);
  } while (listed.state === "playing" || listed.state === "waiting");
  assert.deepEqual([listed.state, listed.rows], ["ended", 2 * HALF]);
  const { seq } = await operate<{ seq: number }>(lab, "POST", "/v1/lab/clock/advance", { ms: 0 });
  assert.ok(seq > 2 * 2 * HALF, "a row is two commands or more");
  const wholeMiB = peakMiB(lab.pid);
  t.diagnostic(`${2 * HALF} rows: ${halfMiB} MiB after half, ${wholeMiB} MiB after all`);
  assert.ok(wholeMiB <= MOST_GROWTH * halfMiB, `${halfMiB} MiB after half, ${wholeMiB} MiB after all`);
});

/** A trade every ten milliseconds, up and down. */
async function write(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  for (let id = 0; id < rows; id++) {
    const price = 95_000 + ((id * 7_919) % 1_000) / 100;
    const line = `${id},${price.toFixed(8)},0.01000000,${(price / 100).toFixed(8)},${FIRST_MS + id * 10},${id % 3 === 0 ? "True" : "False"},True\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

function peakMiB(pid: number): number {
  const [, kB = "0"] = /VmHWM:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kB) / 1024);
}
