/**
 * One field of the state differs from the journal's, with valid checksums. A start that restores it notices, and uses
 * an older snapshot or the journal; verification reports a snapshot of it, with the part that differs. Snapshots of one
 * entry have the same bytes, whatever path led there.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Engine } from "@pricetime/engine";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import type { JournalReader } from "../../../src/journal/port.ts";
import { recover, replayBatch } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { verifyJournal } from "../../../src/journal/replica/verify-journal.ts";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { folderWith } from "./data-folder.ts";

const BATCHES = batchesOf(21, randomFlow(21, 1_200));

interface Inside {
  readonly state: {
    readonly ledger: { readonly holdings: ({ readonly balances: ({ free: bigint } | undefined)[] } | undefined)[] };
    readonly markets: { firstTradeMs: number; readonly spec: { readonly symbol: string } }[];
    lastOrderId: number;
  };
}

const inside = (engine: Engine): Inside["state"] => (engine as unknown as Inside).state;

function plantMoney(engine: Engine): void {
  const balance = inside(engine)
    .ledger.holdings.flatMap((held) => held?.balances ?? [])
    .find((held) => held !== undefined);
  assert.ok(balance !== undefined);
  balance.free += 1n;
}

const PLANTS: readonly (readonly [plant: (engine: Engine) => void, part: RegExp])[] = [
  [plantMoney, /^ledger$/],
  [(engine) => void (inside(engine).markets[0]!.firstTradeMs += 1), /^market \w+$/],
  [(engine) => void (inside(engine).lastOrderId += 1), /^exchange$/],
];

/** The engine after this many rows, from the first one on. */
function replayed(journal: JournalReader, rows: number): { readonly engine: Engine; readonly chainHash: string } {
  const engine = new Engine();
  let chainHash = "";
  for (const batch of journal.read(1)) {
    if (rows-- === 0) break;
    replayBatch(engine, batch);
    ({ chainHash } = batch);
  }
  return { engine, chainHash };
}

function open(t: TestContext): {
  readonly path: string;
  readonly folder: string;
  readonly journal: JournalReader;
  readonly snapshots: SnapshotFolder;
} {
  const paths = folderWith(t, BATCHES);
  const journal = JournalFile.openReadOnly(paths.journal);
  t.after(() => journal.close());
  const snapshots = new SnapshotFolder(paths.snapshots);
  return { path: paths.journal, folder: paths.snapshots, journal, snapshots };
}

test("verification finds a snapshot whose state differs from the journal's, part by part", (t) => {
  for (const [plant, part] of PLANTS) {
    const { path, folder, journal, snapshots } = open(t);
    const { engine, chainHash } = replayed(journal, BATCHES.length - 5);
    snapshots.take(engine, chainHash);
    assert.deepEqual(verifyJournalFile(path, folder).foreignSnapshots, []);
    plant(engine);
    const planted = snapshots.list()[0]!;
    snapshots.write({ seq: engine.seq, chainHash, eventDigest: engine.eventDigest() }, (sink) =>
      sink(engine.snapshot()),
    );
    const { fault, foreignSnapshots } = verifyJournal(journal, snapshots);
    assert.equal(fault, null, "the journal itself is sound");
    assert.equal(foreignSnapshots.length, 1);
    assert.equal(foreignSnapshots[0]?.path, planted.path);
    assert.equal(foreignSnapshots[0]?.parts.length, 1);
    assert.match(foreignSnapshots[0]?.parts[0] ?? "", part);
  }
});

test("verification reports a snapshot that cannot be compared, with the reason", (t) => {
  const { path, folder, journal, snapshots } = open(t);
  const { engine, chainHash } = replayed(journal, BATCHES.length - 5);
  const bytes = Uint8Array.from(engine.snapshot());
  // The layout is its first number.
  bytes[0] = 127;
  const of = { seq: engine.seq, chainHash, eventDigest: engine.eventDigest() };
  snapshots.write(of, (sink) => sink(bytes));
  // No row ends with this entry.
  snapshots.write({ ...of, seq: 9_999_999 }, (sink) => engine.snapshotInPieces(sink));
  const [beyond, unread] = snapshots.list();
  const { fault, foreignSnapshots, uncomparedSnapshots } = verifyJournalFile(path, folder);
  assert.equal(fault, null);
  assert.deepEqual(foreignSnapshots, []);
  const [one, other] = uncomparedSnapshots;
  assert.equal(uncomparedSnapshots.length, 2);
  assert.equal(one?.path, unread?.path);
  assert.match(one?.reason ?? "", /^snapshot layout 127 is not \d+$/);
  assert.deepEqual(other, { path: beyond?.path, reason: "no row ends with its entry" });
});

test("a snapshot that this release fails to restore counts as not compared", (t) => {
  const { path, folder, journal, snapshots } = open(t);
  const { engine, chainHash } = replayed(journal, BATCHES.length - 5);
  snapshots.take(engine, chainHash);
  assert.deepEqual(verifyJournalFile(path, folder).uncomparedSnapshots, []);
  const { restore } = Engine;
  t.after(() => void (Engine.restore = restore));
  Engine.restore = () => {
    throw new TypeError("a bug of ours");
  };
  const { uncomparedSnapshots } = verifyJournalFile(path, folder);
  assert.deepEqual(uncomparedSnapshots, [{ path: snapshots.list()[0]?.path, reason: "a bug of ours" }]);
});

test("a start skips a snapshot whose restored state differs from its bytes, and reports the part", (t) => {
  const { journal, snapshots } = open(t);
  const { engine, chainHash } = replayed(journal, BATCHES.length - 5);
  snapshots.take(engine, chainHash);
  const sound = recover(journal, snapshots, { world: MACHINE });
  assert.equal(sound.snapshotSeq, engine.seq);
  const { restore } = Engine;
  t.after(() => void (Engine.restore = restore));
  for (const [plant, part] of PLANTS) {
    Engine.restore = (bytes, options) => {
      const restored = restore.call(Engine, bytes, options);
      plant(restored);
      return restored;
    };
    const { snapshotSeq, refused, engine: replayedAll } = recover(journal, snapshots, { world: MACHINE });
    assert.equal(snapshotSeq, 0, "the snapshot was passed over");
    assert.match(refused.join(), /restored, it is another state than it holds: /);
    assert.match(refused.join().split(": ").at(-1) ?? "", part);
    assert.deepEqual(replayedAll.stateHash(), sound.engine.stateHash());
  }
});

test("a start on a snapshot of an older layout, which is not compared, checks the invariants", (t) => {
  const { journal, snapshots } = open(t);
  const { engine, chainHash } = replayed(journal, BATCHES.length - 5);
  snapshots.take(engine, chainHash);
  const { restore, isOfNewestLayout } = Engine;
  t.after(() => Object.assign(Engine, { restore, isOfNewestLayout }));
  Engine.isOfNewestLayout = () => false;
  assert.equal(recover(journal, snapshots, { world: MACHINE }).snapshotSeq, engine.seq);
  Engine.restore = (bytes, options) => {
    const restored = restore.call(Engine, bytes, options);
    plantMoney(restored);
    return restored;
  };
  const { snapshotSeq, refused } = recover(journal, snapshots, { world: MACHINE });
  assert.equal(snapshotSeq, 0, "the snapshot was passed over");
  assert.match(refused.join(), /does not sum to zero$/);
});

test("live, restored with the tail, and replayed: the snapshot has the same bytes", (t) => {
  const { journal, snapshots } = open(t);
  const half = replayed(journal, Math.floor(BATCHES.length / 2));
  snapshots.take(half.engine, half.chainHash);
  const live = replayed(journal, Number.POSITIVE_INFINITY).engine;
  const resumed = recover(journal, snapshots, { world: MACHINE });
  assert.equal(resumed.snapshotSeq, half.engine.seq);
  const again = recover(journal, new SnapshotFolder(`${snapshots.list()[0]?.path}.none`), { world: MACHINE });
  assert.equal(again.snapshotSeq, 0);
  for (const { engine } of [resumed, again]) assert.deepEqual(engine.snapshot(), live.snapshot());
});
