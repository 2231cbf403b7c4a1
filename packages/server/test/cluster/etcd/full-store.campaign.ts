/** Members' files stay small, and a full store rejects orders and recovers. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { JournalRefused } from "../../../src/journal/port.ts";
import { batchOf, newPrefix, openStore, submitAll } from "./rig.ts";
import { bytesIn, cluster, Mirror, mirrorsOf, QUICK, rowsIn } from "./mirrors.ts";

suite("members' files and quotas", { skip: noEtcd }, () => {
  test("the members' files stay small however much is written", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const store = await openStore(t, etcd.endpoints, prefix, {
      mirrors: 1,
      limits: { ...QUICK, lookMs: 40, cleanMs: 40 },
    });
    const mirror = new Mirror(store, "n1");
    inTheEnd(t, () => mirror.stop());
    for (let round = 0; round < 8; round++) {
      for (let n = 1; n <= 6; n++) await store.submit(batchOf("n1", 6 * round + n, 900_000));
      await until("no rows are left", async () => (await rowsIn(etcd, prefix)) === 0);
      // These batches may stay in the history until the next ones are removed. Their space is freed some time after a
      // compaction, so a machine that writes faster than etcd frees would let the file grow.
      await until("the rows before them take no space", async () => (await bytesIn(etcd)) < 8_000_000);
    }
    await until("their size is known", () => store.counters.storeBytes > 0);
    // 43 MB were written. On a busy machine there are 22 MB, because etcd rewrites large rows beside their neighbors.
    assert.ok(store.counters.storeBytes < 36_000_000, `${store.counters.storeBytes} bytes`);
  });

  test("orders are rejected while a member has too much in use, from any source, and before etcd's quota", async (t) => {
    // On a fast machine, fourteen values take 24 MB: pages that etcd is about to free are in use, too.
    const etcd = await cluster(t, [`--quota-backend-bytes=${64 * 1024 * 1024}`]);
    const limits = { ...QUICK, maxStoreBytes: 12_000_000 };
    const store = await openStore(t, etcd.endpoints, newPrefix(), { mirrors: 1, limits });
    await store.submit(batchOf("n1", 1));
    const [member] = etcd.members;
    const [value, first, end] = [Buffer.alloc(1_000_000), "other/a", "other0"].map((each) =>
      Buffer.from(each).toString("base64"),
    );
    for (let n = 0; n < 14; n++) {
      const key = Buffer.from(`other/a${n}`).toString("base64");
      await member!.ask("kv/put", { key, value });
    }
    await until("it is seen", () => /^etcd has [1-4]\d{7} bytes in use/.test(store.whyFull ?? ""));
    await assert.rejects(store.submit(batchOf("n1", 2)), JournalRefused);
    assert.ok(!store.warnings.includes("etcd has no space left"), "the quota is not reached");

    await member!.ask("kv/deleterange", { key: first, range_end: end });
    const put = { key: Buffer.from("small").toString("base64"), value: first };
    const { header } = await member!.ask("kv/put", put);
    await member!.ask("kv/compaction", { revision: (header as { revision: string }).revision, physical: true });
    await until("there is room", async () => {
      // Space freed by a compaction counts from the next write on.
      await member!.ask("kv/put", put);
      return store.whyFull === null;
    });
    await store.submit(batchOf("n1", 2));
  });

  test("a store without space recovers: batches are removed, files defragmented, the alarm cleared", async (t) => {
    const etcd = await cluster(t, [`--quota-backend-bytes=${16 * 1024 * 1024}`]);
    const prefix = newPrefix();
    const mirrors = await mirrorsOf(t, etcd, prefix, { limits: { cleanMs: 300, callMs: 2_000 } });
    const [one] = mirrors;
    const warnings: string[] = [];
    // Data of another program fills it, and is removed again.
    const [member] = etcd.members;
    const value = Buffer.alloc(1_000_000).toString("base64");
    const keys = Array.from({ length: 20 }, (_, i) => Buffer.from(`other/${i}`).toString("base64"));
    for (const key of keys)
      await member!.ask("kv/put", { key, value }).catch((error: Error) => warnings.push(error.message));
    assert.match(warnings.join(), /space exceeded/);
    await until("it is seen", async () => {
      // A node may have freed space already; the next write fills the store again.
      await member!.ask("kv/put", { key: keys[0], value }).catch(() => {});
      return mirrors.some(({ store }) => store.warnings.includes("etcd has no space left"));
    });
    const end = Buffer.from("other0").toString("base64");
    await member!.ask("kv/deleterange", { key: keys[0], range_end: end });
    await until(
      "orders are taken again",
      () =>
        one!.store.submit(batchOf("n1", 1)).then(
          () => true,
          () => false,
        ),
      { withinMs: 15_000 },
    );
    await until("all is well", () => mirrors.every(({ store }) => !store.warnings.includes("etcd has no space left")));
    await submitAll(one!.store, "n1", 20);
    // One more if the first was removed, because all had it, before it was submitted again.
    await until("it comes", () => one!.place.number >= 20);
    assert.ok(mirrors.some(({ store }) => store.counters.reliefs > 0));
  });

  test("a store without space also recovers if it was filled beyond its quota and accepts no key before", async (t) => {
    const etcd = await cluster(t, [`--quota-backend-bytes=${16 * 1024 * 1024}`]);
    const limits = { ...QUICK, cleanMs: 200, callMs: 2_000 };
    const store = await openStore(t, etcd.endpoints, newPrefix(), { mirrors: 1, limits });
    const mirror = new Mirror(store, "n1");
    inTheEnd(t, () => mirror.stop());
    await until("it has told where it is", async () => (await store.positions()).length === 1);
    // At once, so that each is checked before the others are stored: a file with all of them would exceed the quota.
    const [member] = etcd.members;
    const value = Buffer.alloc(1_000_000).toString("base64");
    const put = (n: number): Promise<unknown> =>
      member!.ask("kv/put", { key: Buffer.from(`other/${n}`).toString("base64"), value }).catch(() => {});
    await Promise.all(Array.from({ length: 24 }, (_, n) => put(n)));
    await put(24);
    await until("it is seen", () => store.warnings.includes("etcd has no space left"));
    await assert.rejects(store.submit(batchOf("n1", 1)), JournalRefused);
    const [key, end] = ["other/", "other0"].map((each) => Buffer.from(each).toString("base64"));
    await member!.ask("kv/deleterange", { key, range_end: end });
    await until("all is well", () => !store.warnings.includes("etcd has no space left"));
    await store.submit(batchOf("n1", 1));
    await until("it comes", () => mirror.place.number === 1);
  });
});
