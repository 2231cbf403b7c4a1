/** A batch is in the log once, whatever happens to responses; a rejected batch is not in it. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { Link, noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import type { EtcdStore } from "../../../src/cluster/etcd/etcd-store.ts";
import type { EtcdLimits } from "../../../src/cluster/etcd/endpoint.ts";
import { JournalRefused } from "../../../src/journal/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import type { World } from "../../../src/platform/world/port.ts";
import { batchOf, newPrefix, openStore, take, suiteEtcd } from "./rig.ts";
import { TamperingMember, type Verdict } from "./tampering-member.ts";

const QUICK: Partial<EtcdLimits> = { callMs: 150, retryMs: 10, maxRetryMs: 20, refuseAfterMs: 200 };
/** A late response is an unknown outcome, after which nothing is rejected. */
const ALL_ANSWER = { callMs: 20_000 };

suite("submitting to etcd", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  /** A node that writes through a member whose responses to transactions are tampered with, and a node that follows. */
  async function rig(
    t: TestContext,
    limits: Partial<EtcdLimits> = {},
  ): Promise<{
    readonly member: TamperingMember;
    readonly writer: EtcdStore;
    readonly ids: () => Promise<string[]>;
  }> {
    const member = await TamperingMember.open(etcd().endpoints[0]!);
    inTheEnd(t, () => member.close());
    const prefix = newPrefix();
    const writer = await openStore(t, [member.url], prefix, { limits: { ...QUICK, ...limits } });
    const reader = await openStore(t, etcd().endpoints, prefix);
    const ids = async (): Promise<string[]> => {
      const following = reader.follow(null);
      const rows = await take(following, await reader.lastNumber());
      following.close();
      return rows.map(({ id }) => id);
    };
    return { member, writer, ids };
  }

  /** Matches the first transactions that append. */
  const firstOf =
    (count: number, verdict: Verdict): TamperingMember["after"] =>
    (name, request) =>
      name === "KV/Txn" && JSON.stringify(request).includes('"put"') && count-- > 0 ? verdict : "pass";

  const unknown: [string, Verdict][] = [
    ["is lost", "never answer"],
    ["is that the leader has changed", { code: status.UNAVAILABLE, details: "etcdserver: leader changed" }],
    ["is that it took too long", { code: status.UNAVAILABLE, details: "etcdserver: request timed out" }],
    [
      "is that there is no space",
      { code: status.RESOURCE_EXHAUSTED, details: "etcdserver: mvcc: database space exceeded" },
    ],
    ["cannot be understood", { code: status.INTERNAL, details: "what?" }],
  ];
  for (const [what, verdict] of unknown) {
    test(`a response that ${what}: it is retried, and the batch is there once`, async (t) => {
      const isLost = verdict === "never answer";
      const { member, writer, ids } = await rig(t, isLost ? {} : ALL_ANSWER);
      member.after = firstOf(3, verdict);
      await writer.submit(batchOf("n1", 1));
      await writer.submit(batchOf("n1", 2));
      assert.deepEqual(await ids(), [batchOf("n1", 1).id, batchOf("n1", 2).id]);
      // With short timeouts, slow valid responses also count as lost.
      if (isLost) assert.ok(writer.counters.repeats >= 3);
      else assert.equal(writer.counters.repeats, 3);
    });
  }

  test("a second attempt has the same timeout as the first, in case the leader has changed; later ones have more", async (t) => {
    const member = await TamperingMember.open(etcd().endpoints[0]!);
    inTheEnd(t, () => member.close());
    // The requested timeouts, because elapsed times depend on the machine.
    const waitsMs: number[] = [];
    const after: World["after"] = (waitMs, task) => {
      waitsMs.push(waitMs);
      return MACHINE.after(waitMs, task);
    };
    const world = { ...MACHINE, after };
    const writer = await openStore(t, [member.url], newPrefix(), { world, limits: QUICK });
    waitsMs.length = 0;
    member.after = firstOf(3, "never answer");
    await writer.submit(batchOf("n1", 1));
    assert.deepEqual(waitsMs.slice(0, 4), [150, 150, 300, 600]);
  });

  test("certainly not written for a while: it is rejected, and is not there", async (t) => {
    const hasty = await rig(t, ALL_ANSWER);
    hasty.member.before = firstOf(1e9, { code: status.UNAVAILABLE, details: "etcdserver: no leader" });
    await assert.rejects(hasty.writer.submit(batchOf("n1", 1)), JournalRefused);
    assert.deepEqual(await hasty.ids(), []);
    const patient = await rig(t, { ...ALL_ANSWER, refuseAfterMs: 20_000 });
    patient.member.before = firstOf(2, { code: status.RESOURCE_EXHAUSTED, details: "etcdserver: too many requests" });
    await patient.writer.submit(batchOf("n1", 1));
    assert.equal(patient.writer.counters.repeats, 2);
    assert.deepEqual(await patient.ids(), [batchOf("n1", 1).id]);
  });

  test("after an unknown outcome, it is not rejected any more", async (t) => {
    const { member, writer, ids } = await rig(t);
    const isAppend = firstOf(1e9, "never answer");
    let attempts = 0;
    member.before = (name, request) => {
      if (isAppend(name, request) === "pass" || ++attempts > 40) return "pass";
      return attempts === 1 ? "never answer" : { code: status.UNAVAILABLE, details: "etcdserver: no leader" };
    };
    await writer.submit(batchOf("n1", 1));
    assert.ok(attempts > 40);
    assert.deepEqual(await ids(), [batchOf("n1", 1).id]);
  });

  test("a batch that every member rejects fails at once", async (t) => {
    const { writer, ids } = await rig(t);
    await assert.rejects(writer.submit(batchOf("n1", 1, 2_000_000)), JournalRefused);
    const prefix = newPrefix();
    const bold = await openStore(t, etcd().endpoints, prefix, { limits: { ...ALL_ANSWER, maxBatchBytes: 3_000_000 } });
    await assert.rejects(bold.submit(batchOf("n1", 1, 1_700_000)), JournalRefused);
    assert.equal(bold.counters.repeats, 0);
    assert.deepEqual(await ids(), []);
  });

  test("no member is reachable: it is rejected, and can be submitted later with the same id", async (t) => {
    const link = await Link.open(etcd().endpoints[0]!);
    inTheEnd(t, () => link.close());
    const limits = { ...QUICK, ...ALL_ANSWER, readPatienceMs: 0 };
    const store = await openStore(t, [link.url], newPrefix(), { limits });
    link.cut();
    // The outcome of a call during the disconnect is unknown.
    await assert.rejects(store.lastNumber());
    await assert.rejects(store.submit(batchOf("n1", 1)), JournalRefused);
    link.heal();
    await until("the member is there again", () =>
      store.submit(batchOf("n1", 1)).then(
        () => true,
        () => false,
      ),
    );
    assert.equal(await store.lastNumber(), 1);
  });

  test("no response, but the batch comes back: it is not retried, even after its row is removed", async (t) => {
    const { member, writer, ids } = await rig(t);
    const following = writer.follow(null);
    member.after = firstOf(1e9, "never answer");
    const [row] = await Promise.all([take(following, 1), writer.submit(batchOf("n1", 1))]);
    const repeats = writer.counters.repeats;
    await sleep(300);
    assert.equal(writer.counters.repeats, repeats);
    assert.equal(row[0]?.id, batchOf("n1", 1).id);
    assert.equal((await ids()).length, 1);
  });

  test("closed while the outcome is unknown: it rejects as unknown", async (t) => {
    const { member, writer } = await rig(t);
    member.before = firstOf(1e9, "never answer");
    const submitted = writer.submit(batchOf("n1", 1));
    setTimeout(() => void writer.close(), 50);
    await assert.rejects(submitted, (error: Error) => !(error instanceof JournalRefused));
  });
});
