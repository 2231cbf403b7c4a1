/** `pricetime journal copy` out of a cluster that is killed in the midst goes on where it was. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { checkIsNoBackup } from "../../../src/backup/record.ts";
import { heldPaymentsPath } from "../../../src/config/held-payments.ts";
import { dataPaths } from "../../../src/storage/data-paths.ts";
import { verifyJournalFile } from "../../../src/storage/open-journal.ts";
import { NODE_TOKEN } from "../../admin/running.ts";
import { BATCHES, journalPlace, startPeer } from "../catch-up/nodes.ts";

test("killed in the midst, a copy is no folder for a node, and the next run brings what is missing", async (t) => {
  const peer = await startPeer(t);
  const folder = join(scratchFolder(t), "out");
  const { journal } = dataPaths(folder);
  const steps: string[] = [];
  const run = async (killAfter: number): Promise<number | null> => {
    const script = new URL("./killed-copy.ts", import.meta.url).pathname;
    const args = ["--disable-warning=ExperimentalWarning", script, folder, peer.url, NODE_TOKEN];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    let count = 0;
    createInterface({ input: child.stdout }).on("line", (line) => {
      steps.push(line);
      if (++count === killAfter) child.kill("SIGKILL");
    });
    const [code] = (await once(child, "close")) as [number | null];
    return code;
  };
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
