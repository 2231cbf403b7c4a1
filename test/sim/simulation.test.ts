/**
 * The simulator, for a short time: some seeds, stored seeds, crashes at the first places of one history, and checks
 * that a seed is reproducible and that the auditor finds planted bugs. simulation.campaign.ts has more seeds and
 * places, and every bug.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addCounts, type Counts, newCounts } from "../../sim/counts.ts";
import { hunt, knownSeed, MUTATIONS } from "../../sim/mutations/list.ts";
import { kindOf, shrink } from "../../sim/plan/shrink.ts";
import { type Act, fromJson, type Step, toJson } from "../../sim/plan/step.ts";
import { simulate } from "../../sim/simulation.ts";

/** The campaign continues after the seeds of the test, because repeated runs of a seed are equal. */
const FROM = Number(process.env["SIM_FROM"] ?? 1);
const TO = Number(process.env["SIM_TO"] ?? 1);
const SEEDS = TO - FROM + 1;
const skip = FROM > 1 && "the test beside has done it";
const LENGTH = 300;
/** The number of places in one short history at which the node crashes: disk operations and tasks. */
const PLACES = Number(process.env["SIM_PLACES"] ?? 1);
/** One in so many planted bugs is searched for. */
const HUNTED_OF = Number(process.env["SIM_HUNTED_OF"] ?? 60);
const HUNTED = MUTATIONS.filter((_, at) => at % HUNTED_OF === 0);
/** Fewer seeds may not contain all rare events. */
const ENOUGH_SEEDS = 20;
/** Many times the usual duration, for a busy machine. */
const SHRINK_MS = 300_000;
const KEPT = join(import.meta.dirname, "../../sim/kept");

/** Minimum counts in 30 seeds: a simulation that no longer injects faults must be detected. */
const FLOORS: Partial<Counts> = {
  ...{ answers: 3_000, entries: 5_000, audits: 150, powerCuts: 60, kills: 25, failedStarts: 5, unknown: 50 },
  ...{
    syncErrors: 20,
    fullErrors: 20,
    flips: 5,
    clockJumps: 8,
    leaps: 4,
    sleeps: 1,
    historyLosses: 4,
    lostSectors: 400,
    keptSectors: 400,
  },
  ...{ messages: 1_200, connections: 300, deposits: 200, payments: 100, letters: 80, locks: 8 },
  ...{ notices: 200, cookies: 50, signIns: 100, invitations: 100, recoveries: 4, freezes: 4 },
};

test(`no violation in ${SEEDS} seeds from ${FROM} on`, { timeout: 600_000 }, async (t) => {
  const counts = newCounts();
  for (let seed = FROM; seed <= TO; seed++) {
    const result = await simulate({ seed, length: LENGTH });
    assert.equal(result.violation, undefined, `npm run sim -- --from ${seed} --seeds 1 --length ${LENGTH}`);
    addCounts(counts, result.counts);
  }
  const tooFew = Object.entries(SEEDS < ENOUGH_SEEDS ? {} : FLOORS).flatMap(([name, floor]) => {
    const [count, least] = [counts[name as keyof Counts], (floor * SEEDS) / 30];
    return count >= least ? [] : [`${name}: ${count} of ${least}`];
  });
  assert.deepEqual(tooFew, []);
  t.diagnostic(`${counts.entries} entries, ${counts.powerCuts} power cuts, ${counts.kills} kills`);
});

test("a seed gives the same history, byte for byte", { skip, timeout: 120_000 }, async () => {
  const [first, second] = [await simulate({ seed: 7, length: 100 }), await simulate({ seed: 7, length: 100 })];
  assert.deepEqual(second.lines, first.lines);
  assert.equal(second.digest, first.digest);
  const replayed = await simulate({ seed: 7, length: 100, steps: fromJson(toJson(first.steps)) });
  assert.equal(replayed.digest, first.digest, "its steps say all that the seed does");
  const [one, other] = [await simulate({ seed: 3, length: 50 }), await simulate({ seed: 4, length: 50 })];
  assert.notEqual(one.digest, other.digest);
  assert.equal(one.violation, undefined, "with today's interface");
});

test("the power may fail at any disk operation and between any two tasks", { timeout: 600_000 }, async () => {
  const { steps } = await simulate({ seed: 11, length: 12 });
  const commands = steps.filter(({ act }) => act.type === "command");
  const start = commands.length - 8;
  const acts = Array.from({ length: PLACES }, (_, place): Act[] => [
    { type: "cutAtOperation", operations: place },
    { type: "cutAtTurn", turns: place },
    { type: "kill", turns: place, flips: 0 },
  ]).flat();
  let downs = 0;
  for (const act of acts) {
    const cut = [...commands.slice(0, start), { afterMs: 0, act }, ...commands.slice(start)];
    const { violation, counts } = await simulate({ seed: 11, length: 0, steps: cut });
    assert.equal(violation, undefined, JSON.stringify(act));
    downs += counts.powerCuts + counts.kills;
  }
  // The power also fails at the end of every run.
  assert.ok(downs > 1.7 * acts.length, `it went down ${downs} times in ${acts.length} runs`);
});

for (const name of readdirSync(KEPT).filter((file) => file.endsWith(".json"))) {
  test(`kept: ${name}`, { skip, timeout: 120_000 }, async () => {
    const steps = fromJson(readFileSync(join(KEPT, name), "utf8"));
    const { violation } = await simulate({ seed: Number.parseInt(name, 10), length: 0, steps });
    assert.equal(violation, undefined);
  });
}

/** The search takes seconds if its seed is known, otherwise much longer. */
const HUNT_MS = 60_000;

test(`the auditor finds planted bugs: ${HUNTED.length} of ${MUTATIONS.length}`, {
  timeout: 600_000 + HUNTED.length * HUNT_MS,
}, async (t) => {
  for (const mutation of HUNTED) {
    const { seed, violation } = await hunt(mutation, knownSeed(mutation));
    assert.notEqual(seed, undefined, `not found: ${mutation.name}`);
    t.diagnostic(`${mutation.name}: seed ${seed}, ${kindOf(violation ?? "")}`);
  }
  assert.ok(MUTATIONS.length >= 20);
});

const isTest = FROM === 1 && "the campaign does it";
test("a failing run is shortened, and fails in the same way", { skip: isTest, timeout: 600_000 }, async () => {
  const bug = MUTATIONS.find(({ name }) => name.startsWith("a deposit counts twice"));
  assert.ok(bug !== undefined);
  const takeOut = bug.plant();
  try {
    const { steps, violation = "" } = await simulate({ seed: 1, length: LENGTH });
    const violationOf = async (shorter: readonly Step[]): Promise<string | undefined> =>
      (await simulate({ seed: 1, length: 0, steps: shorter })).violation;
    const short = await shrink(steps, violationOf, kindOf(violation), SHRINK_MS);
    assert.ok(short.length <= 12, `${short.length} of ${steps.length} steps are left`);
    assert.equal(kindOf((await violationOf(short)) ?? ""), kindOf(violation));
  } finally {
    takeOut();
  }
});
