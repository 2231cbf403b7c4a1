/** The head mark lags behind but is never ahead, survives a torn write, and detects missing rows. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { DatabaseSync } from "node:sqlite";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { JournalDamaged, JournalUnreadable } from "../../src/journal/port.ts";
import { headMarkPath } from "../../src/journal/head-mark.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";
import { verifyJournalFile } from "../../src/journal/storage/open-journal.ts";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";

const BATCHES = batchesOf(3, randomFlow(3, 200));
const SLOTS_AT = [0, 4096, 8192] as const;

/** A journal that was opened twice, so that both settled slots are in use. */
function journalIn(t: TestContext): { path: string; mark: string } {
  const path = join(scratchFolder(t), "journal.sqlite");
  const half = BATCHES.length >> 1;
  for (const part of [BATCHES.slice(0, half), BATCHES.slice(half)]) {
    const file = JournalFile.open(path);
    for (const batch of part) file.append(batch);
    file.close();
  }
  return { path, mark: headMarkPath(path) };
}

function spoil(mark: string, at: number): void {
  const bytes = readFileSync(mark);
  bytes[at + 30] = (bytes[at + 30] as number) ^ 1;
  writeFileSync(mark, bytes);
}

function dropRows(path: string, fromSeq: number): void {
  const database = new DatabaseSync(path);
  database.prepare("DELETE FROM batches WHERE first_seq >= ?").run(fromSeq);
  database.close();
}

test("it is beside the journal, readable only by its owner, and may lag behind", async (t) => {
  const { path, mark } = journalIn(t);
  assert.equal(statSync(mark).mode & 0o777, 0o600);
  const old = readFileSync(mark);
  JournalFile.open(path).close();
  writeFileSync(mark, old);
  spoil(mark, SLOTS_AT[2]);
  JournalFile.open(path).close();
  assert.equal(verifyJournalFile(path).fault, null);
});

test("a journal without a mark gets one; so does one whose mark was torn at its first start", (t) => {
  const { path, mark } = journalIn(t);
  for (const content of [Buffer.alloc(0), Buffer.from("PTHE"), Buffer.alloc(100, 7)]) {
    writeFileSync(mark, content);
    JournalFile.open(path).close();
    dropLastAndExpectDamage(path);
    restore(path);
  }
  assert.ok(existsSync(mark));
});

function dropLastAndExpectDamage(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("ALTER TABLE batches RENAME TO kept");
  database.exec("CREATE TABLE batches AS SELECT * FROM kept");
  database.close();
  dropRows(path, BATCHES.at(-1)!.firstSeq);
  assert.throws(() => JournalFile.open(path), JournalDamaged);
}

function restore(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("DROP TABLE batches; ALTER TABLE kept RENAME TO batches");
  database.close();
}

test("any of its slots may be damaged, but not all", async (t) => {
  const { path, mark } = journalIn(t);
  const sound = readFileSync(mark);
  for (const at of SLOTS_AT) {
    writeFileSync(mark, sound);
    spoil(mark, at);
    assert.equal(verifyJournalFile(path).fault, null);
  }
  writeFileSync(mark, sound);
  for (const at of SLOTS_AT) spoil(mark, at);
  assert.match(verifyJournalFile(path).fault?.what ?? "", /The \.head file of the journal is damaged\. Remove it/);
  assert.throws(() => JournalFile.open(path), JournalUnreadable);
  truncateSync(mark, 0);
  JournalFile.open(path).close();
});

test("rows missing at the end are reported, by the rolling slot or by the settled ones", async (t) => {
  const { path, mark } = journalIn(t);
  const half = BATCHES.length >> 1;
  const last = BATCHES.at(-1)!.firstSeq;
  dropRows(path, last);
  assert.throws(
    () => JournalFile.open(path),
    (error) => error instanceof JournalDamaged && error.seq === last,
  );
  assert.equal(verifyJournalFile(path).fault?.seq, last);
  spoil(mark, SLOTS_AT[2]);
  assert.equal(verifyJournalFile(path).fault, null, "what the settled slots know is there");
  dropRows(path, BATCHES[half - 1]!.firstSeq);
  assert.equal(verifyJournalFile(path).fault?.seq, BATCHES[half - 1]!.firstSeq);
});

test("a replaced journal is reported", (t) => {
  const { mark } = journalIn(t);
  const other = join(scratchFolder(t), "journal.sqlite");
  const file = JournalFile.open(other);
  for (const batch of BATCHES) file.append({ ...batch, node: "another" });
  file.close();
  writeFileSync(headMarkPath(other), readFileSync(mark));
  assert.throws(() => JournalFile.open(other), /it is not the journal that the \.head file describes/);
});
