import assert from "node:assert/strict";
import { test } from "node:test";
import { MACHINE } from "@pricetime/server/parts";
import { LabClock, NotManual } from "../../../src/lab/clock/lab-clock.ts";
import { LockStep } from "../../../src/lab/clock/lock-step.ts";

const START_MS = 1_000_000;

function labOf(
  t: { after(end: () => void): void },
  sent: () => number = () => 0,
): { clock: LabClock; lockStep: LockStep; bugs: unknown[] } {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const clock = new LabClock({ machine: MACHINE, start: { mode: "manual", nowMs: START_MS, speed: 1 }, onBug });
  t.after(() => clock.stop());
  return { clock, lockStep: new LockStep({ clock, machine: MACHINE, sent, carried: () => 0, onBug }), bugs };
}

test("the clock goes on when every client is done, to the earliest moment that one of them wants", async (t) => {
  const { clock, lockStep, bugs } = labOf(t);
  for (const name of ["a", "b"]) lockStep.register(name);
  let isFirstThere = false;
  const first = lockStep.done("a", START_MS + 500).then(() => (isFirstThere = true));
  await clock.settled();
  assert.equal(isFirstThere, false, "the other is not done");
  await lockStep.done("b", START_MS + 200);
  await first;
  assert.equal(clock.nowMs(), START_MS + 200);
  assert.deepEqual(bugs, []);
});

test("clients of a clock that was set going hear so, and the lab goes on", { timeout: 10_000 }, async (t) => {
  const { clock, lockStep, bugs } = labOf(t);
  lockStep.register("bot");
  await clock.set({ mode: "real" });
  await assert.rejects(lockStep.done("bot", START_MS + 1), NotManual);
  await clock.set({ mode: "manual" });
  const toMs = clock.nowMs() + 100;
  await lockStep.done("bot", toMs);
  assert.equal(clock.nowMs(), toMs);
  assert.deepEqual(bugs, []);
});

test("who comes after a leader has left is woken at its own time, not at once", { timeout: 10_000 }, async (t) => {
  const { lockStep, clock, bugs } = labOf(t);
  lockStep.register("player", true);
  await lockStep.done("player", START_MS + 100);
  // Also before: the leader is active when the bot registers.
  lockStep.register("early");
  const early = lockStep.done("early", START_MS + 200);
  await lockStep.done("player", START_MS + 150);
  lockStep.leave("player");
  await early;
  assert.equal(clock.nowMs(), START_MS + 150, "a leader that leaves lets the others have its moment");
  lockStep.leave("early");
  lockStep.register("late");
  await lockStep.done("late", START_MS + 300);
  assert.equal(clock.nowMs(), START_MS + 300);
  assert.deepEqual(bugs, []);
});

test("who leads acts before the others at its moments, and is not woken at theirs", { timeout: 10_000 }, async (t) => {
  const { lockStep, clock, bugs } = labOf(t);
  lockStep.register("player", true);
  lockStep.register("bot");
  const heard: string[] = [];
  const tell = (name: string) => (): void => void heard.push(`${name} ${clock.nowMs() - START_MS}`);
  const done = (name: string, afterMs: number): Promise<void> =>
    lockStep.done(name, START_MS + afterMs).then(tell(name));
  const player = done("player", 200);
  await done("bot", 100);
  // Both want the same instant: the bot's turn comes when the player is done with it.
  const bot = done("bot", 200);
  await player;
  await clock.settled();
  assert.deepEqual(heard, ["bot 100", "player 200"]);
  const later = done("player", 300);
  await bot;
  assert.deepEqual(heard, ["bot 100", "player 200", "bot 200"]);
  lockStep.leave("bot");
  await later;
  assert.deepEqual(heard.at(-1), "player 300", "alone it goes on by itself");
  assert.deepEqual(bugs, []);
});

test("who thinks keeps its own time: woken at the later of both, not at others' moments", {
  timeout: 10_000,
}, async (t) => {
  const { lockStep, clock, bugs } = labOf(t);
  lockStep.register("bot");
  await lockStep.done("bot", START_MS + 500, 50);
  assert.equal(clock.nowMs(), START_MS + 500, "a timer after the thinking");
  await lockStep.done("bot", START_MS + 510, 50);
  assert.equal(clock.nowMs(), START_MS + 550, "a timer that fell due while it thought");
  lockStep.register("other");
  let isAwake = false;
  const bot = lockStep.done("bot", undefined, 100).then(() => (isAwake = true));
  await lockStep.done("other", START_MS + 600);
  await clock.settled();
  assert.equal(isAwake, false, "another's moment is none of its own while it thinks");
  const other = lockStep.done("other", START_MS + 700);
  await Promise.all([bot, other]);
  assert.equal(clock.nowMs(), START_MS + 700);
  assert.deepEqual(bugs, []);
});

test("an idle bot that is charged for thinking sleeps until something falls due; what it was sent meanwhile wakes it", {
  timeout: 10_000,
}, async (t) => {
  let messages = 0;
  const { lockStep, clock, bugs } = labOf(t, () => messages);
  lockStep.register("bot");
  clock.after(10_000, () => {});
  await lockStep.done("bot", undefined, 50);
  assert.equal(clock.nowMs(), START_MS + 10_000);
  clock.after(20, () => messages++);
  await lockStep.done("bot", START_MS + 20_000, 50);
  assert.equal(clock.nowMs(), START_MS + 10_050, "it hears when it has thought");
  await lockStep.done("bot", undefined, 50);
  assert.equal(clock.nowMs(), START_MS + 10_100, "nothing falls due any more: nothing else would wake it");
  assert.deepEqual(bugs, []);
});
