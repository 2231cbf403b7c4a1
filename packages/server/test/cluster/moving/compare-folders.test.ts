/** Which of several folders is the longest, and where others differ. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { folderWith } from "../../journal/replica/data-folder.ts";
import { compareFolders } from "../../../src/cluster/moving/leave.ts";
import type { NewBatch } from "../../../src/journal/port.ts";
import { dirname } from "node:path";

const BATCHES = batchesOf(7, randomFlow(7, 300));
const folderOf = (t: TestContext, batches: readonly NewBatch[]): string => dirname(folderWith(t, batches).journal);

test("shorter journals are the start of the longest, in any order", (t) => {
  const [long, short, empty] = [BATCHES, BATCHES.slice(0, 9), []].map((batches) => folderOf(t, batches));
  const compared = compareFolders([short!, long!, empty!, long!]);
  assert.deepEqual(
    compared.map(({ differsFrom }) => differsFrom),
    [null, null, null, null],
  );
  const seqs = compared.map(({ lastSeq }) => lastSeq);
  assert.equal(Math.max(...seqs), seqs[1]);
  assert.deepEqual([seqs[2], compared[0]?.folder], [0, short]);
});

test("the first entry at which two journals differ is found, wherever it is", (t) => {
  const long = folderOf(t, BATCHES);
  for (const at of [0, 1, 7, BATCHES.length - 2]) {
    const { firstSeq, node } = BATCHES[at]!;
    const other = BATCHES.slice(0, -1).map((batch, n) => (n === at ? { ...batch, node: `${node}x` } : batch));
    const [found] = compareFolders([folderOf(t, other), long]);
    assert.equal(found?.differsFrom, firstSeq, `row ${at}`);
  }
});

test("a different row boundary is a difference, too", (t) => {
  const at = BATCHES.findIndex(({ count }) => count > 1);
  const [before, cut] = [BATCHES.slice(0, at), BATCHES[at] ?? assert.fail("no row of several entries")];
  const other = [...before, { ...cut, count: cut.count - 1 }];
  const [found] = compareFolders([folderOf(t, other), folderOf(t, BATCHES)]);
  assert.equal(found?.differsFrom, cut.firstSeq);
});

test("a folder without a journal is reported", (t) => {
  const folder = scratchFolder(t);
  assert.throws(() => compareFolders([folder]), /journal\.sqlite does not exist/);
});
