import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../src/journal/journal-file.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { lockFolder } from "../../src/journal/storage/data-folder.ts";
import {
  EMPTY_HEAD,
  headAfter,
  type Journal,
  JournalDamaged,
  type JournalReader,
  JournalRefused,
  type NewBatch,
} from "../../src/journal/port.ts";
import { SqliteJournal } from "../../src/journal/sqlite.ts";
import { appendAll, batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { journalContract } from "./journal-contract.ts";

const die = (error: Error): never => {
  throw error;
};

journalContract("memory", () => new MemoryJournal());
journalContract("sqlite", (t) => new SqliteJournal(join(scratchFolder(t), "journal.sqlite"), die));

const READERS: readonly [string, (t: TestContext) => { journal: Journal; open: () => JournalReader }][] = [
  [
    "memory",
    () => {
      const journal = new MemoryJournal();
      return { journal, open: () => journal.reader() };
    },
  ],
  [
    "sqlite",
    (t) => {
      const path = join(scratchFolder(t), "journal.sqlite");
      return { journal: new SqliteJournal(path, die), open: () => JournalFile.openReadOnly(path) };
    },
  ],
];

for (const [name, make] of READERS) {
  test(`${name}: a reader sees appended rows, from any head on`, async (t) => {
    const { journal, open } = make(t);
    const [first, second, third] = batchesOf(1, randomFlow(1, 60)) as [NewBatch, NewBatch, NewBatch];
    const reader = open();
    assert.deepEqual([reader.head(), [...reader.after(EMPTY_HEAD)]], [EMPTY_HEAD, []]);
    const heads = [EMPTY_HEAD];
    for (const batch of [first, second]) heads.push(await journal.append(batch));
    assert.deepEqual({ ...reader.head() }, heads[2]);
    for (const [at, head] of heads.entries()) {
      assert.deepEqual(reader.headAt(head.lastSeq), head);
      assert.deepEqual([...reader.after(head)].map(headAfter), heads.slice(at + 1));
    }
    assert.equal(reader.headAt(first.firstSeq + first.count), undefined);
    const following = reader.after(heads[2]!)[Symbol.iterator]();
    const head = await journal.append(third);
    assert.deepEqual(headAfter(following.next().value), head);
    assert.throws(() => [...reader.after({ ...heads[1]!, chainHash: "0".repeat(64) })], JournalDamaged);
    reader.checkEnd();
    reader.close();
    await journal.close();
  });
}

for (const [name, make] of READERS) {
  test(`${name}: a position in a shared log is stored with its row, and only with it`, async (t) => {
    const { journal, open } = make(t);
    const [first, second, third] = batchesOf(1, randomFlow(1, 60)) as [NewBatch, NewBatch, NewBatch];
    const reader = open();
    assert.equal(reader.place(), null);
    await journal.append(first);
    assert.equal(reader.place(), null);
    const place = { epoch: "e1", number: 7, revision: 90 };
    const { lastSeq } = await journal.append(second, place);
    assert.deepEqual(reader.place(), { ...place, seq: lastSeq });
    await assert.rejects(journal.append(second, { ...place, number: 8, revision: 91 }), JournalRefused);
    assert.deepEqual(reader.place(), { ...place, seq: lastSeq });
    await journal.append(third);
    assert.deepEqual(reader.place(), { ...place, seq: lastSeq }, "the journal went on without the log");
    reader.close();
    await journal.close();
  });
}

test("sqlite: the file of a single node has no position table, and a copy includes the position", (t) => {
  const folder = scratchFolder(t);
  const tables = (path: string): unknown[] => {
    const database = new DatabaseSync(path, { readOnly: true });
    t.after(() => database.close());
    return database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  };
  const [from, to] = [join(folder, "from.sqlite"), join(folder, "to.sqlite")];
  const [first, second] = batchesOf(1, randomFlow(1, 60)) as [NewBatch, NewBatch];
  const source = JournalFile.open(from);
  source.append(first);
  assert.equal(tables(from).length, 1);
  source.append(second, { epoch: "e1", number: 1, revision: 5 });
  assert.equal(tables(from).length, 2);
  const target = JournalFile.open(to);
  const place = source.place() ?? undefined;
  const [one, two] = [...source.read(1)];
  assert.throws(() => target.copy([two!], place), JournalDamaged);
  assert.equal(target.place(), null);
  target.copy([one!, two!], place);
  assert.deepEqual(target.place(), place);
  source.close();
  target.close();
});

test("sqlite: the row and its position are written in one transaction", (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  const [first, second] = batchesOf(1, randomFlow(1, 60)) as [NewBatch, NewBatch];
  const file = JournalFile.open(path);
  file.append(first, { epoch: "e1", number: 1, revision: 5 });
  const database = new DatabaseSync(path);
  database.exec("CREATE TRIGGER full BEFORE UPDATE ON shared_place BEGIN SELECT RAISE(ABORT, 'no place'); END");
  assert.throws(() => file.append(second, { epoch: "e1", number: 2, revision: 6 }), /no place/);
  assert.deepEqual([file.head().lastSeq, file.place()?.number], [first.count, 1]);
  database.exec("DROP TRIGGER full");
  database.close();
  file.append(second, { epoch: "e1", number: 2, revision: 6 });
  assert.deepEqual([file.head().lastSeq, file.place()?.number], [first.count + second.count, 2]);
  file.close();
});

test("sqlite: appended rows are there after reopening", async (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  const first = new SqliteJournal(path, die);
  const head = await appendAll(first, batchesOf(1, randomFlow(1, 200)));
  await first.close();
  const second = new SqliteJournal(path, die);
  assert.deepEqual(await second.head(), head);
  await second.close();
  await assert.rejects(second.head());
});

test("sqlite: its files are private to their owner", async (t) => {
  const folder = join(scratchFolder(t), "data");
  const lock = lockFolder(folder);
  const path = join(folder, "journal.sqlite");
  const journal = new SqliteJournal(path, die);
  await appendAll(journal, batchesOf(1, randomFlow(1, 20)));
  const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);
  assert.equal(mode(folder), "700");
  for (const file of [path, `${path}-wal`, join(folder, "node.lock")]) assert.equal(mode(file), "600", file);
  await journal.close();
  lock.release();
});

test("sqlite: a thread that dies is reported once, and answers nothing more", async (t) => {
  const failures: Error[] = [];
  const posted = t.mock.method(Worker.prototype, "postMessage").mock;
  const journal = new SqliteJournal(join(scratchFolder(t), "journal.sqlite"), (error) => failures.push(error));
  await journal.head();
  const worker = posted.calls[0]?.this as Worker;
  const pending = journal.append(batchesOf(1, randomFlow(1, 5))[0]!);
  pending.catch(() => {});
  await worker.terminate();
  await assert.rejects(journal.head(), /ended/);
  assert.equal(failures.length, 1);
  await journal.close();
});
