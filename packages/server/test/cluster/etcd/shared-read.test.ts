/** Concurrent reads are sent to the store one at a time, and never use an older result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedRead } from "../../../src/cluster/etcd/etcd-store.ts";

function rig() {
  const asked: PromiseWithResolvers<number>[] = [];
  const read = new SharedRead(() => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  });
  return { asked, read };
}

test("calls during a read wait for the next one, which they share", async () => {
  const { asked, read } = rig();
  const first = read.read();
  const later = [read.read(), read.read(), read.read()];
  assert.equal(asked.length, 1);
  asked[0]!.resolve(1);
  assert.equal(await first, 1);
  await Promise.resolve();
  assert.equal(asked.length, 2);
  asked[1]!.resolve(2);
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
});

test("a failed read is reported to its callers; others read again", async () => {
  const { asked, read } = rig();
  const first = read.read();
  const second = read.read();
  asked[0]!.reject(new Error("nobody"));
  await assert.rejects(first, /nobody/);
  await Promise.resolve();
  asked[1]!.resolve(2);
  assert.equal(await second, 2);
  const third = read.read();
  asked[2]!.resolve(3);
  assert.equal(await third, 3);
});
