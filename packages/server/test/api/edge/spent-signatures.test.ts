/** Signatures that are valid on one connection: stored for their time window, and no longer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SpentSignatures } from "../../../src/api/edge/authentication.ts";
import { heapUsed } from "./heap.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

const START_MS = 1_614_834_367_500;
const WINDOW_MS = 5000;

const signed = (apiKey: string, timestampMs: number, session: object, windowMs = WINDOW_MS) => ({
  apiKey,
  payload: `apiKey=${apiKey}&recvWindow=${windowMs}&timestamp=${timestampMs}`,
  lastMs: timestampMs + windowMs,
  session,
});

test("rejected on another connection up to the last millisecond of the window; nothing is stored after that", () => {
  const spent = new SpentSignatures(NOTHING_SAVED);
  const [one, other] = [{}, {}];
  const logon = signed("a", START_MS, one);
  assert.equal(spent.spend(logon, START_MS), "new");
  for (const nowMs of [START_MS, START_MS + 1, START_MS + WINDOW_MS]) {
    assert.equal(spent.spend({ ...logon, session: other }, nowMs), "spent");
    assert.equal(spent.spend(logon, nowMs), "new", "it had it itself");
  }
  assert.equal(spent.spend({ ...logon, apiKey: "b" }, START_MS), "new", "of another key");
  assert.equal(spent.size, 2);
  const afterMs = START_MS + WINDOW_MS + 1000;
  assert.equal(spent.spend(signed("c", afterMs, one), afterMs), "new");
  assert.equal(spent.size, 1);
});

test("at the limit it rejects instead of dropping; one key does not affect others", () => {
  const spent = new SpentSignatures(NOTHING_SAVED, { maxSpent: 5, maxSpentOfKey: 3 });
  const first = signed("a", START_MS, {});
  assert.equal(spent.spend(first, START_MS), "new");
  const of = (apiKey: string) => [1, 2, 3].map((n) => spent.spend(signed(apiKey, START_MS + n, {}), START_MS));
  assert.deepEqual(of("a"), ["new", "new", "full"]);
  assert.deepEqual(of("b"), ["new", "new", "full"]);
  assert.deepEqual(of("c"), ["full", "full", "full"]);
  assert.equal(spent.spend({ ...first, session: {} }, START_MS), "spent", "still known");
  const laterMs = START_MS + WINDOW_MS + 1000;
  assert.equal(spent.spend(signed("c", laterMs, {}), laterMs), "new", "room again when windows are over");
});

test("memory is bounded by the windows, however long it runs", () => {
  const spent = new SpentSignatures(NOTHING_SAVED);
  for (let nowMs = START_MS; nowMs < START_MS + 600_000; nowMs += 50) {
    spent.spend(signed(`key${nowMs % 7}`, nowMs, {}, nowMs % 100 === 0 ? 60_000 : 1), nowMs);
    assert.ok(spent.size <= 61 * 20, `${spent.size} after ${nowMs - START_MS} ms`);
  }
});

test("stored entries are short, however long the signed text is", () => {
  const spent = new SpentSignatures(NOTHING_SAVED);
  const before = heapUsed();
  for (let n = 0; n < 1000; n++) {
    const short = signed("a", START_MS + n, {});
    const payload = Buffer.from(`${short.payload}&returnRateLimits=${"x".repeat(16_000)}`).toString("latin1");
    assert.equal(spent.spend({ ...short, payload }, START_MS), "new");
  }
  const keptBytes = heapUsed() - before;
  assert.equal(spent.size, 1000);
  assert.ok(keptBytes < 3_000_000, `${keptBytes} bytes`);
});
