/**
 * The journal's file when the power goes within a commit: SQLite writes ahead to a log, and of what was not yet
 * synced any sector may be there or not. Whatever is left, the journal holds what was committed before, and the
 * commit under way whole or not at all.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { JournalFile, verifyJournalFile } from "@pricetime/server/data-folder";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { Dice } from "@pricetime/testkit/dice";
import { scratchFolder } from "@pricetime/testkit/scratch";

const BATCHES = batchesOf(31, randomFlow(31, 400));
const SECTOR_BYTES = 512;
const IMAGES_A_COMMIT = 6;

interface Files {
  readonly main: Buffer;
  readonly log: Buffer;
  readonly mark: Buffer;
}

function filesOf(path: string): Files {
  return {
    main: readFileSync(path),
    log: readFileSync(`${path}-wal`),
    mark: readFileSync(path.replace(".sqlite", ".head")),
  };
}

/** `before`, with some sectors of what `after` has changed. */
function torn(before: Buffer, after: Buffer, random: Dice): Buffer {
  const image = Buffer.alloc(after.length);
  before.copy(image);
  for (let at = 0; at < after.length; at += SECTOR_BYTES) {
    if (random.next() < 0.5) after.copy(image, at, at, Math.min(at + SECTOR_BYTES, after.length));
  }
  // Or the file was not yet as long.
  return random.next() < 0.3 ? image.subarray(0, random.between(before.length, after.length)) : image;
}

test("a torn commit is there whole or not at all, and nothing before it is touched", {
  timeout: 300_000,
}, async (t) => {
  const folder = scratchFolder(t);
  const path = join(folder, "journal.sqlite");
  const random = new Dice(31);
  const journal = JournalFile.open(path);
  const there = { whole: 0, missing: 0 };
  let committed = 0;
  for (const [at, batch] of BATCHES.entries()) {
    if (at === 0) {
      committed = journal.append(batch).lastSeq;
      continue;
    }
    const before = filesOf(path);
    const { lastSeq } = journal.append(batch);
    const after = filesOf(path);
    for (let image = 0; image < (at % 3 === 0 ? IMAGES_A_COMMIT : 0); image++) {
      const scratch = join(folder, `${at}-${image}`);
      mkdirSync(scratch);
      const copy = join(scratch, "journal.sqlite");
      writeFileSync(copy, before.main);
      writeFileSync(`${copy}-wal`, image === 0 ? after.log : torn(before.log, after.log, random));
      writeFileSync(join(scratch, "journal.head"), before.mark);
      const reopened = JournalFile.open(copy);
      const head = reopened.head().lastSeq;
      reopened.close();
      assert.ok(head === committed || head === lastSeq, `commit ${at}: ${head}, not ${committed} or ${lastSeq}`);
      there[head === lastSeq ? "whole" : "missing"]++;
      assert.equal(verifyJournalFile(copy).fault, null);
    }
    committed = lastSeq;
  }
  journal.close();
  assert.ok(there.whole >= 10 && there.missing >= 10, JSON.stringify(there));
  t.diagnostic(`${there.whole} whole, ${there.missing} missing`);
});
