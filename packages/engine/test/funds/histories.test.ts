/**
 * The wallet's commands in any order, with trades in between. After each command the engine agrees with the model and
 * every invariant holds. A snapshot at any point with the rest of the journal, and a replay of the whole journal, lead
 * to the same bytes. WALLET_HISTORIES sets the number of histories; histories.campaign.ts runs more.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Engine, type Entry } from "@pricetime/engine";
import { portrait } from "../portrait.ts";
import { makeWorld, randomCommand, WALLET_MAKERS } from "@pricetime/testkit/workload";
import { Comparison } from "../random/comparison.ts";
import { Dice } from "@pricetime/testkit/dice";

const RUNS = Number(process.env["WALLET_HISTORIES"] ?? 10);
const START_MS = 1_700_000_000_000;

const history = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  length: fc.nat({ max: 250 }),
  cut: fc.nat(),
});

test("wallet commands in any order", { timeout: 300_000 }, () => {
  let steps = 0;
  const run = fc.property(history, ({ seed, length, cut }) => {
    const dice = new Dice(seed);
    const world = makeWorld(dice);
    const comparison = new Comparison();
    let timeMs = START_MS;
    for (const command of world.opening) comparison.step(timeMs, command);
    for (let i = 0; i < length; i++) {
      timeMs += dice.pick([0, 1, 700, 5_000, 400_000]);
      const isTrading = dice.oneIn(4);
      const make = dice.weighted(WALLET_MAKERS);
      comparison.step(
        timeMs,
        isTrading ? randomCommand(dice, world, comparison.model) : make(dice, world, comparison.model),
      );
      comparison.fast.checkInvariants();
      steps++;
    }
    checkReplays(comparison, cut % comparison.entries.length);
  });
  fc.assert(run, { numRuns: RUNS });
  assert.ok(steps > 15 * RUNS);
});

function checkReplays({ entries, fast }: Comparison, cut: number): void {
  const [first, last]: readonly (readonly Entry[])[] = [entries.slice(0, cut), entries.slice(cut)];
  const whole = new Engine();
  for (const entry of first!) whole.apply(entry);
  const resumed = Engine.restore(whole.snapshot());
  assert.deepEqual(resumed.snapshot(), whole.snapshot(), "a snapshot of what was restored");
  for (const engine of [whole, resumed]) {
    for (const entry of last!) engine.apply(entry);
    assert.equal(engine.eventDigest(), fast.eventDigest());
    assert.deepEqual(portrait(engine), portrait(fast));
    assert.deepEqual(engine.snapshot(), fast.snapshot());
  }
}
