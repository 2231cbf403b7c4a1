/** A watch is trusted only as far as it can be checked: each rule of following, with a member that breaks it. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { StoreUnfit } from "../../../src/cluster/port.ts";
import type { Following } from "../../../src/journal/port.ts";
import type { EtcdStore } from "../../../src/cluster/etcd/etcd-store.ts";
import type { EtcdLimits } from "../../../src/cluster/etcd/endpoint.ts";
import type { WatchResponse } from "../../../src/cluster/etcd/protocol.ts";
import { batchOf, newPrefix, numbersOf, openStore, submitAll, take, upTo, suiteEtcd } from "./rig.ts";
import { TamperingMember } from "./tampering-member.ts";

/** Watches count as silent or stuck only in tests of that, so that slow ones do not. */
const QUICK: Partial<EtcdLimits> = { progressMs: 40, silenceMs: 60_000, compareMs: 50, stuckMs: 60_000, retryMs: 10 };

suite("following etcd", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  /** A node that writes correctly, and one that follows through a member that behaves as `spoil` says. */
  async function rig(
    t: TestContext,
    spoil: TamperingMember["onWatch"],
    limits: Partial<EtcdLimits> = {},
  ): Promise<{
    readonly writer: EtcdStore;
    readonly reader: EtcdStore;
    readonly member: TamperingMember;
    readonly prefix: string;
  }> {
    const prefix = newPrefix();
    const writer = await openStore(t, etcd().endpoints, prefix);
    const member = await TamperingMember.open(etcd().endpoints[0]!);
    inTheEnd(t, () => member.close());
    member.onWatch = spoil;
    const reader = await openStore(t, [member.url], prefix, { node: "n2", limits: { ...QUICK, ...limits } });
    return { writer, reader, member, prefix };
  }

  /** The number of the batch in a response, to drop or change it. */
  const rowOf = ({ events }: WatchResponse): number =>
    Number(events.find(({ kv }) => kv.key.toString("utf8").endsWith("/n"))?.kv.version ?? 0);
  /** One batch after the other, so that each has its own response. */
  const live = async (writer: EtcdStore, count: number, following: Following): Promise<void> => {
    const first = writer.submit(batchOf("n1", 1));
    assert.deepEqual(numbersOf(await take(following, 1)), [1]);
    await first;
    for (let n = 2; n <= count; n++) await writer.submit(batchOf("n1", n));
  };
  const some = async (writer: EtcdStore, count: number): Promise<void> => {
    for (let n = 1; n <= count; n++) await writer.submit(batchOf("n1", n));
  };
  const rest = (count: number): number[] => upTo(count).slice(1);

  test("continues after the last received batch, however far the store is", async (t) => {
    const { writer, reader, member } = await rig(t, (response, watch, at) => {
      if (watch > 3) return [response];
      return at < 2 ? [response] : "end";
    });
    await submitAll(writer, "n1", 1300);
    assert.deepEqual(numbersOf(await take(reader.follow(null), 1300)), upTo(1300));
    assert.ok(member.watches.length > 1);
  });

  test("a resumed watch requests what follows the last batch, wherever the store is", async (t) => {
    let ending = 0;
    const { writer, reader, member } = await rig(t, (response, watch) => (watch === ending ? "end" : [response]));
    // Other keys increase the revision, too, and the member reports it.
    const pass = (): Promise<unknown> => etcd().members[0]!.ask("kv/put", { key: "eA==", value: "eA==" });
    await pass();
    await pass();
    const following = reader.follow(null);
    await live(writer, 3, following);
    for (const next of [4, 5]) {
      const last = (await take(following, next === 4 ? 2 : 1)).at(-1)!.place;
      assert.equal(last.number, next - 1);
      await pass();
      await sleep(3 * QUICK.progressMs!);
      ending = next - 3;
      await until("it asks again", () => member.watches.length > ending);
      assert.equal(Number(member.watches[ending]?.create?.startRevision), last.revision + 1);
      await writer.submit(batchOf("n1", next));
    }
    assert.deepEqual(numbersOf(await take(following, 1)), [5]);
  });

  test("duplicates count once, immediate or complete", async (t) => {
    const kept: WatchResponse[] = [];
    const { writer, reader } = await rig(t, (response) => {
      kept.push(response);
      return rowOf(response) === 20 ? [response, ...kept] : [response, response];
    });
    const following = reader.follow(null);
    await live(writer, 30, following);
    assert.deepEqual(numbersOf(await take(following, 29)), rest(30));
    assert.ok(reader.counters.duplicatesDropped > 30);
    assert.deepEqual(reader.counters.reconnects, { ended: 0, silent: 0, stuck: 0, "rows missing": 0, compacted: 0 });
  });

  test("a silent watch is abandoned", async (t) => {
    const spoil: TamperingMember["onWatch"] = (response, watch) =>
      watch === 1 && rowOf(response) !== 1 ? [] : [response];
    const { writer, reader } = await rig(t, spoil, { silenceMs: 200 });
    const following = reader.follow(null);
    await live(writer, 5, following);
    // The replacement delivers no batch, so a test of batches only would wait forever.
    await until("it is given up", () => reader.counters.reconnects.silent >= 1);
    assert.deepEqual(numbersOf(await take(following, 4)), rest(5));
  });

  test("a watch that reports progress but delivers no batches is abandoned", async (t) => {
    const spoil: TamperingMember["onWatch"] = (response, watch) =>
      watch === 1 && rowOf(response) > 1 ? [] : [response];
    const { writer, reader } = await rig(t, spoil, { stuckMs: 150 });
    const following = reader.follow(null);
    await live(writer, 5, following);
    await until("it is given up", () => reader.counters.reconnects.stuck >= 1);
    assert.deepEqual(numbersOf(await take(following, 4)), rest(5));
  });

  test("a batch that a watch skips is delivered by the next one", async (t) => {
    const { writer, reader } = await rig(t, (response, watch) =>
      watch === 1 && rowOf(response) === 3 ? [] : [response],
    );
    const following = reader.follow(null);
    await live(writer, 5, following);
    assert.deepEqual(numbersOf(await take(following, 4)), rest(5));
    assert.equal(reader.counters.reconnects["rows missing"], 1);
  });

  test("a batch that every watch skips stops the node", async (t) => {
    const { writer, reader } = await rig(t, (response) =>
      response.events.length === 0 ? [response] : [{ ...response, events: response.events.filter((_, i) => i > 1) }],
    );
    await some(writer, 5);
    await assert.rejects(take(reader.follow(null), 5), StoreUnfit);
  });

  test("a batch without its counter stops the node, and so does a key of another program", async (t) => {
    const { writer, reader } = await rig(t, (response) => [
      { ...response, events: response.events.filter(({ kv }) => !kv.key.toString("utf8").endsWith("/n")) },
    ]);
    await some(writer, 2);
    await assert.rejects(take(reader.follow(null), 2), /another program writes/);
    const other = await rig(t, (response) => [response]);
    await some(other.writer, 2);
    const key = Buffer.from(`${other.prefix}/${other.writer.epoch.epoch}/b/x`).toString("base64");
    await etcd().members[0]!.ask("kv/put", { key, value: "eA==" });
    const following = other.reader.follow(null);
    assert.equal((await take(following, 2)).length, 2);
    await assert.rejects(following.next(), /another program writes/);
  });

  test("a member of another cluster stops the node", async (t) => {
    const { writer, reader } = await rig(t, (response) => [
      { ...response, header: { ...response.header, clusterId: "7" } },
    ]);
    await some(writer, 1);
    await assert.rejects(take(reader.follow(null), 1), /another etcd cluster/);
  });

  test("fragments of a large response are joined", async (t) => {
    let pieces = 0;
    const { writer, reader } = await rig(t, (response) => {
      pieces += Number(response.fragment);
      return [response];
    });
    await submitAll(writer, "n1", 300, 20_000);
    const rows = await take(reader.follow(null), 300);
    assert.deepEqual(numbersOf(rows), upTo(300));
    assert.ok(rows.every(({ bytes }) => bytes.length === 20_000));
    assert.ok(pieces > 1);
  });

  test("a node that does not take batches is not sent more than its buffer holds", async (t) => {
    const { writer, reader } = await rig(t, (response) => [response], {
      ...{ maxQueuedBytes: 100_000, progressMs: 100, silenceMs: 3_000, stuckMs: 2_900 },
    });
    const following = reader.follow(null);
    await submitAll(writer, "n1", 300, 20_000);
    await until("rows have come", () => reader.counters.lastDelivered > 4);
    // Longer than the allowed silence.
    await sleep(3_400);
    // One response has up to 1.5 MB.
    assert.ok(reader.counters.lastDelivered < 200, `${reader.counters.lastDelivered} rows wait`);
    assert.deepEqual(numbersOf(await take(following, 300)), upTo(300));
    assert.deepEqual(reader.counters.reconnects, { ended: 0, silent: 0, stuck: 0, "rows missing": 0, compacted: 0 });
  });

  test("every call requires that the member has a leader", async (t) => {
    const { writer, reader, member } = await rig(t, (response) => [response]);
    const following = reader.follow(null);
    await Promise.all([some(writer, 2), reader.submit(batchOf("n2", 1)), reader.lastNumber()]);
    await take(following, 3);
    assert.equal(member.leaderless, 0);
  });
});
