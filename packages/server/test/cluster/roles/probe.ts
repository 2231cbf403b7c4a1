/** A part that submits commands all the time, and what the log says about them. */
import assert from "node:assert/strict";
import type { Engine } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { Schedule } from "@pricetime/testkit/schedule";
import type { TaskPart, TaskGrant } from "../../../src/cluster/tasks.ts";
import { MemoryLog } from "../../journal/sequencer/memory-log.ts";
import { ClusterNode, type ClusterWorld, type Process } from "./cluster-node.ts";
import { type Acts, actsIn } from "./acts.ts";
import { MemoryLeases } from "./memory-leases.ts";

export const PROBE = "probe";
const ACT_EVERY_MS = 40;

/** What the part has recorded. */
export interface ProbeState {
  isRunning: boolean;
  whyNot: string;
  /** Commands that were carried out, and commands rejected because the task was lost. */
  done: number;
  lost: number;
  starts: number;
}

function probePart({ world }: Pick<Process, "world">, state: ProbeState): TaskPart {
  let stop = (): void => {};
  return {
    role: PROBE,
    whyNot: async () => state.whyNot,
    start: (tenure: TaskGrant) => {
      assert.ok(!state.isRunning, "one tenure at a time");
      state.isRunning = true;
      state.starts++;
      const act = (): void =>
        tenure.submit({ type: "setMaintenance", by: "probe", isOn: false }, (outcome) => {
          if (!(outcome instanceof Error)) state.done++;
          else if (outcome.name === "NotAccepted") state.lost++;
        });
      stop = world.every(ACT_EVERY_MS, act);
    },
    stop: async () => {
      stop();
      state.isRunning = false;
    },
  };
}

export interface ProbeNode extends ProbeState {
  readonly node: ClusterNode;
}

export interface Field {
  readonly world: ClusterWorld;
  readonly nodes: readonly ProbeNode[];
  /** Advances the time. */
  run(ms: number): Promise<void>;
  /** The acting node: that of the last grant, if it is live and has not lost it. */
  holder(): ProbeNode | undefined;
  /** Advances the time until another node owns the task; resolves to how long that took. */
  untilHeld(isFine: (node: ProbeNode) => boolean): Promise<number>;
  /** Checks that every command in the log was carried out by the last grant at its time. */
  check(): Acts;
}

export function openField(seed: number, count: number, spoil?: (engine: Engine) => void): Field {
  const schedule = new Schedule();
  const log = new MemoryLog();
  const leases = new MemoryLeases(schedule);
  const fatal: Error[] = [];
  const base = { log, leases, schedule, dice: new Dice(seed), fatal };
  const world: ClusterWorld = spoil === undefined ? base : { ...base, spoil };
  const nodes = Array.from({ length: count }, (_, index): ProbeNode => {
    const state: ProbeState = { isRunning: false, whyNot: "", done: 0, lost: 0, starts: 0 };
    const work = (process: Process) => {
      state.isRunning = false;
      return { parts: [probePart(process, state)] };
    };
    return Object.assign(state, { node: new ClusterNode(world, `n${index + 1}`, work) });
  });
  const run = async (ms: number): Promise<void> => {
    let isOver = false;
    schedule.after(ms, () => (isOver = true));
    await schedule.run(
      () => isOver || fatal.length > 0,
      (error) => fatal.push(error as Error),
    );
    assert.deepEqual(fatal, []);
  };
  const holder = (): ProbeNode | undefined =>
    nodes.find(({ node }) => node.isAlive && node.roles.holder(PROBE)?.isHere === true && !node.isPaused);
  return {
    world,
    nodes,
    run,
    holder,
    untilHeld: async (isFine) => {
      const fromMs = schedule.nowMs;
      for (;;) {
        const found = holder();
        if (found !== undefined && isFine(found)) return schedule.nowMs - fromMs;
        assert.ok(schedule.nowMs - fromMs < 60_000, "nobody gets the role");
        await run(10);
      }
    },
    check: () => actsIn(world),
  };
}
