/** Damage of every kind is found and located. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { Engine } from "@pricetime/engine";
import fc from "fast-check";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { chainHashOf, checkFollows } from "../../src/journal/chain.ts";
import { EMPTY_HEAD, JournalDamaged, JournalUnreadable } from "../../src/journal/port.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";
import { type Verification, verifyJournal } from "../../src/journal/replica/verify-journal.ts";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";

const COMMANDS = randomFlow(7, 400);
const BATCHES = batchesOf(7, COMMANDS);

function writeJournal(path: string): void {
  const file = JournalFile.open(path);
  for (const batch of BATCHES) file.append(batch);
  file.close();
}

async function verify(path: string): Promise<Verification> {
  const file = JournalFile.openReadOnly(path);
  try {
    return verifyJournal(file);
  } finally {
    file.close();
  }
}

/** A valid journal, and a function that verifies a copy of it after running SQL on the copy. */
function journalToHurt(
  t: TestContext,
): (sql: string, ...values: (number | Uint8Array | string)[]) => Promise<Verification> {
  const folder = scratchFolder(t);
  writeJournal(join(folder, "sound.sqlite"));
  return async (sql, ...values) => {
    const path = join(folder, "hurt.sqlite");
    copyFileSync(join(folder, "sound.sqlite"), path);
    const database = new DatabaseSync(path);
    const { changes } = database.prepare(sql).run(...values);
    assert.notEqual(changes, 0, "the damage was not done");
    database.close();
    return verify(path);
  };
}

test("a valid journal is found valid, with its writer's state", async (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  writeJournal(path);
  const engine = new Engine();
  batchesOf(7, COMMANDS, engine);
  const found = await verify(path);
  assert.equal(found.fault, null);
  assert.equal(found.rows, BATCHES.length);
  assert.equal(found.entries, COMMANDS.length);
  assert.equal(found.eventDigest, engine.eventDigest());
});

test("a flipped bit in any row is found at that row", async (t) => {
  const hurt = journalToHurt(t);
  await fc.assert(
    fc.asyncProperty(fc.nat(BATCHES.length - 1), fc.nat(), fc.nat(7), async (row, at, bit) => {
      const batch = BATCHES[row]!;
      const bytes = batch.bytes.slice();
      bytes[at % bytes.length]! ^= 1 << bit;
      const { fault } = await hurt("UPDATE batches SET bytes = ? WHERE first_seq = ?", bytes, batch.firstSeq);
      assert.equal(fault?.row, row);
      assert.equal(fault?.seq, batch.firstSeq);
    }),
    { numRuns: 60 },
  );
});

test("a change in any other field is found at its row", async (t) => {
  const hurt = journalToHurt(t);
  const row = 9;
  const { firstSeq } = BATCHES[row]!;
  const changes = [
    "count = count + 1",
    "count = -1",
    "count = 9223372036854775807",
    "time_ms = time_ms + 1",
    "time_ms = 0",
    "node = 'n2'",
    "prior_state_hash = '0000000000000000'",
    "chain_hash = 'ff' || substr(chain_hash, 3)",
    "chain_hash = ''",
  ];
  for (const change of changes) {
    const { fault } = await hurt(`UPDATE batches SET ${change} WHERE first_seq = ?`, firstSeq);
    assert.equal(fault?.row, row, change);
  }
});

test("a changed byte anywhere in the file is found, or is not used", async (t) => {
  const folder = scratchFolder(t);
  const [soundPath, path] = [join(folder, "sound.sqlite"), join(folder, "hurt.sqlite")];
  writeJournal(soundPath);
  const sound = await verify(soundPath);
  const bytes = readFileSync(soundPath);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const hurt = Buffer.from(bytes);
      hurt[at]! ^= change;
      writeFileSync(path, hurt);
      try {
        JournalFile.open(path).close();
        const result = await verify(path);
        if (result.fault === null) assert.deepEqual(result, sound);
        else found++;
      } catch (error) {
        assert.ok(error instanceof JournalDamaged || error instanceof JournalUnreadable, `${error}`);
        found++;
      }
    }),
    { numRuns: 150, examples: Array.from({ length: 110 }, (_, at): [number, number] => [at, 255]) },
  );
  assert.ok(found > 60, `only ${found} changes were found`);
});

test("a missing row is found at its place", async (t) => {
  const hurt = journalToHurt(t);
  const { fault } = await hurt("DELETE FROM batches WHERE first_seq = ?", BATCHES[5]!.firstSeq);
  assert.deepEqual([fault?.row, fault?.seq], [5, BATCHES[5]!.firstSeq]);
});

test("a journal written from another state is detected, though its chain is valid", async (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  const file = JournalFile.open(path);
  for (const [row, batch] of BATCHES.entries()) {
    file.append(row === 4 ? { ...batch, priorEventDigest: "0123456789abcdef" } : batch);
  }
  file.close();
  const { fault } = await verify(path);
  assert.deepEqual([fault?.row, fault?.seq], [4, BATCHES[4]!.firstSeq]);
  assert.match(fault?.what ?? "", /another state/);
});

test("a row that skips entries is damage, though it is chained", () => {
  const row = { ...BATCHES[0]!, firstSeq: 2 };
  const skipping = { ...row, chainHash: chainHashOf(EMPTY_HEAD.chainHash, row) };
  assert.throws(() => checkFollows(EMPTY_HEAD, skipping), /the next batch starts with entry 2/);
});

test("a value of another type is damage at its row, not an internal error", () => {
  const [row] = BATCHES;
  const chained = { ...row!, chainHash: chainHashOf(EMPTY_HEAD.chainHash, row!) };
  checkFollows(EMPTY_HEAD, chained);
  for (const name of Object.keys(chained)) {
    for (const value of [null, undefined, 7.5, -1n]) {
      const hurt = { ...chained, [name]: value };
      assert.throws(
        () => checkFollows(EMPTY_HEAD, hurt),
        (error) => error instanceof JournalDamaged && error.seq === 1,
        `${name} ${value}`,
      );
    }
  }
});

test("opening detects a damaged tail and its place", (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  writeJournal(path);
  const { firstSeq } = BATCHES.at(-2)!;
  const database = new DatabaseSync(path);
  database.prepare("UPDATE batches SET time_ms = time_ms + 1 WHERE first_seq = ?").run(firstSeq);
  database.close();
  assert.throws(
    () => JournalFile.open(path),
    (error) => error instanceof JournalDamaged && error.seq === firstSeq && !error.message.includes("\n"),
  );
});

test("a file that is not a journal is not opened", (t) => {
  const folder = scratchFolder(t);
  const text = join(folder, "text");
  writeFileSync(text, "this is not a database, not at all. ".repeat(100));
  assert.throws(() => JournalFile.open(text), JournalUnreadable);
  const other = join(folder, "other.sqlite");
  new DatabaseSync(other).exec("CREATE TABLE t (a)");
  assert.throws(() => JournalFile.open(other), /is not a journal/);
  const newer = join(folder, "newer.sqlite");
  writeJournal(newer);
  new DatabaseSync(newer).exec("PRAGMA user_version = 2");
  assert.throws(() => JournalFile.open(newer), /has format 2, and this release supports format 1/);
});
