import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { MemoryJournal } from "../../src/journal/memory.ts";
import { lockFolder } from "../../src/journal/folder-lock.ts";
import { SqliteJournal } from "../../src/journal/sqlite.ts";
import { appendAll, batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { journalContract } from "./journal-contract.ts";

const die = (error: Error): never => {
  throw error;
};

journalContract("memory", () => new MemoryJournal());
journalContract("sqlite", (t) => new SqliteJournal(join(scratchFolder(t), "journal.sqlite"), die));

test("sqlite: what was appended is there after reopening", async (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  const first = new SqliteJournal(path, die);
  const head = await appendAll(first, batchesOf(1, randomFlow(1, 200)));
  await first.close();
  const second = new SqliteJournal(path, die);
  assert.deepEqual(await second.head(), head);
  await second.close();
  await assert.rejects(second.head());
});

test("sqlite: its files are the owner's alone", async (t) => {
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

test("sqlite: a thread that dies is told, once, and answers nothing more", async (t) => {
  const failures: Error[] = [];
  const journal = new SqliteJournal(join(scratchFolder(t), "journal.sqlite"), (error) => failures.push(error));
  await journal.head();
  const { worker } = journal as unknown as { worker: { terminate(): Promise<number> } };
  const pending = journal.append(batchesOf(1, randomFlow(1, 5))[0]!);
  pending.catch(() => {});
  await worker.terminate();
  await assert.rejects(journal.head(), /ended/);
  assert.equal(failures.length, 1);
  await journal.close();
});
