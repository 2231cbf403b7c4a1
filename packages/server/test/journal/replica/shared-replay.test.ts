import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { Engine } from "@pricetime/engine";
import { JournalDamaged } from "../../../src/journal/port.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { type DataPaths, dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { type Files, REAL_FILES, SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { openProjection, prepareHistory } from "../../../src/journal/storage/projection.ts";
import {
  goOn,
  recover,
  type Recovery,
  replayShared,
  type SharedReplayOptions,
} from "../../../src/journal/replica/recover.ts";
import { openStorage } from "../../../src/journal/storage/storage.ts";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { append, folderWith } from "./data-folder.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const WHOLE = new Engine();
const BATCHES = batchesOf(21, randomFlow(21, 1_500), WHOLE);
/** The position of history in these tests: the end of a row. */
const HISTORY_SEQ = BATCHES[100]!.firstSeq - 1;

const newest = (paths: DataPaths): number | undefined => new SnapshotFolder(paths.snapshots).list()[0]?.seq;

/** A journal, and history of its start; snapshots at this interval, if given. */
function folderWithHistory(t: TestContext, snapshotEveryEntries = 0): DataPaths {
  const paths = folderWith(t, BATCHES);
  const projection = openProjection({ paths, snapshotEveryEntries });
  for (let seq = 10; projection.seq < HISTORY_SEQ; seq += 10) projection.advance(Math.min(seq, HISTORY_SEQ));
  assert.equal(projection.seq, HISTORY_SEQ);
  projection.close();
  return paths;
}

function withRows<Result>(paths: DataPaths, use: (journal: JournalFile) => Result): Result {
  const journal = JournalFile.openReadOnly(paths.journal);
  try {
    return use(journal);
  } finally {
    journal.close();
  }
}

function share(paths: DataPaths, options: Partial<SharedReplayOptions> = {}, files?: Files): Recovery | undefined {
  const given = { world: MACHINE, historySeq: prepareHistory(paths), snapshotEveryEntries: 100, ...options };
  return withRows(paths, (journal) => replayShared(journal, new SnapshotFolder(paths.snapshots, files), given));
}

test("a long replay leaves the projector a snapshot at history's position, and continues to the head", (t) => {
  const paths = folderWithHistory(t);
  const shared = share(paths);
  assert.ok(shared !== undefined);
  assert.deepEqual([shared.engine.seq, shared.snapshotSeq, shared.entries], [HISTORY_SEQ, 0, HISTORY_SEQ]);
  assert.equal(newest(paths), HISTORY_SEQ);
  const projectors = withRows(paths, (journal) =>
    recover(journal, new SnapshotFolder(paths.snapshots), {
      world: MACHINE,
      notBeyondSeq: HISTORY_SEQ,
      untilSeq: HISTORY_SEQ,
    }),
  );
  assert.deepEqual([projectors.snapshotSeq, projectors.entries, projectors.refused], [HISTORY_SEQ, 0, []]);
  assert.deepEqual(projectors.engine.snapshot(), shared.engine.snapshot());

  const { engine, head, entries, snapshotSeq } = withRows(paths, (journal) =>
    goOn(journal, shared, { world: MACHINE }),
  );
  assert.deepEqual([engine.seq, head.lastSeq, entries, snapshotSeq], [WHOLE.seq, WHOLE.seq, WHOLE.seq, 0]);
  assert.deepEqual(engine.snapshot(), WHOLE.snapshot());
});

test("each recovers separately if snapshots are near, or none are taken, or history is short", (t) => {
  const paths = folderWithHistory(t);
  assert.equal(share(paths, { snapshotEveryEntries: 0 }), undefined);
  assert.equal(share(paths, { snapshotEveryEntries: Math.ceil(HISTORY_SEQ / 2) }), undefined);
  assert.ok(share(paths, { snapshotEveryEntries: Math.ceil(HISTORY_SEQ / 2) - 1 }) !== undefined);
  assert.equal(share(paths), undefined, "the one that was just left is near");
  rmSync(paths.history);
  assert.equal(share(paths), undefined, "history begins anew");
  const withSnapshots = folderWithHistory(t, 100);
  const seq = newest(withSnapshots);
  assert.equal(share(withSnapshots), undefined);
  assert.equal(newest(withSnapshots), seq);
});

test("a disk or system error of the snapshot stops nothing, a bug does", (t) => {
  const paths = folderWithHistory(t);
  const failing = (what: object): Files => ({
    ...REAL_FILES,
    create: () => {
      throw Object.assign(new Error("no"), what);
    },
  });
  for (const what of [{ code: "ENOSPC" }, { code: "ESTALE", syscall: "open" }]) {
    const shared = share(paths, {}, failing(what));
    assert.equal(shared?.engine.seq, HISTORY_SEQ);
    assert.equal(newest(paths), undefined);
  }
  assert.throws(() => share(paths, {}, failing({})), /^Error: no$/);
});

test("damage is found as usual, before history's position or after it", (t) => {
  for (const row of [50, 120]) {
    const paths = dataPaths(folderWithHistory(t).history.replace(/\/[^/]*$/, ""));
    rmSync(paths.journal);
    append(paths, [...BATCHES.slice(0, row), { ...BATCHES[row]!, priorEventDigest: "0123456789abcdef" }]);
    append(paths, BATCHES.slice(row + 1));
    const damaged = (error: Error): boolean => error instanceof JournalDamaged && error.seq === BATCHES[row]!.firstSeq;
    assert.throws(
      () =>
        withRows(paths, (journal) => {
          const snapshots = new SnapshotFolder(paths.snapshots);
          const shared = replayShared(journal, snapshots, {
            world: MACHINE,
            historySeq: HISTORY_SEQ,
            snapshotEveryEntries: 100,
          });
          goOn(journal, shared!, { world: MACHINE });
        }),
      damaged,
    );
    assert.equal(newest(paths), row < 100 ? undefined : HISTORY_SEQ, "a snapshot of a state that was not checked");
  }
});

test("a node starts like this: history reaches the head, and the next start is short", async (t) => {
  const paths = folderWithHistory(t);
  const folder = paths.history.replace(/\/[^/]*$/, "");
  const die = (error: Error): never => {
    throw error;
  };
  const storage = openStorage({ world: MACHINE, folder, snapshotEveryEntries: 200, onFatal: die });
  await storage.started();
  assert.ok(existsSync(`${paths.snapshots}/${HISTORY_SEQ}.snap`));
  assert.deepEqual(storage.recovery.engine.snapshot(), WHOLE.snapshot());
  assert.equal(storage.recovery.entries, WHOLE.seq);
  await storage.close();
  assert.equal(prepareHistory(paths), WHOLE.seq);
  assert.equal(newest(paths), WHOLE.seq);
});
