/** The queue of rows holds on its own that none is missing and none comes twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RowQueue } from "../../src/etcd/row-queue.ts";
import type { LogRow } from "../../src/journal/port.ts";

const row = (number: number): LogRow => ({
  ...{ id: `n1/x/${number}`, count: 1, timeMs: 0, node: "n1", bytes: Buffer.from("row") },
  place: { epoch: "1", number, revision: number },
});

test("rows follow each other without gap and repetition", async () => {
  const queue = new RowQueue();
  queue.push([row(4), row(5)]);
  queue.push([row(6)]);
  assert.throws(() => queue.push([row(6)]), /without gaps/);
  assert.throws(() => queue.push([row(8)]), /without gaps/);
  for (const number of [4, 5, 6]) assert.equal((await queue.next())?.place.number, number);
});
