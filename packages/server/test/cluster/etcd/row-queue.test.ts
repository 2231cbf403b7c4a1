/** The queue checks that no batch is missing or duplicated. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RowQueue } from "../../../src/cluster/etcd/following.ts";
import type { LogRow } from "../../../src/journal/port.ts";
import { arrayBuffers } from "../../api/edge/heap.ts";

const row = (number: number): LogRow => ({
  ...{ id: `n1/x/${number}`, count: 1, timeMs: 0, node: "n1", bytes: Buffer.from("row") },
  place: { epoch: "1", number, revision: number },
});

test("batches follow each other without gaps and duplicates", async () => {
  const queue = new RowQueue();
  queue.push([row(4), row(5)]);
  queue.push([row(6)]);
  assert.throws(() => queue.push([row(6)]), /without gaps/);
  assert.throws(() => queue.push([row(8)]), /without gaps/);
  for (const number of [4, 5, 6]) assert.equal((await queue.next())?.place.number, number);
});

test("a queue that is never empty drops the batches that were taken", async () => {
  const queue = new RowQueue();
  const before = arrayBuffers();
  const large = (number: number): LogRow => ({ ...row(number), bytes: Buffer.alloc(100_000) });
  queue.push([large(1)]);
  for (let number = 2; number <= 1_000; number++) {
    queue.push([large(number)]);
    await queue.next();
  }
  assert.equal(queue.bytes, 100_000);
  const heldBytes = arrayBuffers() - before;
  assert.ok(heldBytes < 1_000_000, `${heldBytes} bytes of 100 MB`);
  assert.equal((await queue.next())?.place.number, 1_000);
});
