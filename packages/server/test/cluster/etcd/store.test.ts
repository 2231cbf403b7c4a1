/** Positions, reads and leases of the etcd store. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Link, noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { StoreUnfit } from "../../../src/cluster/port.ts";
import { batchOf, newPrefix, openStore, positionOf, suiteEtcd } from "./rig.ts";
import { TamperingMember } from "./tampering-member.ts";

/** Longer than any single attempt at a lease. */
const LATE_MS = 10_000;

suite("the store of etcd", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();
  const placeOf = (epoch: string, number: number) => ({ epoch, number, revision: number });

  test("nodes see each other's positions, and the last batch of any node", async (t) => {
    const prefix = newPrefix();
    const [one, other] = [await openStore(t, etcd().endpoints, prefix), await openStore(t, etcd().endpoints, prefix)];
    assert.deepEqual([await one.positions(), await one.lastNumber()], [[], 0]);
    const { epoch } = one.epoch;
    const first = positionOf("n1", placeOf(epoch, 1), 1_000);
    await one.announce(first);
    const later = { ...first, clockMs: 2_000, bans: { "1.2.3.4": 5 } };
    await one.announce(later);
    const second = positionOf("n2", placeOf(epoch, 2));
    await other.announce(second);
    await other.submit(batchOf("n2", 1));
    assert.deepEqual(await one.positions(), [later, second]);
    assert.equal(await one.lastNumber(), 1);
  });

  test("concurrent reads of the last batch share responses", async (t) => {
    const member = await TamperingMember.open(etcd().endpoints[0]!);
    inTheEnd(t, () => member.close());
    const store = await openStore(t, [member.url], newPrefix());
    let reads = 0;
    member.before = (name) => {
      reads += Number(name === "KV/Range");
      return "pass";
    };
    await Promise.all(Array.from({ length: 50 }, () => store.lastNumber()));
    assert.equal(reads, 2);
  });

  test("another process with the node's name is detected", async (t) => {
    const prefix = newPrefix();
    const [one, other] = [await openStore(t, etcd().endpoints, prefix), await openStore(t, etcd().endpoints, prefix)];
    const position = positionOf("n1", placeOf(one.epoch.epoch, 1));
    await one.announce(position);
    const next = one.follow(null).next();
    await other.announce({ ...position, incarnation: "00000000000000bb" });
    await assert.rejects(one.announce(position), /another node of the cluster is running with the name n1/);
    await assert.rejects(next, StoreUnfit);
  });

  test("an announcement with a lost response is recognized as this node's own", async (t) => {
    const member = await TamperingMember.open(etcd().endpoints[0]!);
    inTheEnd(t, () => member.close());
    const store = await openStore(t, [member.url], newPrefix(), {
      limits: { callMs: 150, retryMs: 10, patienceMs: 1_500 },
    });
    const position = positionOf("n1", placeOf(store.epoch.epoch, 1));
    await store.announce(position);
    for (const clockMs of [1, 2, 3]) {
      let lost = 2;
      member.after = (name) => (name === "KV/Txn" && lost-- > 0 ? "never answer" : "pass");
      await store.announce({ ...position, clockMs });
    }
    // Given up with an unknown outcome, before another one is announced.
    member.after = () => "never answer";
    await assert.rejects(store.announce({ ...position, clockMs: 4 }));
    member.after = () => "pass";
    await store.announce({ ...position, clockMs: 5 });
    assert.equal((await store.positions())[0]?.clockMs, 5);
  });

  test("one node has a lease, and another one gets it when it is released", async (t) => {
    const prefix = newPrefix();
    const options = { limits: { callMs: LATE_MS } };
    const one = await openStore(t, etcd().endpoints, prefix, options);
    const other = await openStore(t, etcd().endpoints, prefix, options);
    const [lease, none] = [await one.lease("mail"), await other.lease("mail")];
    assert.ok(lease?.isHeld);
    assert.equal(none, undefined);
    const another = await other.lease("bots");
    assert.ok(another?.isHeld);
    await lease.release();
    assert.equal(lease.isHeld, false);
    assert.ok((await other.lease("mail"))?.isHeld);
  });

  test("a lease survives a busy node, but not a disconnected one", async (t) => {
    const prefix = newPrefix();
    const link = await Link.open(etcd().endpoints[0]!);
    inTheEnd(t, () => link.close());
    const limits = { leaseMs: 3_000, callMs: 2_000 };
    const busy = await openStore(t, etcd().endpoints, prefix, { limits });
    // Its link runs on this thread, and would be blocked with it.
    const linked = await openStore(t, [link.url], prefix, { limits });
    const other = await openStore(t, etcd().endpoints, prefix, { limits: { ...limits, callMs: LATE_MS } });
    const [kept, lease] = [(await busy.lease("mail"))!, (await linked.lease("bots"))!];
    let isLost = false;
    lease.onLost(() => (isLost = true));
    link.silence("toMember", "toClient");
    const fromMs = performance.now();
    // Longer than a lease without renewal.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    assert.equal(await other.lease("mail"), undefined);
    assert.ok(kept.isHeld);
    await until("another has it", async () => (await other.lease("bots")) !== undefined);
    assert.ok(performance.now() - fromMs < 12_000);
    await until("the first knows", () => isLost, { withinMs: 6_000 });
    assert.equal(lease.isHeld, false);
  });

  test("a lease that the store has ended is lost", async (t) => {
    const prefix = newPrefix();
    const store = await openStore(t, etcd().endpoints, prefix, { limits: { leaseMs: 1_000, callMs: LATE_MS } });
    const lease = (await store.lease("mail"))!;
    const lost = new Promise<void>((resolve) => lease.onLost(resolve));
    const key = Buffer.from(`${prefix}/${store.epoch.epoch}/r/mail`).toString("base64");
    await etcd().members[0]!.ask("kv/deleterange", { key });
    await lost;
    assert.ok((await store.lease("mail"))?.isHeld);
  });
});
