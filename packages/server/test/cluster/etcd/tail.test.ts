/** The store keeps a short tail: batches are removed when nodes have them. full-store.campaign.ts fills stores. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { JournalRefused, LogTrimmed } from "../../../src/journal/port.ts";
import { batchOf, newPrefix, openStore, positionOf, submitAll, take } from "./rig.ts";
import { cluster, Mirror, mirrorsOf, QUICK, rowsIn } from "./mirrors.ts";

suite("the tail of the log", { skip: noEtcd }, () => {
  test("batches are removed when all live nodes have them, with their history; later nodes must catch up", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const [one, two, three] = await mirrorsOf(t, etcd, prefix, {});
    three!.isStuck = true;
    // Nodes that have not published a position are not waited for.
    await until("all are known", async () => (await one!.store.positions()).length === 3);
    await submitAll(one!.store, "n1", 300);
    await until("two have all", () => two!.place.number === 300 && one!.place.number === 300);
    await sleep(600);
    assert.equal(await rowsIn(etcd, prefix), 300, "one that lives and lags is waited for");
    three!.isStuck = false;
    await until("no rows are left", async () => (await rowsIn(etcd, prefix)) === 0);
    await until("all know", () => [one, two, three].every((mirror) => mirror!.store.tail.count === 0));
    const cleaners = (): readonly number[] => [one, two, three].map((mirror) => mirror!.store.counters.removed);
    // Its watch may deliver the removal before the response arrives.
    await until("who removed them knows", () => cleaners().reduce((sum, removed) => sum + removed) >= 300);
    assert.deepEqual(cleaners().toSorted(), [0, 0, 300], "one of them removes");
    await until("it is compacted", async () =>
      one!.store
        .follow(null)
        .next()
        .then(
          () => false,
          (error: Error) => error instanceof LogTrimmed,
        ),
    );
    // Followers miss nothing.
    await submitAll(two!.store, "n2", 5);
    await until("all have it", () => [one, two, three].every((mirror) => mirror!.place.number === 305));
  });

  test("batches stay until enough nodes have them, and then orders are rejected", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const limits = { ...QUICK, maxTailBytes: 110_000 };
    const store = await openStore(t, etcd.endpoints, prefix, { mirrors: 2, limits });
    const mirror = new Mirror(store, "n1");
    inTheEnd(t, () => mirror.stop());
    for (let n = 1; n <= 20; n++) await store.submit(batchOf("n1", n, 5_000));
    await until("it has them", () => mirror.place.number === 20);
    assert.match(store.whyFull ?? "", /^the log holds 20 rows that nodes have not taken yet/);
    await assert.rejects(store.submit(batchOf("n1", 21)), JournalRefused);
    await sleep(300);
    assert.equal(await rowsIn(etcd, prefix), 20);
    const second = new Mirror(await openStore(t, etcd.endpoints, prefix, { mirrors: 2, node: "n2", limits }), "n2");
    inTheEnd(t, () => second.stop());
    await until("no rows are left", async () => (await rowsIn(etcd, prefix)) === 0);
    await until("it says that there is room", () => store.whyFull === null);
    await until("orders are taken again", () =>
      store.submit(batchOf("n1", 22)).then(
        () => true,
        () => false,
      ),
    );
  });

  test("a node that lags is left behind when the tail is half full", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const [one, , three] = await mirrorsOf(t, etcd, prefix, { limits: { maxTailBytes: 200_000 } });
    three!.isStuck = true;
    for (let n = 1; n <= 30; n++) await one!.store.submit(batchOf("n1", n, 5_000));
    // The removal can come before the last batches, which then are less than half of the tail and stay.
    await until("rows are removed", async () => (await rowsIn(etcd, prefix)) < 30);
    await until("it needs a backup", () =>
      three!.store
        .follow(null)
        .next()
        .then(
          () => false,
          (error: Error) => error instanceof LogTrimmed,
        ),
    );
  });

  test("after the removing node is gone, the next one removes batches, including those from before its start", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const limits = { ...QUICK, leaseMs: 1_000 };
    const one = await openStore(t, etcd.endpoints, prefix, { node: "n1", mirrors: null, limits });
    await submitAll(one, "n1", 150);
    const place = (await take(one.follow(null), 150)).at(-1)!.place;
    await one.announce(positionOf("n1", place));
    const two = await openStore(t, etcd.endpoints, prefix, { node: "n2", mirrors: 1, limits });
    const following = two.follow({ ...place });
    let clockMs = 0;
    await until("no rows are left", async () => {
      await two.announce(positionOf("n2", place, ++clockMs));
      await sleep(50);
      return (await rowsIn(etcd, prefix)) === 0;
    });
    await until("it has counted them", () => two.counters.removed === 150);
    following.close();
  });
});
