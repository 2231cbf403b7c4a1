/** A node's clock, timers and random source on a schedule: they stop and pause with its process. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import { NOTHING_SAVED, type World } from "../../../src/platform/world/port.ts";

const START_MS = 1_600_000_000_000;

export function roleWorld(schedule: Schedule, life: Life, dice: Dice): World {
  const every = (periodMs: number, task: () => void): (() => void) => {
    let cancel = (): void => {};
    const next = (): void => {
      cancel = schedule.after(
        periodMs,
        () => {
          next();
          task();
        },
        life,
      );
    };
    next();
    return () => cancel();
  };
  return {
    nowMs: () => START_MS + Math.floor(schedule.nowMs),
    steadyMs: () => schedule.nowMs,
    soon: (task) => void schedule.after(0, task, life),
    after: (waitMs, task) => schedule.after(waitMs, task, life),
    every,
    pause: (waitMs) => schedule.pause(waitMs, life),
    saved: NOTHING_SAVED,
    randomBytes: (count) => Buffer.from(Array.from({ length: count }, () => dice.below(256))),
  };
}
