/** The complete storage: reads right after a command was answered. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Command, Engine } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { type History, HistoryBehind } from "../../../src/history/port.ts";
import { FolderInUse } from "../../../src/journal/storage/data-folder.ts";
import { openStorage, type Storage, type StorageOptions } from "../../../src/journal/storage/storage.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { randomFlow, setup } from "@pricetime/testkit/journal";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const die = (error: Error): never => {
  throw error;
};

interface Node {
  readonly storage: Storage;
  readonly engine: Engine;
  readonly sequencer: GroupCommitSequencer;
  readonly history: History;
  /** While false, the projector is not notified of new batches. */
  telling: boolean;
  stop(): Promise<void>;
}

function startNode(folder: string, options: Partial<StorageOptions> = {}): Node {
  const storage = openStorage({ world: MACHINE, folder, snapshotEveryEntries: 500, onFatal: die, ...options });
  const { engine } = storage.recovery;
  const node: Node = {
    storage,
    engine,
    history: storage.history,
    telling: true,
    sequencer: new GroupCommitSequencer({
      world: MACHINE,
      journal: storage.journal,
      engine,
      node: "n1",
      onFatal: die,
      historySeq: () => storage.projector.seq,
      onBatch: () => node.telling && storage.projector.publish(engine.seq),
    }),
    stop: async () => {
      await node.sequencer.stop();
      storage.projector.publish(engine.seq);
      await storage.close();
    },
  };
  return node;
}

async function startedNode(t: TestContext, options: Partial<StorageOptions> = {}): Promise<Node> {
  const node = startNode(scratchFolder(t), options);
  for (const command of setup()) await node.sequencer.run(command);
  return node;
}

const MARKET = { accountId: 100, symbolId: 0 };
const FIRST = { ...MARKET, orderId: 1 };

const order = (n: number, side: "BUY" | "SELL"): Command =>
  placeOrder({ accountId: 100, side, priceTicks: 4_000_000, quantityLots: 1_000, clientOrderId: `c${n}` });

test("a query sees what was acknowledged just before", async (t) => {
  const node = await startedNode(t, { readerThreads: 2 });
  for (let n = 1; n <= 40; n++) {
    const { seq, timeMs } = await node.sequencer.run(order(n, n % 2 === 0 ? "SELL" : "BUY"));
    const [row, trades, klines] = await Promise.all([
      node.history.query(seq, "orderByClientId", { ...MARKET, clientOrderId: `c${n}` }),
      node.history.query(seq, "accountTradePage", { ...MARKET, limit: 1_000 }),
      node.history.query(seq, "klines", { symbolId: 0, interval: "1M", limit: 5, nowMs: timeMs }),
    ]);
    assert.deepEqual([row?.orderId, row?.status], [n, n % 2 === 0 ? "FILLED" : "NEW"]);
    assert.equal(JSON.parse(trades).length, 2 * Math.floor(n / 2));
    assert.equal(
      klines.reduce((sum, kline) => sum + kline.count, 0),
      Math.floor(n / 2),
    );
    assert.ok(node.history.seq >= seq);
  }
  const page = await node.history.query(node.engine.seq, "orderPage", { ...MARKET, limit: 2 });
  assert.deepEqual(
    (JSON.parse(page) as { readonly clientOrderId: string }[]).map((told) => told.clientOrderId),
    ["c39", "c40"],
  );
  await node.stop();
});

test("a query that arrives while history is being written is not lost", async (t) => {
  const node = await startedNode(t);
  const dice = new Dice(8);
  for (let n = 0; n < 15; n++) {
    const written = Array.from({ length: 400 }, (_, i) => node.sequencer.run(order(n * 400 + i, "BUY")));
    const outcomes = await Promise.all(written);
    // The projector checks every 100 ms and then writes: a random time in that.
    await sleep(dice.next() * 130);
    const page = await node.history.query(outcomes.at(-1)?.seq ?? 0, "orderPage", { ...MARKET, limit: 1 });
    assert.equal(JSON.parse(page).length, 1);
  }
  await node.stop();
});

test("a query that history does not reach in time reports it, and the next one is answered", async (t) => {
  const node = await startedNode(t, { historyLimits: { waitMs: 500, maxQueries: 1 } });
  node.telling = false;
  const { seq } = await node.sequencer.run(order(1, "BUY"));
  await assert.rejects(node.history.query(seq, "orderById", FIRST), HistoryBehind);
  assert.equal(await node.history.query(0, "orderPage", { ...MARKET, limit: 5 }), "[]", "history leads");
  await node.stop();
});

test("queries wait until history reaches them, up to a limit", async (t) => {
  // However slow the disk of the history is.
  const node = await startedNode(t, { historyLimits: { waitMs: 60_000, maxQueries: 2 } });
  node.telling = false;
  const { seq } = await node.sequencer.run(order(1, "BUY"));
  const waiting = [1, 2].map(() => node.history.query(seq, "orderById", FIRST));
  await assert.rejects(node.history.query(0, "orderById", FIRST), /too many queries/);
  node.storage.projector.publish(node.engine.seq);
  for (const row of await Promise.all(waiting)) assert.equal(row?.clientOrderId, "c1");
  await node.stop();
});

test("an invalid query is answered with its error and breaks nothing else", async (t) => {
  const node = await startedNode(t);
  await assert.rejects(node.history.query(0, "orderById", { ...MARKET, orderId: undefined as unknown as number }));
  assert.equal(await node.history.query(0, "orderById", FIRST), undefined);
  await node.stop();
  await assert.rejects(node.history.query(0, "orderById", FIRST), /closed/);
});

test("a reader thread that dies is reported", async (t) => {
  const failures: Error[] = [];
  const node = await startedNode(t, { onFatal: (error) => failures.push(error) });
  const posted = t.mock.method(Worker.prototype, "postMessage").mock;
  await node.history.query(0, "orderById", FIRST);
  const reader = posted.calls[0]?.this as Worker;
  await reader.terminate();
  assert.equal(failures.length, 1);
  await node.sequencer.stop();
  // The end of a thread that has exited is not waited for.
  await node.storage.close();
});

test("a restarted node has the same state, from the snapshot of its stop", async (t) => {
  const folder = scratchFolder(t);
  const first = startNode(folder);
  await Promise.all(randomFlow(5, 1_200).map((command) => first.sequencer.run(command)));
  assert.throws(() => startNode(folder), FolderInUse);
  await first.stop();
  const second = startNode(folder);
  const { snapshotSeq, entries, engine } = second.storage.recovery;
  assert.deepEqual([snapshotSeq, entries], [first.engine.seq, 0]);
  assert.deepEqual(engine.snapshot(), first.engine.snapshot());
  assert.equal(second.history.seq, first.engine.seq);
  const { seq } = await second.sequencer.run(order(1, "BUY"));
  assert.equal(seq, first.engine.seq + 1);
  await second.stop();
});

test("a failed start releases the folder", async (t) => {
  const folder = scratchFolder(t);
  const node = startNode(folder);
  await node.sequencer.run(order(1, "BUY"));
  await node.stop();
  const database = new DatabaseSync(`${folder}/journal.sqlite`);
  database.exec("UPDATE batches SET time_ms = time_ms + 1");
  database.close();
  for (let attempt = 0; attempt < 2; attempt++) assert.throws(() => startNode(folder), { name: "JournalDamaged" });
});
