/**
 * Whatever customers do, however the chain reorganizes and fails, and wherever the wallet dies: in the end the books
 * match the chain, nothing was credited or paid twice, nothing is lost.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { actions } from "./actions.ts";
import { scratch } from "./sandbox-world.ts";
import { Venue } from "./venue.ts";

const RUNS = Number(process.env["WALLET_RUNS"] ?? 12);
const SEED = process.env["WALLET_SEED"];
/** Searching for the smallest failing history takes long. */
const SHRINK = process.env["WALLET_SHRINK"];
const MOST_ACTIONS = 160;
/** With at least so many histories, each of these must occur, or the histories test nothing. */
const ENOUGH_RUNS = 40;
const STEPS = [
  ...["deposit pending", "deposit credited", "deposit success", "deposit dropped"],
  ...["deposit dropped after credit", "deposit dropped after credit short"],
  ...[
    "withdrawal processing",
    "withdrawal signed",
    "withdrawal signed again",
    "under way 3",
    "withdrawal completed",
    "withdrawal failed",
  ],
];

test("the books hold what the chain holds, wherever the wallet dies", { timeout: 600_000 }, async (t) => {
  let deaths = 0;
  const taken = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(actions(MOST_ACTIONS), async (sequence) => {
      const { folder, remove } = scratch();
      const venue = new Venue(folder);
      try {
        await venue.open();
        for (const action of sequence) await venue.act(action);
        await venue.quieten();
        for (const [step, times] of await venue.check()) taken.set(step, (taken.get(step) ?? 0) + times);
        deaths += venue.wallet.deaths;
      } finally {
        await venue.wallet.close();
        remove();
      }
    }),
    {
      numRuns: RUNS,
      endOnFailure: SHRINK === undefined,
      ...(SEED === undefined ? {} : { seed: Number(SEED), path: process.env["WALLET_PATH"] ?? "" }),
    },
  );
  t.diagnostic(`${RUNS} histories, ${deaths} deaths; ${[...taken].map(([step, n]) => `${step}: ${n}`).join(", ")}`);
  if (RUNS >= ENOUGH_RUNS)
    assert.deepEqual(
      STEPS.filter((step) => !taken.has(step)),
      [],
      "every step was taken",
    );
});
