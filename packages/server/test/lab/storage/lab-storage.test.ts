/**
 * The storage of a lab: acknowledged at once, the same rows as a node's, and in a folder that belongs to a lab for
 * good.
 */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dumpHistory, randomFlow, setup } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { takeBackup } from "../../../src/journal/backup/backup.ts";
import { HistoryBehind } from "../../../src/history/port.ts";
import { dataPaths, FolderInUse, FolderOfOtherKind } from "../../../src/journal/storage/data-folder.ts";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { openStorage, type Storage } from "../../../src/journal/storage/storage.ts";
import { verifyHistory } from "../../../src/journal/storage/rebuild-history.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { die, lab, order } from "./sequenced-lab.ts";

const MARKET = { accountId: 100, symbolId: 0 };
const HOURS = { symbolId: 0, interval: "1h", limit: 100 } as const;

for (const kind of ["temporary", "kept"] as const) {
  test(`a question sees what was answered just before (${kind})`, async (t) => {
    const { storage, run, stop } = lab(scratchFolder(t), { kind });
    await run(setup());
    for (let n = 1; n <= 20; n++) {
      const seq = await run([order(n)]);
      const row = await storage.history.query(seq, "orderByClientId", { ...MARKET, clientOrderId: `c${n}` });
      assert.deepEqual([row?.orderId, row?.status], [n, n % 2 === 0 ? "FILLED" : "NEW"]);
      const nowMs = storage.recovery.engine.timeMs;
      const klines = await storage.history.query(seq, "klines", { ...HOURS, interval: "1M", nowMs });
      assert.equal(klines[0]?.count ?? 0, Math.floor(n / 2));
    }
    await assert.rejects(storage.history.query(10_000, "orderById", { ...MARKET, orderId: 1 }), HistoryBehind);
    await stop();
  });
}

test("a question in the midst of a batch is answered at its end, with all of it", async (t) => {
  const asked: Promise<string>[] = [];
  const node = lab(scratchFolder(t), {}, (entry, events) => {
    if (!events.some(({ type }) => type === "orderOpened")) return;
    asked.push(node.storage.history.query(entry.seq, "orderPage", { ...MARKET, limit: 10 }));
  });
  await node.run(setup());
  await node.run([order(1), order(3), order(5)]);
  assert.equal(asked.length, 3);
  for (const rows of await Promise.all(asked)) assert.equal(JSON.parse(rows).length, 3);
  await node.stop();
});

test("a folder that is kept is verified, and goes on after a stop and after a kill", async (t) => {
  const folder = scratchFolder(t);
  const paths = dataPaths(folder);
  const limits = { unwrittenEntries: 100 };
  const first = lab(folder, { kind: "kept", limits });
  assert.throws(() => lab(folder, { kind: "kept" }), FolderInUse);
  await first.run(randomFlow(5, 1_200));
  // As after a kill: everything acknowledged is there, and history may be behind.
  const journal = verifyJournalFile(paths.journal);
  assert.equal(journal.fault, null);
  assert.equal(journal.entries, first.storage.recovery.engine.seq);
  await first.stop();
  assert.equal(verifyHistory(paths).fault, null);
  const rows = dumpHistory(paths.history);
  const second = lab(folder, { kind: "kept", limits });
  const { snapshotSeq, entries, engine } = second.storage.recovery;
  assert.deepEqual([snapshotSeq, entries], [first.storage.recovery.engine.seq, 0]);
  assert.deepEqual(engine.snapshot(), first.storage.recovery.engine.snapshot());
  await second.run([order(1)]);
  await second.stop();
  assert.equal(verifyHistory(paths).fault, null);
  assert.notDeepEqual(dumpHistory(paths.history), rows);
});

test("candles alone are kept where only they are wanted; nothing where nothing is; and a start makes up for it", async (t) => {
  const folder = scratchFolder(t);
  const commands = randomFlow(6, 800);
  const candles = lab(folder, { kind: "kept", history: "candles" });
  const seq = await candles.run(commands);
  const { timeMs } = candles.storage.recovery.engine;
  const kept = await candles.storage.history.query(seq, "klines", { ...HOURS, nowMs: timeMs });
  assert.ok(kept.length > 0);
  await assert.rejects(candles.storage.history.query(seq, "orderPage", { ...MARKET, limit: 1 }), /--history candles/);
  assert.equal(candles.storage.history.seq, seq);
  await candles.stop();
  assert.ok(!existsSync(dataPaths(folder).history));

  const off = lab(folder, { kind: "kept", history: "off" });
  assert.equal(off.storage.record, undefined);
  await off.run([order(1), order(2)]);
  await assert.rejects(off.storage.history.query(1, "klines", { ...HOURS, nowMs: timeMs }), HistoryBehind);
  assert.equal(off.storage.projector.seq, off.storage.recovery.engine.seq);
  await off.stop();

  const on = lab(folder, { kind: "kept", history: "on" });
  const whole = await on.storage.history.query(seq, "klines", { ...HOURS, nowMs: timeMs });
  assert.equal(whole.length, kept.length);
  await on.stop();
  assert.equal(verifyHistory(dataPaths(folder)).fault, null);
});

test("a folder is a lab's or it is not", async (t) => {
  const [ofLab, ofNode, ofOther] = [scratchFolder(t), scratchFolder(t), scratchFolder(t)];
  await lab(ofLab, { kind: "kept" }).stop();
  const node = (folder: string): Storage =>
    openStorage({ world: MACHINE, folder, snapshotEveryEntries: 0, onFatal: die });
  assert.throws(() => node(ofLab), FolderOfOtherKind);
  const opened = node(ofNode);
  await opened.started();
  await opened.close();
  assert.throws(() => lab(ofNode, { kind: "kept" }), FolderOfOtherKind);
  assert.ok(!existsSync(join(ofNode, "lab.json")));
  writeFileSync(join(ofOther, "lab.json"), "{}");
  assert.throws(() => lab(ofOther, { kind: "kept" }), FolderOfOtherKind);
  await lab(ofLab, { kind: "kept" }).stop();
  const backup = { folder: scratchFolder(t), withKey: false, isFull: false, nowMs: MACHINE.nowMs };
  await assert.rejects(takeBackup({ ...backup, dataFolder: ofLab }), / is the data folder of a lab\. /);
});
