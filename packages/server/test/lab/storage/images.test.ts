/** Switching between images: the same state, the same journal and the same history, however often. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dumpHistory, randomFlow, setup } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { type Batch, JournalDamaged } from "../../../src/journal/port.ts";
import type { StorageImage } from "../../../src/lab/storage/images.ts";
import { LeftWaysFull } from "../../../src/lab/storage/lab-journal.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { verifyHistory } from "../../../src/journal/storage/rebuild-history.ts";
import { lab, order, type SequencedLab } from "./sequenced-lab.ts";

const SMALL = { freshJournalBytes: 20_000, spilledRowsAtATime: 5, unwrittenEntries: 50 };

/** The complete state of an instant, for comparison. */
async function stateOf({ storage }: SequencedLab): Promise<unknown> {
  const { engine } = storage.recovery;
  const { seq, timeMs } = engine;
  const rows: string[] = [];
  for await (const row of storage.journal.read(1)) rows.push(row.chainHash);
  return {
    head: { ...(await storage.journal.head()) },
    rows,
    state: engine.stateHash(),
    orders: await storage.history.query(seq, "orderPage", { accountId: 100, symbolId: 0, limit: 1_000 }),
    trades: await storage.history.query(seq, "trades", { symbolId: 0, limit: 1_000 }),
    klines: await storage.history.query(seq, "klines", { symbolId: 0, interval: "1h", limit: 100, nowMs: timeMs }),
    acts: await storage.history.query(seq, "acts", { limit: 1_000 }),
  };
}

for (const kind of ["temporary", "kept"] as const) {
  test(`back and forth between images of several ways (${kind})`, async (t) => {
    const folder = scratchFolder(t);
    let nowMs = Date.UTC(2024, 0, 29);
    const world = { nowMs: () => nowMs++ } as never;
    const node = lab(folder, { kind, limits: SMALL, world });
    const taken: { readonly image: StorageImage; readonly state: unknown }[] = [];
    const take = async (): Promise<void> => {
      taken.push({ image: node.storage.capture(), state: await stateOf(node) });
    };
    const go = async (index: number): Promise<void> => {
      const { image, state } = taken[index]!;
      await node.goTo(image);
      assert.deepEqual(await stateOf(node), state, `image ${index}`);
    };
    const walk = async (seed: number): Promise<void> => {
      for (const command of randomFlow(seed, 150).slice(setup().length)) await node.run([command]);
    };
    await take();
    await node.run(setup());
    await take();
    await walk(1);
    await take();
    await walk(2);
    await take();
    await go(1);
    await walk(3);
    await take();
    await walk(4);
    for (const index of [3, 4, 2, 0, 3, 3, 1, 4, 0, 2]) {
      await go(index);
      if (index % 2 === 0) await walk(10 + index);
    }
    node.storage.drop(taken[4]!.image);
    await go(3);
    await node.stop();
    if (kind === "temporary") return;
    const paths = dataPaths(folder);
    assert.deepEqual(readdirSync(folder).includes("checkpoints"), false);
    assert.equal(verifyJournalFile(paths.journal, paths.snapshots).fault, null);
    assert.equal(verifyHistory(paths).fault, null);
    const file = JournalFile.openReadOnly(paths.journal);
    assert.ok(file.cuts().length > 5, "each cut is noted");
    file.close();
    const again = lab(folder, { kind });
    assert.deepEqual(await stateOf(again), taken[3]!.state);
    await again.stop();
  });
}

test("after going back the same commands at the same times give the same journal, to the byte", async (t) => {
  let nowMs = Date.UTC(2024, 0, 29);
  const node = lab(scratchFolder(t), { world: { nowMs: () => nowMs } as never });
  await node.run(setup());
  const image = node.storage.capture();
  const flow = randomFlow(9, 400).slice(setup().length);
  const heads: string[] = [];
  for (let round = 0; round < 5; round++) {
    nowMs = Date.UTC(2024, 0, 29);
    for (const command of flow) {
      nowMs += 7;
      await node.run([command]);
    }
    heads.push((await node.storage.journal.head()).chainHash);
    await node.goTo(image);
  }
  assert.equal(new Set(heads).size, 1);
  await node.stop();
});

test("a lab that was killed in the midst of going back starts from its journal", async (t) => {
  const folder = scratchFolder(t);
  const node = lab(folder, { kind: "kept" });
  await node.run(randomFlow(4, 500));
  const state = await stateOf(node);
  await node.stop();
  const paths = dataPaths(folder);
  // As it would be left: the note of unfinished work, and a history that is neither.
  mkdirSync(join(folder, "checkpoints"));
  writeFileSync(join(folder, "checkpoints", "half-done"), "");
  writeFileSync(paths.history, "half of it");
  const again = lab(folder, { kind: "kept" });
  assert.deepEqual(await stateOf(again), state);
  await again.stop();
  assert.equal(verifyHistory(paths).fault, null);
});

test("what marks hold of ways that were left has a limit, and nothing is half done when it is reached", async (t) => {
  const node = lab(scratchFolder(t), { limits: { ...SMALL, leftWaysBytes: 50_000 } });
  await node.run(setup());
  const first = node.storage.capture();
  for (const command of randomFlow(1, 300).slice(setup().length)) await node.run([command]);
  const second = node.storage.capture();
  const state = await stateOf(node);
  await assert.rejects(node.goTo(first), LeftWaysFull);
  assert.deepEqual(await stateOf(node), state);
  node.storage.drop(second);
  await node.goTo(first).catch(() => assert.fail("there is room now"));
  await node.stop();
});

test("an image is taken in from its rows, and what is no journal is not", async (t) => {
  const [one, other] = [lab(scratchFolder(t)), lab(scratchFolder(t), { limits: SMALL })];
  for (const command of randomFlow(7, 600)) await one.run([command]);
  const state = await stateOf(one);
  const rows = [...one.storage.rowsTo(one.storage.capture())];
  const rest = (): Promise<void> => Promise.resolve();
  await other.run(setup());
  const before = await stateOf(other);
  const here = other.storage.capture();
  const spoilt = (change: (row: Batch) => object): Batch[] =>
    rows.map((row, index) => (index === 3 ? { ...row, ...change(row) } : row));
  const wrong = [
    rows.slice(1),
    spoilt(() => ({ timeMs: 5 })),
    spoilt(({ bytes }) => ({ bytes: bytes.map((byte, at) => (at === 4 ? byte ^ 1 : byte)) })),
    spoilt(() => ({ priorEventDigest: "0123456789abcdef" })),
  ];
  for (const each of wrong) await assert.rejects(other.storage.takeIn(each, rest), JournalDamaged);
  const image = await other.storage.takeIn(rows, rest);
  assert.deepEqual(await stateOf(other), before);
  await other.goTo(image);
  assert.deepEqual(await stateOf(other), state);
  await other.goTo(here);
  assert.deepEqual(await stateOf(other), before);
  await other.goTo(image);
  await other.run([order(1)]);
  for (const node of [one, other]) await node.stop();
});

test("images of history are the same file again", async (t) => {
  const folder = scratchFolder(t);
  const node = lab(folder);
  await node.run(randomFlow(7, 600));
  const image = node.storage.capture();
  const dump = dumpHistory(image.tables!);
  for (let n = 1; n < 50; n++) await node.run([order(n)]);
  await node.goTo(image);
  assert.deepEqual(dumpHistory(dataPaths(folder).history), dump);
  await node.stop();
});
