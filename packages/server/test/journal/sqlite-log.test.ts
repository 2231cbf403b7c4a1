/** An SQLite journal with one writer can implement the port of a shared log. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import type { LooseBatch } from "../../src/journal/port.ts";
import { sharedLogContract } from "./shared-log-contract.ts";
import { SqliteLog } from "./sqlite-log.ts";

const pathIn = (t: TestContext): string => join(scratchFolder(t), "journal.sqlite");

sharedLogContract("sqlite", (t) => {
  const log = new SqliteLog(pathIn(t));
  inTheEnd(t, () => log.close());
  return () => log.newLine();
});

const batch = (n: number): LooseBatch => ({
  ...{ id: `n1/1/${n}`, node: "n1", count: n, timeMs: 2_000 - n },
  bytes: Uint8Array.of(n, n),
});

test("sqlite: submitted batches are there after reopening, with their ids and times", async (t) => {
  const path = pathIn(t);
  const first = new SqliteLog(path);
  for (const n of [1, 2]) await first.newLine().submit(batch(n));
  await first.close();
  const second = new SqliteLog(path);
  inTheEnd(t, () => second.close());
  const line = second.newLine();
  for (const n of [2, 3]) await line.submit(batch(n));
  const following = line.follow(null);
  for (const n of [1, 2, 3]) {
    const { place, ...row } = (await following.next()) ?? assert.fail("the log has ended");
    assert.deepEqual([row, place.number], [batch(n), n]);
  }
  following.close();
});
