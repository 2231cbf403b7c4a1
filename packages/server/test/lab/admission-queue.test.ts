/** The admission queue of a lab: everything that one request causes is over before the next is admitted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { LabClock } from "../../src/lab/clock/lab-clock.ts";
import { AdmissionQueue } from "../../src/lab/admission-queue.ts";
import type { ClockMode } from "../../src/platform/config/lab-schema.ts";
import { MACHINE } from "../../src/platform/world/machine.ts";

const START_MS = 1_767_225_600_000;
const TURNS = 5;

function opened(mode: ClockMode): {
  readonly clock: LabClock;
  readonly queue: AdmissionQueue;
  readonly done: string[];
} {
  const onBug = (error: unknown): void => assert.fail(error as Error);
  const clock = new LabClock({ machine: MACHINE, start: { mode, nowMs: START_MS, speed: 1 }, onBug });
  return { clock, queue: new AdmissionQueue(clock), done: [] };
}

/** Answered at once, and causes work that takes some turns. */
function request({ clock, queue, done }: ReturnType<typeof opened>, name: string): void {
  const work = (left: number): void => {
    if (left > 0) clock.soon(() => work(left - 1));
    else done.push(`${name} is over`);
  };
  queue.pass(() => {
    done.push(name);
    work(TURNS);
  });
}

test("while the clock stands, requests come in one by one", async () => {
  const lab = opened("manual");
  request(lab, "a");
  request(lab, "b");
  await turn();
  request(lab, "c");
  await lab.clock.advance(START_MS + 1);
  for (let i = 0; i < 10 * TURNS; i++) await turn();
  assert.deepEqual(lab.done, ["a", "a is over", "b", "b is over", "c", "c is over"]);
  lab.clock.stop();
});

test("while it goes by itself, they come in at once", () => {
  const lab = opened("real");
  request(lab, "a");
  request(lab, "b");
  assert.deepEqual(lab.done, ["a", "b"]);
  lab.clock.stop();
});

test("whoever waits until nothing is under way is told, however many wait", async () => {
  const { clock } = opened("manual");
  let isOver = false;
  clock.soon(() => clock.soon(() => clock.soon(() => (isOver = true))));
  const told = await Promise.all([1, 2, 3].map(() => clock.settled().then(() => isOver)));
  assert.deepEqual(told, [true, true, true]);
});
