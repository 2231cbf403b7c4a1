/** A list of faults continues in another lab; and delays are drawn identically on every machine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { Faults, type FaultyNode } from "../../../src/lab/faults/faults.ts";
import { faultSchema } from "../../../src/lab/faults/fault.ts";
import { drawMs } from "../../../src/lab/faults/delays.ts";
import { SavedParts } from "../../../src/platform/world/saved-state.ts";
import { asInFile, restoring } from "../../platform/world/goes-on.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const venue = new TestVenue();
const noWallet: ReturnType<FaultyNode["wallet"]> = { networks: () => [], sandbox: () => undefined };

function open(saved = new SavedParts()): Faults {
  const world = { ...MACHINE, nowMs: () => venue.nowMs, saved };
  return new Faults({ view: venue.engine, sequencer: venue.sequencer(), wallet: () => noWallet, world, rules: [] });
}

const struck = (faults: Faults): number[] => faults.book.list().map((each) => each.struck);

function ping(faults: Faults): number {
  let status = 0;
  const answered = { reply: (response: { status: number }) => void (status = response.status) };
  const request = { method: "GET", path: "/api/v3/ping", query: "", body: "", headers: {}, ip: "127.0.0.1" };
  faults.entrance(venue.gateway).process(request, answered);
  return status;
}

test("a restored list counts on, and gives the next number", () => {
  const saved = new SavedParts();
  const before = open(saved);
  const add = (faults: Faults, fault: object): number => faults.book.add(faultSchema.parse(fault));
  add(before, { fault: "fail-before", where: { endpoint: "ping" }, skip: 1, count: 2 });
  add(before, { fault: "drop", where: { stream: "btcusdt@depth" }, after: { fill: { symbol: "BTCUSDT" } } });
  add(before, { fault: "deposit-stuck", where: { account: "trader@example.org" } });
  add(before, { fault: "listen-key-expires", where: { account: "trader@example.org" }, fromMs: venue.nowMs + 1000 });
  assert.deepEqual([ping(before), ping(before)], [200, 504]);
  const states = saved.save();
  assert.deepEqual(asInFile(states), states, "plain JSON");

  for (let times = 0; times < 3; times++) {
    const restored = restoring(states);
    const behind = open(restored);
    assert.deepEqual(behind.book.list(), before.book.list());
    assert.deepEqual(restored.save(), states);
    assert.deepEqual([ping(behind), ping(behind)], [504, 200], "one was left of two");
    assert.deepEqual(struck(behind), [2, 0, 0, 0]);
    assert.equal(add(behind, { fault: "hang" }), 5);
    assert.equal(behind.isIdle, false, "the listen key waits for its end");
    behind.end();
    assert.equal(behind.isIdle, true);
  }
  assert.deepEqual(struck(before), [1, 0, 0, 0], "saved state is a copy");
});

test("one that waits for the strike of a fault that is gone still waits", () => {
  const saved = new SavedParts();
  const before = open(saved);
  const first = before.book.add(faultSchema.parse({ fault: "hang" }));
  before.book.add(faultSchema.parse({ fault: "fail-before", after: { fault: first } }));
  before.book.remove(first);
  assert.deepEqual(open(restoring(saved.save())).book.list(), before.book.list());
});

test("deposits that were stuck stay so", () => {
  const saved = new SavedParts();
  const before = open(saved);
  before.book.add(faultSchema.parse({ fault: "deposit-stuck", ms: 5000, count: 1 }));
  const [assetId] = venue.engine.assets().map((asset) => asset.assetId);
  const deposit = (txId: string): Parameters<Faults["coins"]["isStuck"]>[0] => ({
    ...{ depositId: 1, network: "BTC", txId, output: 0, accountId: venue.trader.accountId, assetId: assetId ?? 0 },
    ...{ amount: 1n, address: "a", tag: "", insertTimeMs: 0, owed: 0n, status: "pending" },
  });
  assert.equal(before.coins.isStuck(deposit("one")), true);
  assert.equal(before.coins.isStuck(deposit("two")), false);
  const behind = open(restoring(saved.save()));
  assert.deepEqual([behind.coins.isStuck(deposit("one")), behind.coins.isStuck(deposit("two"))], [true, false]);
  venue.nowMs += 5000;
  assert.equal(behind.coins.isStuck(deposit("one")), false);
});

test("a fault that the exchange cannot have is rejected, with its place", () => {
  const fault = { fault: "hang", where: { symbol: "X" } };
  const faults = { nextId: 2, faults: [{ id: 1, fault, armed: true, met: 0, struck: 0, strikes: [], stuck: {} }] };
  const message = /: faults: There is no symbol X/;
  assert.throws(() => open(restoring({ faults })), { name: "SavedStateUnreadable", message });
});

test("drawn waits have the median and the spread that were asked for, and are the same for the same dice", () => {
  const draws = (seed: number): number[] => {
    const chance = new Dice(seed);
    const randomBytes = (count: number): Buffer => {
      const bytes = Buffer.alloc(count);
      bytes.writeUInt32LE(chance.below(2 ** 32));
      return bytes;
    };
    return Array.from({ length: 2000 }, () => drawMs({ medianMs: 1000, sigma: 0.5 }, { randomBytes }));
  };
  const first = draws(7);
  assert.deepEqual(draws(7), first);
  assert.notDeepEqual(draws(8), first);
  const sorted = first.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  assert.ok(Math.abs(at(0.5) - 1000) < 60, `median ${at(0.5)}`);
  // 68 % are within one sigma.
  assert.ok(Math.abs(at(0.841) - 1000 * Math.exp(0.5)) < 120, `84 % ${at(0.841)}`);
  assert.ok(Math.abs(at(0.159) - 1000 * Math.exp(-0.5)) < 60, `16 % ${at(0.159)}`);
});
