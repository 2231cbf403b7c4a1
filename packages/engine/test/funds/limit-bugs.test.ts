/** Random histories find bugs in the sums of withdrawals: with each planted bug, engine and model disagree. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { makeWorld, WALLET_MAKERS } from "@pricetime/testkit/workload";
import { WithdrawalCounts } from "../../src/state/funds/withdrawals.ts";
import { Comparison } from "../random/comparison.ts";

const START_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const SEEDS = 6;
const COMMANDS = 250;

/** Runs histories over many hours until engine and model disagree; null if they never do. */
function disagreement(): string | null {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const dice = new Dice(seed);
    const world = makeWorld(dice);
    const comparison = new Comparison();
    let timeMs = START_MS;
    try {
      comparison.step(timeMs, { type: "adoptRules", edition: 4 });
      for (const command of world.opening) comparison.step(timeMs, command);
      for (let i = 0; i < COMMANDS; i++) {
        timeMs += dice.pick([0, 700, 5_000, HOUR_MS / 3, HOUR_MS]);
        comparison.step(timeMs, dice.weighted(WALLET_MAKERS)(dice, world, comparison.model));
      }
      comparison.deepCheck();
    } catch (error) {
      return String(error);
    }
  }
  return null;
}

type Method = "add" | "remove" | "withdrawn";
type Real = (...args: readonly unknown[]) => unknown;

function withBug(method: Method, bug: (counts: WithdrawalCounts, real: Real, args: readonly unknown[]) => unknown) {
  const prototype = WithdrawalCounts.prototype as unknown as Record<Method, Real>;
  const real = prototype[method];
  prototype[method] = function (this: WithdrawalCounts, ...args) {
    return bug(this, real.bind(this), args);
  };
  try {
    return disagreement();
  } finally {
    prototype[method] = real;
  }
}

test("without a bug engine and model agree, over days", { timeout: 240_000 }, () => {
  assert.equal(disagreement(), null);
});

const BUGS = {
  "a request is not counted": () => withBug("add", () => undefined),
  "what ends unpaid still counts": () => withBug("remove", () => undefined),
  "a request counts for an hour less": () =>
    withBug("withdrawn", (_counts, real, [whose, nowMs]) => real(whose, (nowMs as number) + HOUR_MS)),
  "a request counts for an hour more": () =>
    withBug("withdrawn", (_counts, real, [whose, nowMs]) => real(whose, (nowMs as number) - HOUR_MS)),
  "a sub-account counts by itself": () => {
    let requests = 0;
    // The master is 100. Every second request of its sub-account 102 counts as if it had no master.
    return withBug("add", (_counts, real, [master, ...rest]) =>
      real(master === 100 && ++requests % 2 === 0 ? 102 : master, ...rest),
    );
  },
  "what one customer withdrew counts for no other": () =>
    withBug("withdrawn", (_counts, real, [whose, nowMs]) => (whose === null ? new Map() : real(whose, nowMs))),
  "it is given back in the hour of its end": () =>
    withBug("remove", (_counts, real, [master, asset, amount, ms]) =>
      real(master, asset, amount, (ms as number) + HOUR_MS),
    ),
};

for (const [name, run] of Object.entries(BUGS)) {
  test(`found: ${name}`, { timeout: 240_000 }, () => {
    assert.notEqual(run(), null);
  });
}
