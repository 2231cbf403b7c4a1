/** A node that is repeatedly killed while it catches up continues from its own head each time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { NODE_TOKEN } from "../../people/admin/running.ts";
import { BATCHES, journalPlace, ownNode, startPeer, TailLog } from "./nodes.ts";
import { runAndKill } from "./killed-process.ts";

const KILLS = 10;

test("killed at ten random points, it loses no data and fetches no batch twice", async (t) => {
  const peer = await startPeer(t);
  const { paths, head, place } = ownNode(t, new TailLog());
  const last = JSON.stringify(journalPlace(BATCHES.length));
  const dice = new Dice(23);
  const steps: number[] = [];
  const run = (killAfter: number): Promise<number | null> =>
    runAndKill(new URL("./killed.ts", import.meta.url), [paths.journal, peer.url, NODE_TOKEN, last], {
      killAfter,
      onLine: (line) => steps.push(Number(line)),
    });
  for (let n = 0; n < KILLS; n++) {
    assert.equal(await run(dice.between(1, 2)), null, "killed");
    assert.equal(verifyJournalFile(paths.journal).fault, null);
    assert.equal(place(), null, "no place before it is whole");
  }
  assert.ok(head().lastSeq < journalPlace(BATCHES.length).seq, "it was killed on its way");
  assert.equal(await run(0), 0);
  assert.deepEqual(place(), journalPlace(BATCHES.length));
  const { fault, rows } = verifyJournalFile(paths.journal);
  assert.deepEqual([fault, rows], [null, BATCHES.length]);
  assert.equal(new Set(steps).size, steps.length, "no step twice");
});
