/** Whether a room goes on as if nothing had happened when it is made from what another one kept. */
import assert from "node:assert/strict";
import { Dice } from "@pricetime/testkit/dice";
import type { Keeping, KeptValue } from "../../../src/platform/world/port.ts";

const START_MS = 1_609_459_230_000;
const SEEDS = 40;
const STEPS = 400;

/** Returns what the room answers. */
export type Step<Room> = (room: Room, dice: Dice, nowMs: number) => unknown;

/** Runs `STEPS` random steps, keeps, and compares the next `STEPS` of the room with those of one made from what it kept. */
export function goesOn<Room extends Keeping>(
  make: (kept?: KeptValue) => Room,
  step: Step<Room>,
  longestStepMs: number,
  seeds = SEEDS,
): void {
  for (let seed = 1; seed <= seeds; seed++) {
    const before = new Dice(seed);
    const room = make();
    let nowMs = START_MS;
    for (let i = 0; i < STEPS; i++) step(room, before, (nowMs += before.below(longestStepMs)));
    const kept = asInFile(room.kept());
    const other = make(kept);
    assert.deepEqual(other.kept(), kept, `seed ${seed}: what is kept again is the same`);
    const [dice, sameDice] = [new Dice(seed + SEEDS), new Dice(seed + SEEDS)];
    for (let i = 0; i < STEPS; i++) {
      nowMs += dice.below(longestStepMs);
      sameDice.below(longestStepMs);
      assert.deepEqual(step(other, sameDice, nowMs), step(room, dice, nowMs), `seed ${seed}, step ${i}`);
    }
    assert.deepEqual(other.kept(), room.kept(), `seed ${seed}: and at the end`);
  }
}

/** As a file has it. */
export function asInFile(kept: KeptValue): KeptValue {
  return JSON.parse(JSON.stringify(kept)) as KeptValue;
}
