/** The journal of a lab, with all rows in the file, all in memory, or moving to the file as they come. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Engine } from "@pricetime/engine";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { appendAll, batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { LabJournal } from "../../../src/lab/storage/lab-journal.ts";
import { recover } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { journalContract } from "../../journal/journal-contract.ts";

const path = (t: TestContext): string => join(scratchFolder(t), "journal.sqlite");
const inMemory = { maxBytes: 1 << 30, rowsAtATime: 8 };
const spilling = { maxBytes: 2_000, rowsAtATime: 3 };

journalContract("lab, on a folder that is kept", (t) => new LabJournal({ path: path(t) }));
journalContract("lab, in memory", (t) => new LabJournal({ path: path(t), fresh: inMemory }));
journalContract("lab, most of it spilled", (t) => new LabJournal({ path: path(t), fresh: spilling }));

test("rows that have left the memory, and rows that leave it while they are read, are read once each", async (t) => {
  const batches = batchesOf(3, randomFlow(3, 900));
  const journal = new LabJournal({ path: path(t), fresh: { maxBytes: 20_000, rowsAtATime: 7 } });
  const half = batches.length >> 1;
  await appendAll(journal, batches.slice(0, half));
  const read: number[] = [];
  let next = half;
  for (const row of journal.reader().read(1)) {
    read.push(row.firstSeq);
    const batch = batches[next++];
    if (batch !== undefined) await journal.append(batch);
  }
  assert.deepEqual(
    read,
    batches.map(({ firstSeq }) => firstSeq),
  );
  for (const { firstSeq, count } of batches) {
    assert.equal(journal.headAt(firstSeq + count - 1)?.lastSeq, firstSeq + count - 1);
    if (count > 1) assert.equal(journal.headAt(firstSeq), undefined, "no row ends there");
  }
  const engine = new Engine();
  batchesOf(3, randomFlow(3, 900), engine);
  const snapshots = new SnapshotFolder(scratchFolder(t));
  const recovered = recover(journal.reader(), snapshots, { world: MACHINE });
  assert.equal(recovered.engine.eventDigest(), engine.eventDigest());
  await journal.close();
});
