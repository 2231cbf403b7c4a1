/**
 * A follower stands still for more entries than the leader keeps for it, while a watch is open on it: when it goes on it
 * is sent a snapshot of the store. Members before 3.4.25 may deliver everything a second time then, where the watch outlives
 * it; else another one begins on a member that has just changed all that it holds.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { newPrefix, numbersOf, openStore, submitAll, take, upTo } from "./rig.ts";

/** The leader keeps 5,000 entries behind its last snapshot, and takes one every 100. */
const MISSED = 5_600;
const BEFORE = 50;
const AFTER = 50;
/** Nobody gives the watch up while the member stands still: it is what this is about. */
const PATIENT = { silenceMs: 300_000, stuckMs: 300_000, compareMs: 60_000 };

suite("a follower that stood still", { skip: noEtcd }, () => {
  test("rows come once and in order, whether the watch that was open outlives it or not", async (t) => {
    const etcd = await startEtcd({ members: 3, flags: ["--snapshot-count=100"] });
    inTheEnd(t, () => etcd.stop());
    const leader = await etcd.leader();
    const follower = etcd.members.find((member) => member !== leader) ?? assert.fail();
    const others = etcd.members.filter((member) => member !== follower).map(({ url }) => url);
    const prefix = newPrefix();
    const writer = await openStore(t, others, prefix);
    const reader = await openStore(t, [follower.url], prefix, { node: "n2", limits: PATIENT });
    const following = reader.follow(null);
    await submitAll(writer, "n1", BEFORE);
    const rows = await take(following, BEFORE);
    follower.pause();
    await submitAll(writer, "n3", MISSED);
    follower.resume();
    await submitAll(writer, "n4", AFTER);
    const count = BEFORE + MISSED + AFTER;
    rows.push(...(await take(following, count - BEFORE)));
    assert.deepEqual(numbersOf(rows), upTo(count));
    assert.equal(new Set(rows.map(({ id }) => id)).size, count, "each once");
    await until("it was sent a snapshot", async () => {
      const text = await (await fetch(`${follower.url}/metrics`)).text();
      return /^etcd_network_snapshot_receive_success\{.*\} [1-9]/m.test(text);
    });
    const { duplicatesDropped, reconnects } = reader.counters;
    t.diagnostic(`${duplicatesDropped} revisions came twice; watches: ${JSON.stringify(reconnects)}`);
  });
});
