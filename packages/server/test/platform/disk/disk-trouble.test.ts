/** Disk errors, produced by the real SQLite and Node where possible. */
import assert from "node:assert/strict";
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { isDiskTrouble, isFileTrouble, isNothingWritten } from "../../../src/platform/disk.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { JournalRefused } from "../../../src/journal/port.ts";
import { REAL_FILES, SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { batchesOf, setup } from "@pricetime/testkit/journal";

function errorOf(task: () => unknown): unknown {
  try {
    task();
  } catch (error) {
    return error;
  }
  return assert.fail("it did not fail");
}

test("a full database is a disk error that wrote nothing", (t) => {
  const database = new DatabaseSync(join(scratchFolder(t), "full.sqlite"));
  database.exec("CREATE TABLE a (b BLOB); PRAGMA max_page_count = 3");
  const error = errorOf(() => database.prepare("INSERT INTO a VALUES (zeroblob(100000))").run());
  assert.deepEqual([isDiskTrouble(error), isNothingWritten(error)], [true, true]);
  database.close();
});

test("after an I/O error the disk may have more than was reported", () => {
  const ioError = Object.assign(new Error("disk I/O error"), { errcode: 1034 });
  assert.deepEqual([isDiskTrouble(ioError), isNothingWritten(ioError)], [true, false]);
  assert.equal(isDiskTrouble(new Error("wrapped", { cause: ioError })), true);
});

test("an error without a known code, such as removing a file on a read-only disk, is a disk error", () => {
  const error = Object.assign(new Error(", Unknown error: Read-only file system 'a'"), { code: "", syscall: "rm" });
  assert.deepEqual([isDiskTrouble(error), isNothingWritten(error)], [true, false]);
});

test("corruption, misuse and constraints are not disk errors", (t) => {
  const path = join(scratchFolder(t), "not.sqlite");
  writeFileSync(path, "this is no database at all, whatever its name".repeat(100));
  const damage = errorOf(() => new DatabaseSync(path).prepare("SELECT * FROM a"));
  const missing = errorOf(() => openSync(join(path, "x"), "r"));
  for (const error of [damage, missing, new Error("full"), null, "ENOSPC", { code: 13 }]) {
    assert.equal(isDiskTrouble(error), false, String(error));
    // The rejected call is one that creates a file.
    assert.equal(isFileTrouble(error), error === missing, String(error));
  }
});

test("a batch that failed on a full disk is not in the journal", (t) => {
  const path = join(scratchFolder(t), "journal.sqlite");
  const [first, ...others] = batchesOf(1, setup());
  const prepared = t.mock.method(DatabaseSync.prototype, "prepare").mock;
  const journal = JournalFile.open(path);
  journal.append(first!);
  // The journal's connection is accessible only through its calls.
  const database = prepared.calls[0]?.this as DatabaseSync;
  database.exec("PRAGMA max_page_count = 1");
  const second = { ...(others[0] ?? { ...first!, firstSeq: first!.count + 1 }), bytes: new Uint8Array(100_000) };
  assert.ok(errorOf(() => journal.append(second)) instanceof JournalRefused);
  assert.equal(journal.head().lastSeq, first!.firstSeq + first!.count - 1);
  journal.close();
});

test("a partial snapshot does not block later ones", (t) => {
  const folder = join(scratchFolder(t), "snapshots");
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  const files = {
    ...REAL_FILES,
    create: (path: string) => ({
      ...REAL_FILES.create(path),
      sync: () => {
        throw full;
      },
    }),
  };
  const of = { seq: 1, chainHash: "0".repeat(64), eventDigest: "0".repeat(16) };
  assert.equal(
    errorOf(() => new SnapshotFolder(folder, files).write(of, (sink) => sink(new Uint8Array(9)))),
    full,
  );
  assert.deepEqual(REAL_FILES.list(folder), []);
});
