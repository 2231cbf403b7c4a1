/**
 * A client that does not report when it is done: its connections are watched, by a machine whose time the test sets.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MACHINE } from "@pricetime/server/parts";
import { LabClock } from "../../../src/lab/clock/lab-clock.ts";
import { LockStep, NoSuchClient } from "../../../src/lab/clock/lock-step.ts";

const START_MS = 1_000_000;
const QUIET_MS = 40;

interface Watched {
  readonly clock: LabClock;
  readonly lockStep: LockStep;
  /** Passes the machine's time; `carried` grows by so much at the beginning. */
  pass(ms: number, carries?: number): Promise<void>;
}

function watched(t: { after(end: () => void): void }): Watched {
  let [nowMs, carried] = [0, 5];
  let due: { readonly atMs: number; readonly task: () => void }[] = [];
  const after = (waitMs: number, task: () => void): (() => void) => {
    due.push({ atMs: nowMs + waitMs, task });
    return () => {};
  };
  const onBug = (error: unknown): never => assert.fail(error as Error);
  const clock = new LabClock({ machine: MACHINE, start: { mode: "manual", nowMs: START_MS, speed: 1 }, onBug });
  t.after(() => clock.stop());
  const lockStep = new LockStep({ clock, machine: { after }, sent: () => carried, carried: () => carried, onBug });
  const pass = async (ms: number, carries = 0): Promise<void> => {
    carried += carries;
    for (const endMs = nowMs + ms; nowMs < endMs; ) {
      nowMs += 1;
      const ready = due.filter(({ atMs }) => atMs <= nowMs);
      due = due.filter(({ atMs }) => atMs > nowMs);
      for (const { task } of ready) task();
      await clock.settled();
    }
  };
  return { clock, lockStep, pass };
}

test("it is done when nothing was carried for so long; the clock stands until it has come, and while it talks", async (t) => {
  const { clock, lockStep, pass } = watched(t);
  lockStep.register("bot");
  const done = lockStep.doneWhenQuiet("bot", QUIET_MS, START_MS + 500);
  await pass(QUIET_MS * 10);
  assert.equal(clock.nowMs(), START_MS, "it is not there yet");
  for (let talk = 0; talk < 5; talk++) await pass(QUIET_MS - 5, 1);
  assert.equal(clock.nowMs(), START_MS, "it talks");
  await pass(QUIET_MS * 2);
  await done;
  assert.equal(clock.nowMs(), START_MS + 500);
  const next = lockStep.doneWhenQuiet("bot", QUIET_MS, START_MS + 700);
  await pass(QUIET_MS - 5);
  assert.equal(clock.nowMs(), START_MS + 500, "it may have something to say about what it has just heard");
  await pass(QUIET_MS);
  await next;
  assert.equal(clock.nowMs(), START_MS + 700);
});

test("who leaves or comes anew while it is watched is not done, and nobody is watched for ever", async (t) => {
  const { clock, lockStep, pass } = watched(t);
  for (const end of [() => lockStep.leave("bot"), () => lockStep.register("bot"), () => lockStep.stop()]) {
    lockStep.register("bot");
    const done = lockStep.doneWhenQuiet("bot", QUIET_MS, START_MS + 500);
    await pass(5, 1);
    end();
    await pass(QUIET_MS * 2);
    await done;
    assert.equal(clock.nowMs(), START_MS);
  }
  await assert.rejects(lockStep.doneWhenQuiet("nobody", QUIET_MS), NoSuchClient);
});
