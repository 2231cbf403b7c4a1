/** Backup and restore of a data folder: complete, interrupted at any step, damaged, and with invalid destinations. */
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import {
  type BackupOptions,
  checkIsNoBackup,
  readRecord,
  takeBackup,
  writeRecord,
} from "../../../src/journal/backup/backup.ts";
import { restoreBackup, restoringFolder, type RestoreOptions } from "../../../src/journal/backup/restore.ts";
import { loadConfig } from "../../../src/platform/config/config.ts";
import { heldPaymentsPath, whyPaymentsAreHeld } from "../../../src/platform/config/held-payments.ts";
import { dataPaths, lockFolder } from "../../../src/journal/storage/data-folder.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { startNode } from "../../../src/main.ts";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { recover } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { append, folderWith } from "../replica/data-folder.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const BATCHES = batchesOf(7, randomFlow(7, 400));
const HALF = BATCHES.slice(0, BATCHES.length / 2);
const OTHERS = batchesOf(8, randomFlow(8, 40));
const NOW_MS = Date.UTC(2026, 10, 22);
const KEY = "ab".repeat(32);

const folderOf = (journal: string): string => join(journal, "..");

interface Backed {
  /** The node's data folder. */
  readonly source: string;
  readonly folder: string;
  backup(options?: Partial<BackupOptions>): ReturnType<typeof takeBackup>;
  restore(options?: Partial<RestoreOptions>): ReturnType<typeof restoreBackup>;
  readonly restored: string;
}

function start(t: TestContext, batches = BATCHES): Backed {
  const paths = folderWith(t, batches);
  const source = folderOf(paths.journal);
  const place = scratchFolder(t);
  const [folder, restored] = [join(place, "backup"), join(place, "restored")];
  return {
    ...{ source, folder, restored },
    backup: (options) =>
      takeBackup({ dataFolder: source, folder, withKey: false, isFull: false, nowMs: () => NOW_MS, ...options }),
    restore: (options) => restoreBackup({ folder, dataFolder: restored, isFull: false, ...options }),
  };
}

function snapshotAt(folder: string, seq: number): void {
  const paths = dataPaths(folder);
  const journal = JournalFile.openReadOnly(paths.journal);
  const { engine, head } = recover(journal, new SnapshotFolder(paths.snapshots), { world: MACHINE, untilSeq: seq });
  new SnapshotFolder(paths.snapshots).take(engine, head.chainHash);
  journal.close();
}

const lastSeqOf = (batches: typeof BATCHES): number => {
  const last = batches.at(-1);
  return last === undefined ? 0 : last.firstSeq + last.count - 1;
};

async function stateAt(folder: string, seq: number): Promise<string> {
  const journal = JournalFile.openReadOnly(dataPaths(folder).journal);
  const { engine } = recover(journal, new SnapshotFolder(join(folder, "none")), { world: MACHINE, untilSeq: seq });
  journal.close();
  return engine.stateHash().hash;
}

test("a backup restores the same state, from its snapshot and from the first row, and again after more entries", async (t) => {
  const { source, folder, restored, backup, restore } = start(t, HALF);
  snapshotAt(source, lastSeqOf(HALF) - 30);
  const first = await backup();
  assert.equal(first.seq, lastSeqOf(HALF));
  assert.equal(first.stateHash, await stateAt(source, first.seq));
  assert.ok(first.snapshotSeq > 0 && first.snapshotSeq <= first.seq);
  append(dataPaths(source), BATCHES.slice(HALF.length));
  snapshotAt(source, lastSeqOf(BATCHES) - 10);
  const second = await backup({ isFull: true });
  assert.deepEqual([second.fromSeq, second.seq], [first.seq, lastSeqOf(BATCHES)]);
  assert.equal(second.rows, BATCHES.length - HALF.length);
  assert.equal((await backup()).rows, 0);
  assert.equal(readRecord(folder)?.stateHash, second.stateHash);
  assert.equal(readRecord(folder)?.takenAt, "2026-11-22T00:00:00.000Z");
  const there = await restore();
  assert.equal(there.stateHash, await stateAt(source, second.seq));
  const { fault, stateHash } = verifyJournalFile(dataPaths(restored).journal);
  assert.deepEqual([fault, stateHash.hash], [null, second.stateHash]);
  assert.equal(readdirSync(dataPaths(restored).snapshots).length, 1);
  assert.ok(!existsSync(restoringFolder(restored)));
});

test("the position in a shared log is copied, but not to an earlier state", async (t) => {
  const { source, restored, backup, restore } = start(t, HALF);
  const journal = JournalFile.open(dataPaths(source).journal);
  const rows = BATCHES.slice(HALF.length, HALF.length + 2);
  for (const [at, row] of rows.entries()) journal.append(row, { epoch: "e1", number: at + 1, revision: 10 + at });
  journal.close();
  const placeIn = (folder: string): number | undefined => {
    const reader = JournalFile.openReadOnly(dataPaths(folder).journal);
    const place = reader.place();
    reader.close();
    return place?.number;
  };
  await backup();
  await restore();
  assert.equal(placeIn(restored), 2);
  const earlier = join(restored, "..", "earlier");
  await restore({ dataFolder: earlier, untilSeq: lastSeqOf(rows.slice(0, 1)) });
  assert.equal(placeIn(earlier), undefined);
});

test("interrupted after any step, a backup continues from there; so does a restore, and no node starts on an incomplete one", async (t) => {
  const { folder, restored, backup, restore } = start(t);
  class Ended extends Error {}
  const end = (): never => {
    throw new Ended();
  };
  const stepRows = 5;
  const whole = Math.ceil(BATCHES.length / stepRows);
  let ended = 0;
  for (; ended < whole; ended++) {
    await assert.rejects(backup({ stepRows, onStep: end }), Ended);
    assert.equal(readRecord(folder)?.seq, 0);
    await assert.rejects(restore(), /is an incomplete backup/);
  }
  const taken = await backup({ stepRows });
  assert.deepEqual([taken.fromSeq, taken.rows], [lastSeqOf(BATCHES), 0]);
  for (let n = 0; n < whole; n++) {
    await assert.rejects(restore({ stepRows, onStep: end }), Ended);
    assert.ok(!existsSync(restored));
  }
  assert.equal((await restore({ stepRows })).stateHash, taken.stateHash);
});

test("a backup of 0.2.0 is restored, whose state hash is the event digest", async (t) => {
  const { folder, backup, restore } = start(t);
  const taken = await backup();
  const path = join(folder, "backup.json");
  const record = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  const old = (stateHash: string): void => {
    const { eventDigest: _, ...rest } = record;
    writeFileSync(path, JSON.stringify({ ...rest, format: 1, stateHash }));
  };
  old("0".repeat(16));
  await assert.rejects(restore(), /its state differs from the state that the backup was verified with/);
  old(taken.eventDigest);
  assert.equal((await restore()).stateHash, taken.stateHash);
});

test("the state at an entry", async (t) => {
  const { source, backup, restore } = start(t);
  snapshotAt(source, lastSeqOf(BATCHES) - 10);
  await backup();
  const middle = BATCHES[BATCHES.length >> 1];
  assert.ok(middle !== undefined);
  // In the middle of a row: the previous row is the last.
  const restored = await restore({ untilSeq: middle.firstSeq + middle.count - 2 + (middle.count === 1 ? 1 : 0) });
  const expected = middle.count === 1 ? middle.firstSeq : middle.firstSeq - 1;
  assert.equal(restored.seq, expected);
  assert.equal(restored.stateHash, await stateAt(source, expected));
});

test("the master key is copied only on request, and stays", async (t) => {
  const { source, folder, restored, backup, restore } = start(t);
  await assert.rejects(backup({ withKey: true }), /configured elsewhere/);
  writeFileSync(join(source, "master.key"), `${KEY}\n`, { mode: 0o600 });
  assert.equal((await backup()).hasMasterKey, false);
  assert.ok(!existsSync(join(folder, "master.key")));
  assert.equal((await restore()).hasMasterKey, false);
  rmSync(restored, { recursive: true });
  assert.equal((await backup({ withKey: true })).hasMasterKey, true);
  assert.equal((await backup()).hasMasterKey, true);
  assert.equal((await restore()).hasMasterKey, true);
  assert.equal(readFileSync(join(restored, "master.key"), "utf8"), `${KEY}\n`);
  assert.equal(statSync(join(restored, "master.key")).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test("sandboxes are copied while they are written", async (t) => {
  const { source, restored, backup, restore } = start(t);
  mkdirSync(join(source, "sandbox"));
  const world = new DatabaseSync(join(source, "sandbox", "BTC.sqlite"));
  t.after(() => world.close());
  world.exec("PRAGMA journal_mode = WAL; CREATE TABLE blocks (height INTEGER); INSERT INTO blocks VALUES (1)");
  assert.equal((await backup()).sandboxes, 1);
  world.exec("INSERT INTO blocks VALUES (2)");
  assert.equal((await backup()).sandboxes, 1);
  await restore();
  const copy = new DatabaseSync(join(restored, "sandbox", "BTC.sqlite"), { readOnly: true });
  assert.equal(copy.prepare("SELECT max(height) AS height FROM blocks").get()?.["height"], 2);
  copy.close();
});

test("damage is not copied: the rows before it stay a valid backup", async (t) => {
  const { source, backup, restore } = start(t, HALF);
  const { seq } = await backup();
  append(dataPaths(source), BATCHES.slice(HALF.length));
  const database = new DatabaseSync(dataPaths(source).journal);
  const bad = BATCHES[HALF.length + 3]?.firstSeq as number;
  database.prepare("UPDATE batches SET time_ms = time_ms + 1 WHERE first_seq = ?").run(bad);
  database.close();
  await assert.rejects(backup({ stepRows: 1 }), new RegExp(`damaged at entry ${bad}: the hash chain is broken`));
  const restored = await restore();
  assert.ok(restored.seq >= seq && restored.seq === bad - 1);
  assert.equal(restored.stateHash, await stateAt(folderOf(folderWith(t, BATCHES).journal), bad - 1));
});

test("a backup with missing or altered rows is not restored", async (t) => {
  const { folder, restored, backup, restore } = start(t);
  await backup();
  const path = join(folder, "journal.sqlite");
  const database = new DatabaseSync(path);
  const last = BATCHES.at(-1)?.firstSeq as number;
  database.prepare("DELETE FROM batches WHERE first_seq = ?").run(last);
  database.close();
  await assert.rejects(restore(), /lists an entry that is missing from the backup/);
  assert.ok(!existsSync(restored));
});

test("a restored folder makes no payments until an operator allows it", async (t) => {
  const { restored, backup, restore } = start(t);
  await backup();
  await restore();
  assert.match(whyPaymentsAreHeld(restored), /payments are held until .*payments\.held is removed/);
  rmSync(heldPaymentsPath(restored));
  assert.equal(whyPaymentsAreHeld(restored), "");
});

test("an entry before the end of the first row cannot be restored", async (t) => {
  const { restored, backup, restore } = start(t);
  await backup();
  await assert.rejects(restore({ untilSeq: 0 }), /the first batch of the journal ends after it/);
  assert.ok(!existsSync(restored));
});

test("a key copied by an interrupted run is reported; a removed one is not required", async (t) => {
  const { source, folder, restored, backup, restore } = start(t);
  await backup();
  writeFileSync(join(source, "master.key"), `${KEY}\n`, { mode: 0o600 });
  await backup({ withKey: true, isFull: false });
  const { takenAt: _, ...rest } = readRecord(folder) ?? assert.fail();
  writeRecord(folder, { takenAt: "", ...rest, hasMasterKey: false });
  assert.equal((await backup()).hasMasterKey, true);
  rmSync(join(folder, "master.key"));
  assert.equal((await restore()).hasMasterKey, false);
  assert.ok(!existsSync(join(restored, "master.key")));
});

test("interrupted before the folder was marked, a run can be repeated", async (t) => {
  const { folder, backup } = start(t);
  mkdirSync(folder);
  writeFileSync(join(folder, "backup.json.4711.partial"), "{");
  assert.ok((await backup()).seq > 0);
});

test("a destination that cannot be replaced is rejected before anything is copied", async (t) => {
  const { restored, backup, restore } = start(t);
  await backup();
  const place = scratchFolder(t);
  symlinkSync(place, restored);
  await assert.rejects(restore(), /restored is not a folder/);
  assert.ok(!existsSync(restoringFolder(restored)));
});

test("no node starts on a backup", async (t) => {
  const { source, folder, backup } = start(t);
  await backup();
  const config = loadConfig({ flags: { data: folder, port: 0, adminPort: 0 } });
  await assert.rejects(
    startNode(config),
    /backup is a backup, not a data folder\. Create a data folder from it with `pricetime restore`/,
  );
  checkIsNoBackup(source);
  assert.equal((await backup()).rows, 0);
});

test("invalid destinations", async (t) => {
  const { source, folder, restored, backup, restore } = start(t);
  await assert.rejects(restore(), /is not a backup/);
  await assert.rejects(backup({ dataFolder: join(source, "nothing") }), /journal\.sqlite does not exist/);
  await assert.rejects(backup({ folder: source }), /is neither empty nor a backup/);
  await backup();
  const other = folderOf(folderWith(t, OTHERS).journal);
  await assert.rejects(backup({ dataFolder: other }), /is a copy of another journal|ends with entry/);
  mkdirSync(restored);
  writeFileSync(join(restored, "mine"), "");
  await assert.rejects(restore(), /is not empty/);
  const lock = lockFolder(folder);
  await assert.rejects(backup(), /is in use by a node, a backup or a restore/);
  lock.release();
  const elsewhere = join(folder, "..", "read-only");
  cpSync(folder, elsewhere, { recursive: true });
  assert.equal((await restore({ folder: elsewhere, dataFolder: join(restored, "deeper") })).hasMasterKey, false);
});
