/** The events of a watch become batches, each once, and nothing else does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnfit } from "../../../src/cluster/port.ts";
import { encodeBatch, RowAssembler, RowsMissing } from "../../../src/cluster/etcd/rows.ts";
import { newCounters } from "../../../src/cluster/etcd/endpoint.ts";
import { keysOfEpoch } from "../../../src/cluster/etcd/epoch.ts";
import type { WatchEvent, WatchResponse } from "../../../src/cluster/etcd/protocol.ts";
import { batchOf, numbersOf } from "./rig.ts";

const keys = keysOfEpoch("pt", "e1");
const put = (key: Buffer, value: Buffer, modRevision: number, version: number): WatchEvent => ({
  type: "PUT",
  kv: {
    ...{ key, value, modRevision: `${modRevision}`, createRevision: `${modRevision}`, version: `${version}` },
    lease: "0",
  },
});
/** Batch n has revision 10 n. */
const eventsOf = (n: number): [WatchEvent, WatchEvent] => {
  const batch = batchOf("n1", n);
  return [
    put(keys.batch(batch.id), encodeBatch(batch), 10 * n, 1),
    put(keys.counter, Buffer.from(batch.id), 10 * n, n),
  ];
};
const response = (events: readonly WatchEvent[], fragment = false): WatchResponse => ({
  ...{ header: { clusterId: "1", memberId: "1", revision: "1000" }, created: false, canceled: false },
  ...{ compactRevision: "0", cancelReason: "", fragment, events },
});

function rig() {
  const counters = newCounters();
  const start = { number: 0, revision: 5, id: "", seenRevision: 5 };
  const assembler = new RowAssembler("e1", keys, start, counters);
  const take = (events: readonly WatchEvent[], fragment = false): number[] =>
    numbersOf([...assembler.take(response(events, fragment))]);
  return { assembler, counters, take };
}

test("several batches in a response, whose own revision does not count", () => {
  const { take, assembler } = rig();
  assert.deepEqual(take([...eventsOf(1), ...eventsOf(2)]), [1, 2]);
  assert.equal(assembler.reached.seenRevision, 20);
  assert.deepEqual(take(eventsOf(3)), [3]);
});

test("a response in fragments, cut anywhere", () => {
  const all = [1, 2, 3].flatMap(eventsOf);
  for (let cut = 0; cut <= all.length; cut++) {
    const { take } = rig();
    const numbers = [...take(all.slice(0, cut), true), ...take(all.slice(cut))];
    assert.deepEqual(numbers, [1, 2, 3], `cut after ${cut}`);
  }
});

test("fragments of a watch that has ended are not joined with those of the next", () => {
  const { take, assembler } = rig();
  assert.deepEqual(take([...eventsOf(1), eventsOf(2)[0]], true), [1]);
  assembler.restart();
  assert.deepEqual(take([...eventsOf(2), ...eventsOf(3)]), [2, 3]);
});

test("duplicates are dropped and counted", () => {
  const { take, counters } = rig();
  take([...eventsOf(1), ...eventsOf(2)]);
  assert.deepEqual(take([...eventsOf(1), ...eventsOf(2), ...eventsOf(3)]), [3]);
  assert.equal(counters.duplicatesDropped, 2);
});

test("after a gap nothing counts, but earlier batches do", () => {
  const { assembler } = rig();
  const numbers: number[] = [];
  assert.throws(() => {
    for (const row of assembler.take(response([...eventsOf(1), ...eventsOf(3)]))) numbers.push(row.place.number);
  }, RowsMissing);
  assert.deepEqual([numbers, assembler.reached.number], [[1], 1]);
});

const [batch, counter] = eventsOf(1);
const other = batchOf("n1", 2);
const strange: [string, readonly WatchEvent[]][] = [
  ["a batch without counter", [batch]],
  ["a counter without batch", [counter]],
  ["two batches", [batch, batch]],
  ["three things at once", [batch, counter, counter]],
  ["another batch than the counter says", [put(keys.batch(other.id), encodeBatch(other), 10, 1), counter]],
  ["a batch that was changed", [{ ...batch, kv: { ...batch.kv, version: "2" } }, counter]],
  ["what is no batch", [put(batch.kv.key, Buffer.from("x"), 10, 1), counter]],
  ["a removal", [{ ...batch, type: "DELETE" }, counter]],
  ["a key of something else", [put(Buffer.from("pt/e1/c"), batch.kv.value, 10, 1), counter]],
];
for (const [what, events] of strange) {
  test(`${what} stops the node`, () => {
    const { take } = rig();
    assert.throws(() => take(events), StoreUnfit);
  });
}

test("a counter that restarts is a gap", () => {
  const { take } = rig();
  take([...eventsOf(1), ...eventsOf(2)]);
  const [next] = eventsOf(3);
  const anew = put(keys.counter, Buffer.from(batchOf("n1", 3).id), 30, 1);
  assert.throws(() => take([next, anew]), RowsMissing);
});
