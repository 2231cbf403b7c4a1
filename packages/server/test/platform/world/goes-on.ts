/** Checks that a part created from saved state continues as the original. */
import assert from "node:assert/strict";
import { Dice } from "@pricetime/testkit/dice";
import { type PartStates, SavedParts } from "../../../src/platform/world/saved-state.ts";
import type { SavedState } from "../../../src/platform/world/port.ts";

const START_MS = 1_609_459_230_000;
const SEEDS = 40;
const STEPS = 400;

/** Returns the part's answer. */
export type Step<Part> = (part: Part, dice: Dice, nowMs: number) => unknown;

/** Runs `STEPS` random steps, saves, and compares the next `STEPS` of the part with those of one created from that. */
export function goesOn<Part>(
  make: (saved: SavedState) => Part,
  step: Step<Part>,
  longestStepMs: number,
  seeds = SEEDS,
): void {
  for (let seed = 1; seed <= seeds; seed++) {
    const before = new Dice(seed);
    const saved = new SavedParts();
    const part = make(saved);
    let nowMs = START_MS;
    for (let i = 0; i < STEPS; i++) step(part, before, (nowMs += before.below(longestStepMs)));
    const states = asInFile(saved.save());
    const othersSaved = restoring(states);
    const other = make(othersSaved);
    othersSaved.finish();
    assert.deepEqual(othersSaved.save(), states, `seed ${seed}: the same is saved again`);
    const [dice, sameDice] = [new Dice(seed + SEEDS), new Dice(seed + SEEDS)];
    for (let i = 0; i < STEPS; i++) {
      nowMs += dice.below(longestStepMs);
      sameDice.below(longestStepMs);
      assert.deepEqual(step(other, sameDice, nowMs), step(part, dice, nowMs), `seed ${seed}, step ${i}`);
    }
    assert.deepEqual(othersSaved.save(), saved.save(), `seed ${seed}: and at the end`);
  }
}

/** A registry with this state. Without `isComplete`, parts without state start new. */
export function restoring(states: PartStates, isComplete = true): SavedParts {
  const saved = new SavedParts();
  saved.begin(states, isComplete);
  return saved;
}

/** A copy through JSON, as a file stores it. */
export function asInFile(states: PartStates): PartStates {
  return JSON.parse(JSON.stringify(states)) as PartStates;
}
