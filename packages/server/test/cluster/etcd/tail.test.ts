/** The store holds a short tail: rows go when nodes have them, and a store that is full is helped. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EtcdCluster, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import type { EtcdStore, EtcdStoreOptions } from "../../../src/cluster/etcd/etcd-store.ts";
import type { EtcdLimits } from "../../../src/cluster/etcd/endpoint.ts";
import { type Following, JournalRefused, type LogPlace, LogTrimmed } from "../../../src/journal/port.ts";
import { batchOf, newPrefix, openStore, positionOf, submitAll, take } from "./rig.ts";

const QUICK: Partial<EtcdLimits> = {
  lookMs: 100,
  cleanMs: 150,
  liveMs: 1_500,
  membersMs: 300,
  reliefMs: 500,
  retryMs: 20,
};

async function cluster(t: TestContext, flags: readonly string[] = []): Promise<EtcdCluster> {
  const etcd = await startEtcd({ flags });
  inTheEnd(t, () => etcd.stop());
  return etcd;
}

/** A node that takes rows, and tells how far it is as long as it lives. */
class Mirror {
  readonly #following: Following;
  readonly #ended: Promise<void>;
  readonly store: EtcdStore;
  place: LogPlace;
  isStopped = false;
  /** Takes no more rows, and tells the others so. */
  isStuck = false;

  constructor(store: EtcdStore, node: string) {
    this.store = store;
    this.place = { epoch: store.epoch.epoch, number: 0, revision: 0 };
    this.#following = store.follow(null);
    this.#ended = Promise.all([this.#take(), this.#tell(node)]).then(() => {});
  }

  stop(): Promise<void> {
    this.isStopped = true;
    this.#following.close();
    return this.#ended;
  }

  async #take(): Promise<void> {
    for (let row = await this.#following.next(); row !== undefined; row = await this.#following.next()) {
      while (this.isStuck && !this.isStopped) await sleep(10);
      if (!this.isStuck) this.place = row.place;
    }
  }

  async #tell(node: string): Promise<void> {
    for (let clockMs = 0; !this.isStopped; clockMs++) {
      await this.store.announce(positionOf(node, this.place, clockMs)).catch(() => {});
      await sleep(100);
    }
  }
}

async function mirrorsOf(
  t: TestContext,
  etcd: EtcdCluster,
  prefix: string,
  options: Partial<EtcdStoreOptions>,
): Promise<readonly Mirror[]> {
  const nodes = ["n1", "n2", "n3"];
  const stores = await Promise.all(
    nodes.map((node) =>
      openStore(t, etcd.endpoints, prefix, { mirrors: 2, ...options, node, limits: { ...QUICK, ...options.limits } }),
    ),
  );
  const mirrors = stores.map((store, at) => new Mirror(store, nodes[at]!));
  inTheEnd(t, () => Promise.all(mirrors.map((mirror) => mirror.stop())));
  return mirrors;
}

const rowsIn = async (etcd: EtcdCluster, prefix: string): Promise<number> => {
  const [key, end] = [`${prefix}/`, `${prefix}0`].map((text) => Buffer.from(text).toString("base64"));
  const answer = await etcd.members[0]!.ask("kv/range", { key, range_end: end, keys_only: true });
  const keys = ((answer["kvs"] ?? []) as { key: string }[]).map((kv) => Buffer.from(kv.key, "base64").toString());
  return keys.filter((name) => name.includes("/b/")).length;
};

/** How many bytes are in use, history included. */
const bytesIn = async (etcd: EtcdCluster): Promise<number> =>
  Number((await etcd.members[0]!.ask("maintenance/status", {}))["dbSizeInUse"]);

suite("the tail of the log", { skip: noEtcd }, () => {
  test("rows go when all nodes that live have them, and history goes with them; who comes later needs a backup", async (t) => {
    const etcd = await cluster(t);
    const prefix = newPrefix();
    const [one, two, three] = await mirrorsOf(t, etcd, prefix, {});
    three!.isStuck = true;
    // Nobody waits for one that has not told of itself.
    await until("all are known", async () => (await one!.store.positions()).length === 3);
    await submitAll(one!.store, "n1", 300);
    await until("two have all", () => two!.place.number === 300 && one!.place.number === 300);
    await sleep(600);
    assert.equal(await rowsIn(etcd, prefix), 300, "one that lives and lags is waited for");
    three!.isStuck = false;
    await until("no rows are left", async () => (await rowsIn(etcd, prefix)) === 0);
    await until("all know", () => [one, two, three].every((mirror) => mirror!.store.tail.count === 0));
    const cleaners = (): readonly number[] => [one, two, three].map((mirror) => mirror!.store.counters.removed);
    // Its watch may show it what it has removed before its request is answered.
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
    // Those who follow miss nothing.
    await submitAll(two!.store, "n2", 5);
    await until("all have it", () => [one, two, three].every((mirror) => mirror!.place.number === 305));
  });

  test("rows stay until enough nodes have them, and then orders are refused", async (t) => {
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
    await until("rows are removed", async () => (await rowsIn(etcd, prefix)) === 0);
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

  test("the next node removes rows when the one that did is gone, also those that it did not see come", async (t) => {
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
      // These rows may stay in the history until the next ones go. Their space is free some time after a compaction: a
      // machine that writes faster than etcd frees would let the file grow.
      await until("the rows before them take no space", async () => (await bytesIn(etcd)) < 8_000_000);
    }
    await until("their size is known", () => store.counters.storeBytes > 0);
    // 43 MB were written. On a busy machine there are 22 MB: etcd writes large rows again beside their neighbours.
    assert.ok(store.counters.storeBytes < 36_000_000, `${store.counters.storeBytes} bytes`);
  });

  test("orders are refused while a member has too much in use, whoever wrote it, and before etcd's quota", async (t) => {
    // On a quick machine fourteen values take 24 MB: pages that etcd is about to free are in use, too.
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
      // What a compaction frees counts from the next write on.
      await member!.ask("kv/put", put);
      return store.whyFull === null;
    });
    await store.submit(batchOf("n1", 2));
  });

  test("a store without space is helped: rows are removed, files rewritten, the alarm switched off", async (t) => {
    const etcd = await cluster(t, [`--quota-backend-bytes=${16 * 1024 * 1024}`]);
    const prefix = newPrefix();
    const mirrors = await mirrorsOf(t, etcd, prefix, { limits: { cleanMs: 300, callMs: 2_000 } });
    const [one] = mirrors;
    const warnings: string[] = [];
    // What is not ours fills it, and goes again.
    const [member] = etcd.members;
    const value = Buffer.alloc(1_000_000).toString("base64");
    const keys = Array.from({ length: 20 }, (_, i) => Buffer.from(`other/${i}`).toString("base64"));
    for (const key of keys)
      await member!.ask("kv/put", { key, value }).catch((error: Error) => warnings.push(error.message));
    assert.match(warnings.join(), /space exceeded/);
    await until("it is seen", async () => {
      // A node may have helped already, in vain: the next write fills the store again.
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
    // One more when the first was removed, as all had it, before it was handed in again.
    await until("it comes", () => one!.place.number >= 20);
    assert.ok(mirrors.some(({ store }) => store.counters.reliefs > 0));
  });

  test("a store without space is helped also when it was filled beyond its quota, and takes no key before", async (t) => {
    const etcd = await cluster(t, [`--quota-backend-bytes=${16 * 1024 * 1024}`]);
    const limits = { ...QUICK, cleanMs: 200, callMs: 2_000 };
    const store = await openStore(t, etcd.endpoints, newPrefix(), { mirrors: 1, limits });
    const mirror = new Mirror(store, "n1");
    inTheEnd(t, () => mirror.stop());
    await until("it has told where it is", async () => (await store.positions()).length === 1);
    // At once, so that each is weighed before the others are there: no file that holds them all is below the quota.
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
