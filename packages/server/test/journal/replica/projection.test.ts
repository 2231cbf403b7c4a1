import assert from "node:assert/strict";
import { copyFileSync, rmSync, statSync } from "node:fs";
import { test } from "node:test";
import { Engine, POSTING_REASONS } from "@pricetime/engine";
import { until } from "@pricetime/testkit/waiting";
import fc from "fast-check";
import { BUCKETS } from "../../../src/history/table/columns.ts";
import { openHistoryFile, openHistoryReadOnly } from "../../../src/history/table/schema.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import { type Files, REAL_FILES, SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { HistoryForeign, Projection } from "../../../src/journal/replica/projection.ts";
import { openProjection, startProjector } from "../../../src/journal/storage/projection.ts";
import { rebuildHistory } from "../../../src/journal/storage/rebuild-history.ts";
import { batchesOf, dumpHistory, randomFlow } from "@pricetime/testkit/journal";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { append, folderWith } from "./data-folder.ts";

const COMMANDS = randomFlow(21, 1_200);
const BATCHES = batchesOf(21, COMMANDS);
const LAST_SEQ = COMMANDS.length;

const die = (error: Error): never => {
  throw error;
};

test("history is the same however often it is interrupted", (t) => {
  const paths = folderWith(t, BATCHES);
  assert.equal(rebuildHistory(paths), LAST_SEQ);
  const expected = dumpHistory(paths.history);
  assert.ok((expected["trades"]?.length ?? 0) > 200, "the flow hardly trades");
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 }), (steps) => {
      const again = folderWith(t, BATCHES);
      let untilSeq = 0;
      for (const step of [...steps, LAST_SEQ]) {
        untilSeq += step;
        const projection = openProjection({ paths: again, snapshotEveryEntries: 150 });
        projection.advance(untilSeq);
        projection.close();
      }
      assert.deepEqual(dumpHistory(again.history), expected);
    }),
    { numRuns: 8 },
  );
});

test("history advances only as far as requested", (t) => {
  const projection = openProjection({ paths: folderWith(t, BATCHES), snapshotEveryEntries: 0 });
  const seq = BATCHES[3]!.firstSeq - 1;
  assert.equal(projection.advance(0), false);
  assert.equal(projection.advance(seq), true);
  assert.deepEqual([projection.advance(seq), projection.seq], [false, seq]);
  projection.close();
});

test("an order is written once per transaction, in its final state", (t) => {
  const paths = folderWith(t, BATCHES);
  rebuildHistory(paths);
  const { orders = [], position } = dumpHistory(paths.history);
  assert.deepEqual(position?.length, 1);
  assert.equal(new Set(orders.map((row) => row.split("|")[0])).size, orders.length);
});

test("amounts beyond 64 bits are exact", (t) => {
  const paths = folderWith(t, BATCHES);
  rebuildHistory(paths);
  const { entry_postings: postings = [], klines = [] } = dumpHistory(paths.history);
  assert.ok(
    postings.some((row) => row.includes(',"9000000000000000000000000000",')),
    "deposits of 9e19 whole coins",
  );
  assert.ok(klines.some((row) => BigInt(row.split("|")[8] ?? "0") > 2n ** 63n));
});

test("every posting of the engine is stored", (t) => {
  const paths = folderWith(t, BATCHES);
  rebuildHistory(paths);
  const expected: unknown[][] = [];
  const engine = new Engine({ recordPostings: true });
  const journal = JournalFile.openReadOnly(paths.journal);
  t.after(() => journal.close());
  for (const batch of journal.read(1)) {
    replayBatch(engine, batch, ({ seq, timeMs }) => {
      for (const [place, { assetId, amount, reason, ...move }] of engine.postings.entries()) {
        const from = [move.fromAccountId, BUCKETS.indexOf(move.fromBucket)];
        const to = [move.toAccountId, BUCKETS.indexOf(move.toBucket)];
        expected.push(
          [seq, place, timeMs, assetId, amount, ...from, ...to, POSTING_REASONS.indexOf(reason)].map(String),
        );
      }
    });
  }
  const database = openHistoryReadOnly(paths.history);
  t.after(() => database.close());
  const statement = database.prepare("SELECT * FROM postings ORDER BY seq, place");
  statement.setReadBigInts(true);
  const found = statement.all().map((row) => Object.values(row).map(String));
  assert.ok(found.length > 1_000);
  assert.deepEqual(found, expected);
});

test("an operator's action is stored with its outcome, without secrets", (t) => {
  const paths = folderWith(t, BATCHES);
  append(paths, []);
  rebuildHistory(paths);
  const acts = dumpHistory(paths.history)["operator_acts"] ?? [];
  assert.equal(acts.length, COMMANDS.filter((command) => "by" in command).length);
  assert.ok(acts.some((row) => row.includes("createApiKey|test|100|done")));
  assert.doesNotMatch(acts.join("\n"), /sealed/);
});

test("history made from another journal, or ahead of it, is rejected", (t) => {
  const paths = folderWith(t, BATCHES);
  rebuildHistory(paths);
  const other = folderWith(t, batchesOf(22, randomFlow(22, 1_200)));
  const shorter = folderWith(t, BATCHES.slice(0, 30));
  for (const [to, what] of [
    [other, /another journal|which the journal does not/],
    [shorter, /which the journal does not/],
  ] as const) {
    copyFileSync(paths.history, to.history);
    const refused = (error: unknown): boolean => error instanceof HistoryForeign && what.test(error.message);
    assert.throws(() => openProjection({ paths: to, snapshotEveryEntries: 0 }), refused);
    assert.throws(() => startProjector({ paths: to, snapshotEveryEntries: 0, onFatal: die }), refused);
  }
});

test("the projector's thread follows what is published, no further, and leaves a snapshot", async (t) => {
  const paths = folderWith(t, BATCHES);
  const middle = BATCHES[40]!.firstSeq - 1;
  const projector = startProjector({ paths, snapshotEveryEntries: 1_000_000, onFatal: die });
  const moved = (seq: number): Promise<void> =>
    new Promise((resolve) => {
      projector.progress.setAwaited(true);
      projector.onMoved(() => projector.seq >= seq && resolve());
    });
  const half = moved(middle);
  projector.publish(middle);
  await half;
  assert.equal(projector.seq, middle);
  projector.publish(LAST_SEQ);
  await projector.stop();
  assert.equal(projector.seq, LAST_SEQ);
  assert.deepEqual(
    new SnapshotFolder(paths.snapshots).list().map((name) => name.seq),
    [LAST_SEQ],
  );
  for (const file of [paths.history, new SnapshotFolder(paths.snapshots).list()[0]!.path]) {
    assert.equal((statSync(file).mode & 0o777).toString(8), "600", file);
  }
  const interrupted = dumpHistory(paths.history);
  rebuildHistory(paths);
  assert.deepEqual(dumpHistory(paths.history), interrupted);
});

test("removing snapshots while one is written stops nothing: the next one creates the folder again", (t) => {
  const paths = folderWith(t, BATCHES);
  let isRemoved = false;
  const rename: Files["rename"] = (from, to) => {
    if (!isRemoved) rmSync(paths.snapshots, { recursive: true });
    isRemoved = true;
    REAL_FILES.rename(from, to);
  };
  const troubles: (string | undefined)[] = [];
  const journal = JournalFile.openReadOnly(paths.journal);
  const projection = new Projection({
    journal,
    database: openHistoryFile(paths.history),
    snapshots: new SnapshotFolder(paths.snapshots, { ...REAL_FILES, rename }),
    ...{ snapshotEveryEntries: 0, path: paths.history, world: MACHINE, onClose: () => journal.close() },
    onSnapshotTrouble: (error) => void troubles.push(error?.message.split(":")[0]),
  });
  projection.advance(LAST_SEQ);
  projection.snapshot();
  assert.deepEqual([troubles, new SnapshotFolder(paths.snapshots).list()], [["ENOENT"], []]);
  projection.snapshot();
  assert.deepEqual(troubles, ["ENOENT", undefined]);
  assert.deepEqual(
    new SnapshotFolder(paths.snapshots).list().map(({ seq }) => seq),
    [projection.seq],
  );
  projection.close();
});

test("a projector that cannot follow the journal reports it", async (t) => {
  const paths = folderWith(t, BATCHES.slice(0, 10));
  append(paths, [{ ...BATCHES[10]!, priorEventDigest: "0123456789abcdef" }]);
  const failures: Error[] = [];
  const projector = startProjector({ paths, snapshotEveryEntries: 0, onFatal: (error) => failures.push(error) });
  projector.publish(BATCHES[11]!.firstSeq - 1);
  await until("it says so", () => failures.length > 0);
  assert.equal(failures.length, 1);
  assert.match(failures[0]?.message ?? "", /another state/);
  await assert.rejects(projector.stop(), /another state/);
});

test("a journal that is read while it is written", (t) => {
  const paths = folderWith(t, BATCHES.slice(0, 5));
  const reader = JournalFile.openReadOnly(paths.journal);
  append(paths, BATCHES.slice(5, 9));
  assert.equal([...reader.read(1)].length, 9);
  reader.close();
});
