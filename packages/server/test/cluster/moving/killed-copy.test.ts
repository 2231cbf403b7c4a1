/** `pricetime journal migrate` out of a cluster continues after it was killed. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { checkIsNoBackup } from "../../../src/journal/backup/backup.ts";
import { heldPaymentsPath } from "../../../src/platform/config/held-payments.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { NODE_TOKEN } from "../../people/admin/running.ts";
import { BATCHES, journalPlace, startPeer } from "../catch-up/nodes.ts";
import { runAndKill } from "../catch-up/killed-process.ts";

test("after a kill, an incomplete copy is not a folder for a node, and the next run fetches the rest", async (t) => {
  const peer = await startPeer(t);
  const folder = join(scratchFolder(t), "out");
  const { journal } = dataPaths(folder);
  const steps: string[] = [];
  const run = (killAfter: number): Promise<number | null> =>
    runAndKill(new URL("./killed-copy.ts", import.meta.url), [folder, peer.url, NODE_TOKEN], {
      killAfter,
      onLine: (line) => steps.push(line),
    });
  for (const killAfter of [1, 3]) {
    assert.equal(await run(killAfter), null, "killed");
    assert.equal(verifyJournalFile(journal).fault, null);
    assert.throws(() => checkIsNoBackup(folder), /is a backup/);
  }
  assert.ok(verifyJournalFile(journal).rows < BATCHES.length, "it was killed on its way");
  assert.equal(await run(0), 0);
  assert.ok(Number(/^from (\d+)$/.exec(steps.pop() ?? "")?.[1]) > 0, "it began where the one before had got to");
  assert.equal(new Set(steps).size, steps.length, "no row twice");
  assert.equal(Number(steps.at(-1)), journalPlace(BATCHES.length).seq);
  const { fault, rows } = verifyJournalFile(journal);
  assert.deepEqual([fault, rows], [null, BATCHES.length]);
  checkIsNoBackup(folder);
  assert.ok(existsSync(heldPaymentsPath(folder)));
});
