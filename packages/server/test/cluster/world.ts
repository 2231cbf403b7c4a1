/** The clock and timers of a schedule. */
import assert from "node:assert/strict";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import type { Clock, Timers } from "../../src/platform/world/port.ts";

/** `skewMs`: the error of the clock at a time. */
export function worldOf(schedule: Schedule, life?: Life, skewMs: () => number = () => 0): Clock & Timers {
  return {
    nowMs: () => Math.floor(schedule.nowMs) + skewMs(),
    steadyMs: () => schedule.nowMs,
    soon: (task) => void schedule.after(0, task, life),
    after: (waitMs, task) => schedule.after(waitMs, task, life),
    every: () => assert.fail("nothing is repeated"),
    pause: (waitMs) => schedule.pause(waitMs, life),
  };
}
