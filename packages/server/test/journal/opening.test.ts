/** Threads of a starting node open and close the journal concurrently: each waits a moment for others. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../src/journal/journal-file.ts";

/** Locks the file like the last connection while it closes, for a third of a second. */
const HOLDER = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(workerData);
database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
parentPort.postMessage("held");
setTimeout(() => database.close(), 300);
`;

for (const [name, open] of [
  ["for writing", (path: string) => JournalFile.open(path)],
  ["for reading", (path: string) => JournalFile.openReadOnly(path)],
] as const) {
  test(`a journal that is locked for a moment is opened ${name} after it`, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "journal.sqlite");
    try {
      JournalFile.open(path).close();
      const holder = new Worker(HOLDER, { eval: true, workerData: path });
      const ended = once(holder, "exit");
      await once(holder, "message");
      const file = open(path);
      assert.equal(file.head().lastSeq, 0);
      file.close();
      await ended;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
