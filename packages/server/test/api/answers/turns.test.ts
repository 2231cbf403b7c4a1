/** Concurrent long responses: one piece per turn, shared by equal requests, and never older than the request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_IN_MAKING, type Pieces, Turns } from "../../../src/api/answers/long-list.ts";
import { ManualTurns } from "./manual-turns.ts";

function* counting(name: string, pieces: number, log: string[]): Pieces<string> {
  for (let n = 1; n < pieces; n++) {
    log.push(`${name}${n}`);
    yield;
  }
  log.push(`${name}${pieces}`);
  return name;
}

test("a turn makes one piece, of each response in turn, in the order of requests", async () => {
  const held = new ManualTurns();
  const turns = new Turns(held);
  const log: string[] = [];
  const both = Promise.all([
    turns.make("a", () => counting("a", 3, log)),
    turns.make("b", () => counting("b", 2, log)),
  ]);
  assert.deepEqual(log, [], "nothing is begun in the turn of the request");
  for (let turn = 1; turn <= 5; turn++) {
    assert.equal(held.run(), 1, "one at a time is put off");
    assert.equal(log.length, turn);
  }
  assert.deepEqual(log, ["a1", "b1", "a2", "b2", "a3"]);
  assert.deepEqual(await both, ["a", "b"]);
  held.run();
  assert.equal(held.run(), 0, "and then none");
});

test("requests before the start share a response; later requests get another one", async () => {
  const held = new ManualTurns();
  const turns = new Turns(held);
  let begun = 0;
  const begin = function* (): Pieces<number> {
    const mine = ++begun;
    yield;
    return mine;
  };
  const early = [turns.make("same", begin), turns.make("same", begin), turns.make("other", begin)];
  held.run();
  const late = turns.make("same", begin);
  while (held.run() > 0);
  assert.deepEqual(await Promise.all([...early, late]), [1, 1, 2, 3]);
});

test("requests that share a response get it one per turn, with pieces of others in between", async () => {
  const held = new ManualTurns();
  const turns = new Turns(held);
  const log: string[] = [];
  const ask = (key: string, name: string): Promise<number> =>
    turns.make(key, () => counting(key, 1, [])).then(() => log.push(name));
  const all = Promise.all([ask("a", "a1"), ask("a", "a2"), ask("a", "a3"), ask("b", "b1")]);
  const seen: string[] = [];
  while (held.run() > 0) {
    for (let n = 0; n < 5; n++) await Promise.resolve();
    seen.push(log.join(" "));
  }
  await all;
  assert.deepEqual([...new Set(seen)], ["a1", "a1 b1", "a1 b1 a2", "a1 b1 a2 a3"]);
});

test("the number of responses that hold read data is bounded", () => {
  const held = new ManualTurns();
  const turns = new Turns(held);
  let inMaking = 0;
  let most = 0;
  const begin = function* (): Pieces<void> {
    most = Math.max(most, ++inMaking);
    for (let n = 0; n < 50; n++) yield;
    inMaking--;
  };
  for (let n = 0; n < 100; n++) void turns.make(`${n}`, begin);
  while (held.run() > 0);
  assert.deepEqual([most, inMaking], [MAX_IN_MAKING, 0]);
});

test("a failure rejects all requests that share the response, and the next one is made", async () => {
  const held = new ManualTurns();
  const turns = new Turns(held);
  // oxlint-disable-next-line require-yield
  const failing = function* (): Pieces<never> {
    throw new Error("a bug");
  };
  const outcomes = Promise.allSettled([
    turns.make("bad", failing),
    turns.make("bad", failing),
    turns.make("good", () => counting("good", 2, [])),
  ]);
  while (held.run() > 0);
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
});
