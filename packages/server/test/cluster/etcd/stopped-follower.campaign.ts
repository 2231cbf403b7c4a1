/**
 * A follower is suspended for more entries than the leader keeps for it, while a watch is open on it. When it resumes,
 * it gets a snapshot of the store. Members before 3.4.25 may then deliver everything a second time if the watch
 * survives; otherwise, another watch starts on a member that has just replaced its state.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { newPrefix, numbersOf, openStore, submitAll, take, upTo } from "./rig.ts";

/** A follower that resumed too soon may have received the entries themselves. */
const ATTEMPTS = 3;
/** The leader keeps 5,000 entries behind its last snapshot, and takes one every 100. */
const MISSED = 5_600;
const BEFORE = 50;
const AFTER = 50;
/** Watches are not abandoned while the member is suspended, because that is tested here. */
const PATIENT = { silenceMs: 300_000, stuckMs: 300_000, compareMs: 60_000 };

/** Snapshots of the store that the member has received. */
async function snapshotsTo(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^etcd_network_snapshot_receive_success\{.*\} (\d+)/m.exec(text)?.[1] ?? 0);
}

suite("a follower that stood still", { skip: noEtcd }, () => {
  test("batches arrive once and in order, whether the open watch survives or not", async (t) => {
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
    let count = BEFORE;
    for (let attempt = 1; attempt <= ATTEMPTS && (await snapshotsTo(follower.url)) === 0; attempt++) {
      follower.pause();
      await submitAll(writer, `missed-${attempt}`, MISSED);
      follower.resume();
      await submitAll(writer, `after-${attempt}`, AFTER);
      const more = MISSED + AFTER;
      rows.push(...(await take(following, more)));
      count += more;
    }
    assert.deepEqual(numbersOf(rows), upTo(count));
    assert.equal(new Set(rows.map(({ id }) => id)).size, count, "each once");
    assert.ok((await snapshotsTo(follower.url)) > 0, "it was sent a snapshot");
    const { duplicatesDropped, reconnects } = reader.counters;
    t.diagnostic(`${duplicatesDropped} revisions came twice; watches: ${JSON.stringify(reconnects)}`);
  });
});
