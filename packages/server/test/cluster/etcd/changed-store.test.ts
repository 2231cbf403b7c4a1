/** A store that was restored from a backup, replaced, or compacted: a node stops, or reports that it must catch up. */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EtcdCluster, Link, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { StoreUnfit } from "../../../src/cluster/port.ts";
import { keysOfEpoch } from "../../../src/cluster/etcd/epoch.ts";
import { LogTrimmed } from "../../../src/journal/port.ts";
import { batchOf, newPrefix, numbersOf, openStore, positionOf, submitAll, take, upTo } from "./rig.ts";

/** Fails instead of waiting forever. */
const soon = (row: Promise<unknown>): Promise<unknown> => Promise.race([row, sleep(10_000, undefined, { ref: false })]);

const limits = { retryMs: 20, compareMs: 100 };

async function cluster(t: TestContext): Promise<EtcdCluster> {
  const etcd = await startEtcd();
  inTheEnd(t, () => etcd.stop());
  return etcd;
}

/** Restores the store to its state before `between`. */
async function goBack(etcd: EtcdCluster, between: () => Promise<void>): Promise<void> {
  const [member] = etcd.members;
  const copy = `${member!.folder}.copy`;
  await member!.kill();
  cpSync(member!.folder, copy, { recursive: true });
  member!.start();
  await etcd.ready();
  await between();
  await member!.kill();
  rmSync(member!.folder, { recursive: true });
  cpSync(copy, member!.folder, { recursive: true });
  member!.start();
  await etcd.ready();
}

/** Removes batches and history, as an operator might. */
async function compact(etcd: EtcdCluster): Promise<void> {
  const [member] = etcd.members;
  const { revision } = await member!.status();
  await member!.ask("kv/compaction", { revision: String(revision) });
}

suite("a store that has changed", { skip: noEtcd }, () => {
  test("restored: running and starting nodes stop, also after it has passed the old end again", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const node = await openStore(t, etcd.endpoints, prefix, { limits });
    await submitAll(node, "n1", 3);
    const following = node.follow(null);
    let last = (await take(following, 3)).at(-1)!.place;
    await node.announce(positionOf("n1", last));
    await goBack(etcd, async () => {
      for (const n of [4, 5]) await node.submit(batchOf("n1", n));
      last = (await take(following, 2)).at(-1)!.place;
      await node.announce(positionOf("n1", last));
    });
    const other = await openStore(t, etcd.endpoints, prefix, { limits });
    const started = other.follow(last);
    await assert.rejects(soon(started.next()), StoreUnfit);
    await other.announce(positionOf("n2", last));
    for (let n = 1; n < 20; n++) await other.submit(batchOf("n2", n));
    await assert.rejects(soon(following.next()), /was restored or replaced/);
    await assert.rejects(soon(other.follow(last).next()), StoreUnfit);
    await assert.rejects(node.announce(positionOf("n1", last)), StoreUnfit);
  });

  test("restored, to a batch with the same number and revision: running nodes stop", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const link = await Link.open(etcd.endpoints[0]!);
    inTheEnd(t, () => link.close());
    const node = await openStore(t, [link.url], prefix, { limits });
    await submitAll(node, "n1", 3);
    const following = node.follow(null);
    await take(following, 3);
    await goBack(etcd, async () => {
      await node.submit(batchOf("n1", 4));
      await take(following, 1);
      link.cut();
    });
    // It has the same position and number when the node checks again.
    const other = await openStore(t, etcd.endpoints, prefix, { limits });
    await other.submit(batchOf("n2", 1));
    link.heal();
    await assert.rejects(soon(following.next()), StoreUnfit);
  });

  test("another epoch", async (t) => {
    const etcd = await cluster(t);
    const node = await openStore(t, etcd.endpoints, newPrefix(), { limits });
    const place = { epoch: "00000000000000e9", number: 3, revision: 7 };
    assert.throws(() => node.follow(place), /epoch/);
  });

  test("compacted history with all batches present: they are read, and the watch continues", async (t) => {
    const etcd = await cluster(t);
    const node = await openStore(t, etcd.endpoints, newPrefix(), { limits });
    await submitAll(node, "n1", 100, 2_000);
    const [early] = await take(node.follow(null), 1);
    await compact(etcd);
    const followings = [node.follow(null), node.follow(early!.place)];
    assert.deepEqual(numbersOf(await take(followings[0]!, 100)), upTo(100));
    assert.deepEqual(numbersOf(await take(followings[1]!, 99)), upTo(100).slice(1));
    await submitAll(node, "n2", 3);
    for (const following of followings) assert.deepEqual(numbersOf(await take(following, 3)), [101, 102, 103]);
    assert.equal(node.counters.reconnects.compacted, 2);
    // Also while idle: changes after the last batch are not batches that a node has missed.
    const [last] = (await take(node.follow(early!.place), 102)).slice(-1);
    await node.announce(positionOf("n1", early!.place));
    await compact(etcd);
    const before = node.counters.reconnects.compacted;
    const late = node.follow(last!.place);
    await sleep(300);
    await node.submit(batchOf("n3", 1));
    assert.deepEqual(numbersOf(await take(late, 1)), [104]);
    assert.equal(node.counters.reconnects.compacted, before + 1);
  });

  test("removed batches: the node must catch up from a peer", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const node = await openStore(t, etcd.endpoints, prefix, { limits });
    await submitAll(node, "n1", 5);
    const rows = await take(node.follow(null), 5);
    const removed = keysOfEpoch(prefix, node.epoch.epoch).batch(rows[2]!.id);
    await etcd.members[0]!.ask("kv/deleterange", { key: removed.toString("base64") });
    await compact(etcd);
    for (const place of [null, rows[0]!.place, rows[1]!.place])
      await assert.rejects(take(node.follow(place), 5), LogTrimmed);
    assert.deepEqual(numbersOf(await take(node.follow(rows[2]!.place), 2)), [4, 5]);
  });

  test("batches removed but not compacted are still delivered", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const node = await openStore(t, etcd.endpoints, prefix, { limits });
    await submitAll(node, "n1", 5);
    const key = keysOfEpoch(prefix, node.epoch.epoch).batch(batchOf("n1", 3).id);
    await etcd.members[0]!.ask("kv/deleterange", { key: key.toString("base64") });
    assert.deepEqual(numbersOf(await take(node.follow(null), 5)), upTo(5));
  });
});
