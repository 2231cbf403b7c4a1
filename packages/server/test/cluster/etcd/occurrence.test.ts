/** Waiting for a one-time event or another promise notices both, and leaves nothing behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Occurrence } from "../../../src/cluster/etcd/submitter.ts";
import { heapUsed } from "../../api/edge/heap.ts";

const never = new Promise<never>(() => {});

test("the wait ends with whatever comes first", async () => {
  const end = new Occurrence();
  await end.or(Promise.resolve());
  await assert.rejects(end.or(Promise.reject(new Error("refused"))), /refused/);
  assert.equal(end.hasHappened, false);
  const waits = [end.or(never), end.or(never)];
  end.happen();
  await Promise.all(waits);
  assert.equal(end.hasHappened, true);
});

test("after the event no wait is long, and the other promise no longer matters", async () => {
  const end = new Occurrence();
  const late = Promise.withResolvers<void>();
  const wait = end.or(late.promise);
  end.happen();
  await wait;
  late.reject(new Error("nobody hears of it"));
  await end.or(never);
  await end.or(Promise.reject(new Error("nor of this")));
});

test("a finished wait retains nothing", async () => {
  const end = new Occurrence();
  const count = 1_000;
  const fail = (): Promise<never> => Promise.reject(Object.assign(new Error(), { held: Array(1_000).fill(1.5) }));
  const before = heapUsed();
  for (let n = 0; n < count; n++) await end.or(fail()).catch(() => {});
  const heldBytes = heapUsed() - before;
  assert.ok(heldBytes < 2_000 * count, `${heldBytes} bytes of ${count} waits, each with 8,000 at hand`);
  end.happen();
});
