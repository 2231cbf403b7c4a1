import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Engine } from "@pricetime/engine";
import fc from "fast-check";
import { JournalDamaged } from "../../../src/journal/port.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import type { DataPaths } from "../../../src/journal/storage/data-folder.ts";
import { openProjection } from "../../../src/journal/storage/projection.ts";
import { type RecoverOptions, type Recovery, recover } from "../../../src/journal/replica/recover.ts";
import {
  readSnapshotFile,
  REAL_FILES,
  SnapshotDamaged,
  SnapshotFolder,
} from "../../../src/journal/replica/snapshots.ts";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { append, folderWith } from "./data-folder.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const WHOLE = new Engine();
const BATCHES = batchesOf(11, randomFlow(11, 1_500), WHOLE);

function recoverFrom(paths: DataPaths, options?: Partial<RecoverOptions>): Recovery {
  const journal = JournalFile.openReadOnly(paths.journal);
  try {
    return recover(journal, new SnapshotFolder(paths.snapshots), { world: MACHINE, ...options });
  } finally {
    journal.close();
  }
}

/** Projects everything, taking snapshots on the way. */
function project(paths: DataPaths, snapshotEveryEntries: number): void {
  const projection = openProjection({ paths, snapshotEveryEntries });
  for (let untilSeq = 100; untilSeq < WHOLE.seq + 100; untilSeq += 100) projection.advance(untilSeq);
  projection.close();
}

function snapshotSeqs(paths: DataPaths): number[] {
  return new SnapshotFolder(paths.snapshots).list().map((name) => name.seq);
}

test("the state is recovered from the journal alone", (t) => {
  const paths = folderWith(t, BATCHES);
  const { engine, head, snapshotSeq, entries } = recoverFrom(paths);
  assert.equal(engine.eventDigest(), WHOLE.eventDigest());
  assert.deepEqual(engine.snapshot(), WHOLE.snapshot());
  assert.deepEqual([head.lastSeq, snapshotSeq, entries], [WHOLE.seq, 0, WHOLE.seq]);
});

test("every engine hashes client ids differently, so that clients cannot find collisions", (t) => {
  const paths = folderWith(t, BATCHES);
  const hashOf = (): number => {
    const { engine } = recoverFrom(paths);
    return engine.state.orders.hash.of("order1234567890");
  };
  // Hashes of 26 bits: two may be equal by chance, once in millions of runs; three never are
  const differ = (): boolean => new Set([hashOf(), hashOf(), hashOf()]).size > 1;
  assert.ok(differ(), "from nothing");
  project(paths, 400);
  assert.ok(recoverFrom(paths).snapshotSeq > 0);
  assert.ok(differ(), "from a snapshot");
});

test("the same state from a snapshot and the tail", (t) => {
  const paths = folderWith(t, BATCHES);
  project(paths, 400);
  const seqs = snapshotSeqs(paths);
  assert.equal(seqs.length, 3, "three are kept");
  const { engine, snapshotSeq, entries, refused } = recoverFrom(paths);
  assert.deepEqual([snapshotSeq, entries, refused.length], [seqs[0], WHOLE.seq - (seqs[0] ?? 0), 0]);
  assert.ok(entries > 0);
  assert.deepEqual(engine.snapshot(), WHOLE.snapshot());
});

test("recovery up to an entry, with snapshots up to an entry", (t) => {
  const paths = folderWith(t, BATCHES);
  project(paths, 300);
  const [, second = 0] = snapshotSeqs(paths);
  const until = BATCHES.find((batch) => batch.firstSeq > second + 50)!.firstSeq - 1;
  const found = recoverFrom(paths, { notBeyondSeq: second, untilSeq: until });
  assert.deepEqual([found.snapshotSeq, found.engine.seq, found.head.lastSeq], [second, until, until]);
});

test("a damaged snapshot is skipped in favor of an older one, or of none", (t) => {
  const paths = folderWith(t, BATCHES);
  project(paths, 400);
  const names = new SnapshotFolder(paths.snapshots).list();
  for (const [damaged, { path }] of names.entries()) {
    const bytes = readFileSync(path);
    bytes[200 + damaged * 31]! ^= 4;
    writeFileSync(path, bytes);
    const { engine, snapshotSeq, refused } = recoverFrom(paths);
    assert.equal(engine.eventDigest(), WHOLE.eventDigest());
    assert.equal(snapshotSeq, names[damaged + 1]?.seq ?? 0);
    assert.equal(refused.length, damaged + 1);
    assert.match(refused[0] ?? "", /checksum is wrong/);
  }
});

test("any changed byte of a snapshot is detected", (t) => {
  const paths = folderWith(t, BATCHES);
  project(paths, 1_400);
  const { path } = new SnapshotFolder(paths.snapshots).list()[0]!;
  const sound = readFileSync(path);
  fc.assert(
    fc.property(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const hurt = Buffer.from(sound);
      hurt[at]! ^= change;
      writeFileSync(path, hurt);
      assert.throws(() => readSnapshotFile(REAL_FILES, path), SnapshotDamaged);
    }),
  );
  writeFileSync(path, sound.subarray(0, sound.length - 1));
  assert.throws(() => readSnapshotFile(REAL_FILES, path), SnapshotDamaged);
  writeFileSync(path, sound.subarray(0, 50));
  assert.throws(() => readSnapshotFile(REAL_FILES, path), SnapshotDamaged);
});

test("a snapshot of another journal, or beyond this one, is rejected", (t) => {
  const other = folderWith(t, batchesOf(12, randomFlow(12, 1_500)));
  const paths = folderWith(t, BATCHES.slice(0, 60));
  project(other, 300);
  const { engine, snapshotSeq, refused } = recoverFrom({ ...paths, snapshots: other.snapshots });
  assert.deepEqual([snapshotSeq, refused.length], [0, 3]);
  assert.equal(engine.eventDigest(), BATCHES[60]!.priorEventDigest);
  append(paths, BATCHES.slice(60));
  const again = recoverFrom({ ...paths, snapshots: other.snapshots });
  assert.deepEqual([again.snapshotSeq, again.refused.length], [0, 3]);
  assert.match(again.refused.join(), /no row ends with its entry|the chain is not the same/);
});

test("a snapshot of a journal with the same rows in another chain is rejected", (t) => {
  const paths = folderWith(t, BATCHES);
  const twin = folderWith(
    t,
    BATCHES.map((batch) => ({ ...batch, node: "n2" })),
  );
  project(twin, 300);
  const { snapshotSeq, refused } = recoverFrom({ ...paths, snapshots: twin.snapshots });
  assert.deepEqual([snapshotSeq, refused.length], [0, 3]);
  assert.match(refused.join(), /the chain is not the same/);
});

test("an altered row breaks the chain, and recovery stops there", (t) => {
  const paths = folderWith(t, BATCHES);
  const { firstSeq } = BATCHES[30]!;
  const database = new DatabaseSync(paths.journal);
  database.prepare("UPDATE batches SET node = 'n9' WHERE first_seq = ?").run(firstSeq);
  database.close();
  assert.throws(
    () => recoverFrom(paths),
    (error) => error instanceof JournalDamaged && error.seq === firstSeq && /chain/.test(error.message),
  );
});

test("damage in the tail stops recovery, with its place", (t) => {
  const paths = folderWith(t, BATCHES.slice(0, 20));
  append(paths, [{ ...BATCHES[20]!, priorEventDigest: "0123456789abcdef" }]);
  assert.throws(
    () => recoverFrom(paths),
    (error) => error instanceof JournalDamaged && error.seq === BATCHES[20]!.firstSeq,
  );
});
