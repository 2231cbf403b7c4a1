/** SQLite's log of a history stays small, whatever else reads it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { setup } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { transaction } from "../../src/platform/disk.ts";
import { openHistoryFile, openHistoryReadOnly } from "../../src/history/table/schema.ts";
import { MAX_LOG_BYTES, WriteAheadLog } from "../../src/history/writing/history-writer.ts";
import { GroupCommitSequencer } from "../../src/journal/sequencer/group-commit.ts";
import { dataPaths } from "../../src/journal/storage/data-folder.ts";
import { openStorage, type Storage } from "../../src/journal/storage/storage.ts";
import { MACHINE } from "../../src/platform/world/machine.ts";

const MIB = 1024 * 1024;
const MAX_BYTES = 8 * MIB;
/** What a commit of `write` adds to the log, with the pages around its rows. */
const MOST_A_COMMIT = 1.1 * MIB;
const HOUR_MS = 3_600_000;

interface Written {
  readonly path: string;
  readonly database: DatabaseSync;
  /** Commits a MiB. */
  readonly write: () => void;
  readonly logBytes: () => number;
}

function writtenFile(t: TestContext): Written {
  const path = join(scratchFolder(t), "history.sqlite");
  const database = openHistoryFile(path);
  t.after(() => database.close());
  database.exec("CREATE TABLE rows (bytes BLOB)");
  return { path, database, write: () => write(database), logBytes: () => statSync(`${path}-wal`).size };
}

function write(database: DatabaseSync): void {
  transaction(database, "IMMEDIATE", () => database.prepare("INSERT INTO rows VALUES (zeroblob(?))").run(MIB));
}

function beginRead(path: string): DatabaseSync {
  const database = openHistoryReadOnly(path);
  database.exec("BEGIN");
  assert.ok(database.prepare("SELECT count(*) FROM rows").get());
  return database;
}

test("the log stays within its bound while reads overlap without end", async (t) => {
  const { path, database, write, logBytes } = writtenFile(t);
  let nowMs = 0;
  // Long enough for a slow machine: the awaited reads end by themselves.
  const log = new WriteAheadLog(database, { steadyMs: () => nowMs, maxBytes: MAX_BYTES, patienceMs: 60_000 });
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const reads = new Worker(new URL("./overlapping-reads.ts", import.meta.url), { workerData: { path, stop } });
  const ended = once(reads, "exit");
  await once(reads, "message");
  let most = 0;
  try {
    for (let n = 0; n < 40; n++) {
      write();
      most = Math.max(most, logBytes());
      nowMs += HOUR_MS;
      log.keepSmall();
      assert.ok(logBytes() <= MAX_BYTES, `after commit ${n} the log has ${logBytes()} bytes`);
    }
  } finally {
    Atomics.store(stop, 0, 1);
    assert.deepEqual(await ended, [0]);
  }
  assert.ok(most <= MAX_BYTES + MOST_A_COMMIT, `the log had ${most} bytes`);
  assert.deepEqual({ ...database.prepare("SELECT count(*) AS count FROM rows").get() }, { count: 40 });
});

test("a read that takes too long is waited for at times, not at each commit", (t) => {
  const { path, database, write, logBytes } = writtenFile(t);
  let nowMs = 0;
  const log = new WriteAheadLog(database, { steadyMs: () => nowMs, maxBytes: MAX_BYTES, patienceMs: 1 });
  const tried = t.mock.method(database, "prepare").mock;
  const tries = (): number =>
    tried.calls.filter(({ arguments: [sql] }) => String(sql).includes("wal_checkpoint")).length;
  const step = (passMs: number): number => {
    write();
    nowMs += passMs;
    log.keepSmall();
    return tries();
  };
  const long = beginRead(path);
  for (let n = 0; n < 7; n++) assert.equal(step(1_000), 0, "the log is small");
  assert.deepEqual([step(1_000), step(1_000), step(28_000)], [1, 1, 1]);
  assert.equal(step(1_000), 2);
  assert.ok(logBytes() > MAX_BYTES);
  // It reads the state at its beginning, and the writer waits for nobody again.
  assert.deepEqual({ ...long.prepare("SELECT count(*) AS count FROM rows").get() }, { count: 0 });
  assert.deepEqual({ ...database.prepare("PRAGMA busy_timeout").get() }, { timeout: 0 });
  long.close();
  assert.equal(step(30_000), 3);
  assert.equal(logBytes(), 0);
});

test("a database in memory has no log", (t) => {
  const database = openHistoryFile(":memory:");
  t.after(() => database.close());
  new WriteAheadLog(database, { steadyMs: () => 0, maxBytes: 0 }).keepSmall();
});

test("a node's projector gives the room of a large log back once it has written", async (t) => {
  const folder = scratchFolder(t);
  const { history } = dataPaths(folder);
  const onFatal = (error: Error): never => {
    throw error;
  };
  const open = (): Storage => openStorage({ world: MACHINE, folder, snapshotEveryEntries: 0, onFatal });
  await open().close();
  // It stays open, because SQLite would remove the log.
  const other = openHistoryFile(history);
  t.after(() => other.close());
  other.exec("CREATE TABLE rows (bytes BLOB)");
  other.prepare("INSERT INTO rows VALUES (zeroblob(?))").run(MAX_LOG_BYTES);
  const logBytes = (): number => statSync(`${history}-wal`).size;
  assert.ok(logBytes() > MAX_LOG_BYTES);
  const storage = open();
  const { engine } = storage.recovery;
  const sequencer = new GroupCommitSequencer({
    ...{ world: MACHINE, journal: storage.journal, engine, node: "n1", onFatal },
    onBatch: () => storage.projector.publish(engine.seq),
  });
  for (const command of setup()) await sequencer.run(command);
  await until("the log is empty", () => logBytes() < MIB);
  await sequencer.stop();
  await storage.close();
});
