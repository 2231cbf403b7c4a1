/** The environment of one process of a node: simulated time, timers and random source. */
import type { Dice } from "@pricetime/testkit/dice";
import { type Cancel, MACHINE, type World } from "@pricetime/server/parts";
import type { Life, Schedule } from "@pricetime/testkit/schedule";

export interface SimMachine {
  readonly schedule: Schedule;
  readonly life: Life;
  /** For random numbers of the node itself. Nothing else may use it. */
  readonly nodeDice: Dice;
}

/** `nowMs` returns the node's time. */
export function simWorld({ schedule, life, nodeDice }: SimMachine, nowMs: () => number): World {
  return {
    nowMs,
    steadyMs: () => schedule.nowMs,
    soon: (task) => void schedule.after(0, task, life),
    after: (waitMs, task) => schedule.after(waitMs, task, life),
    every: (periodMs, task) => every(schedule, life, periodMs, task),
    pause: (waitMs) => schedule.pause(waitMs, life),
    randomBytes: (count) => Buffer.from(Array.from({ length: count }, () => nodeDice.below(256))),
    saved: MACHINE.saved,
  };
}

function every(schedule: Schedule, life: Life, periodMs: number, task: () => void): Cancel {
  let cancel: Cancel = () => {};
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
}
