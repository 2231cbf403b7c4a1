/** Reading the log's end: a result counts for callers that requested it before the read began. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Schedule } from "@pricetime/testkit/schedule";
import { CLUSTER_LIMITS, QuorumContact } from "../../src/cluster/peers.ts";
import { Freshness, LogEnd, type LogEndAnswer, Milestones, Reads } from "../../src/cluster/reads.ts";
import { StoreUnfit } from "../../src/cluster/port.ts";
import { worldOf } from "./world.ts";

const LIMITS = { callPatienceMs: 100, callPauseMs: 10, contactEveryMs: 1_000_000, cutOffAfterMs: 150 };

function rig() {
  const schedule = new Schedule();
  const world = worldOf(schedule);
  const calls: PromiseWithResolvers<number>[] = [];
  const answers: LogEndAnswer[] = [];
  const unfit: string[] = [];
  const lastNumber = (): Promise<number> => {
    const call = Promise.withResolvers<number>();
    calls.push(call);
    return call.promise;
  };
  const logEnd = new LogEnd({
    ...{ store: { lastNumber }, world, limits: LIMITS, knownNumber: () => 5 },
    onAnswer: (answer) => void answers.push(answer),
    onUnfit: (error) => void unfit.push(error.message),
  });
  const told: (number | undefined)[] = [];
  const ask = (): void => void logEnd.ask().then((number) => told.push(number));
  const runTo = async (ms: number): Promise<void> => {
    let isOver = false;
    schedule.after(ms - schedule.nowMs, () => (isOver = true));
    await schedule.run(
      () => isOver,
      (error) => assert.fail(error as Error),
    );
  };
  return { schedule, world, calls, answers, unfit, logEnd, told, ask, runTo };
}

test("a call is shared by all requests before it began; later ones wait for the next", async () => {
  const { calls, told, ask, runTo, answers } = rig();
  ask();
  await runTo(5);
  ask();
  ask();
  assert.equal(calls.length, 1);
  calls[0]!.resolve(7);
  await runTo(6);
  assert.deepEqual([told, calls.length], [[7], 2], "the second was asked after the first call began");
  calls[1]!.resolve(9);
  await runTo(7);
  assert.deepEqual([told, calls.length], [[7, 9, 9], 2]);
  assert.deepEqual(
    answers.map(({ startMs, lastNumber }) => [startMs, lastNumber]),
    [
      [0, 7],
      [5, 9],
    ],
  );
});

test("a call that fails or times out is repeated, after a pause, once for all callers", async () => {
  const { calls, told, ask, runTo } = rig();
  ask();
  calls[0]!.reject(new Error("no leader"));
  await runTo(5);
  ask();
  ask();
  assert.equal(calls.length, 1);
  await runTo(11);
  assert.equal(calls.length, 2);
  await runTo(110);
  assert.equal(calls.length, 2);
  await runTo(121);
  assert.equal(calls.length, 3, "it had no answer in time");
  calls[1]!.resolve(3);
  calls[2]!.resolve(8);
  await runTo(122);
  assert.deepEqual(told, [8, 8, 8]);
});

test("an unfit store is reported, and so is a log shorter than the node knows it to be", async () => {
  const { calls, unfit, ask, runTo, world } = rig();
  ask();
  calls[0]!.reject(new StoreUnfit("another epoch"));
  await runTo(1);
  const reads = new Reads({
    ...{ store: { lastNumber: () => Promise.resolve(4) }, engine: { seq: 9 }, number: 5, world },
    ...{ limits: CLUSTER_LIMITS, isCutOff: () => false, onContact: () => {} },
    onUnfit: (error) => void unfit.push(error.message),
  });
  reads.start();
  await runTo(2);
  reads.stop();
  assert.deepEqual(unfit, ["another epoch", "etcd was restored or replaced: the shared log ends with batch 4"]);
});

test("a read that waits for the end of a restored store is not released", async () => {
  const { unfit, runTo, world } = rig();
  const ends = [9, 7];
  const reads = new Reads({
    // It lags behind: batch 9 is known, and only batch 5 is applied.
    ...{ store: { lastNumber: async () => ends.shift() ?? 7 }, engine: { seq: 9 }, number: 5, world },
    ...{ limits: CLUSTER_LIMITS, isCutOff: () => false, onContact: () => {} },
    onUnfit: (error) => void unfit.push(error.message),
  });
  reads.start();
  await runTo(1);
  const told = reads.caughtUp().then(
    () => "let go",
    (error: Error) => error.name,
  );
  await runTo(2);
  reads.rowIsDone({ epoch: "e", number: 7, revision: 7 });
  assert.deepEqual(unfit, ["etcd was restored or replaced: the shared log ends with batch 7"]);
  assert.equal(await told, "NotAccepted");
  reads.stop();
});

test("after a release, no caller waits", async () => {
  const { calls, told, ask, runTo, logEnd } = rig();
  ask();
  ask();
  logEnd.release();
  await runTo(1);
  assert.deepEqual(told, [undefined, undefined]);
  calls[0]!.resolve(3);
  await runTo(2);
  logEnd.stop();
  assert.equal(told.length, 2);
});

test("a node is cut off if no recent call was answered, whatever was answered late", async () => {
  const { world, runTo } = rig();
  const changes: [number, boolean][] = [];
  const contact = new QuorumContact(world, LIMITS, (isCutOff) => void changes.push([world.steadyMs(), isCutOff]));
  contact.start();
  await runTo(100);
  contact.made(60);
  await runTo(205);
  assert.deepEqual([contact.isCutOff, changes], [false, []]);
  await runTo(300);
  assert.deepEqual([contact.isCutOff, changes], [true, [[211, true]]]);
  contact.made(120);
  assert.equal(contact.isCutOff, true, "the call began too long ago");
  contact.made(299);
  assert.deepEqual([contact.isCutOff, changes.at(-1)], [false, [300, false]]);
  contact.stop();
});

test("a process that was suspended reads its responses before it counts as cut off", async () => {
  const { world, runTo } = rig();
  let pauseMs = 0;
  const changes: boolean[] = [];
  const paused = { ...world, steadyMs: () => world.steadyMs() + pauseMs };
  const contact = new QuorumContact(paused, LIMITS, (isCutOff) => void changes.push(isCutOff));
  contact.start();
  pauseMs = 5_000;
  await runTo(160);
  assert.deepEqual([contact.isCutOff, changes], [true, []], "reads say how old they are");
  contact.made(paused.steadyMs());
  await runTo(290);
  assert.deepEqual([contact.isCutOff, changes], [false, []]);
  await runTo(400);
  assert.deepEqual([contact.isCutOff, changes], [true, [true]]);
  contact.stop();
});

test("the state is as old as the last end of the log that the node has reached", () => {
  const freshness = new Freshness();
  assert.equal(freshness.staleMs(90), Number.POSITIVE_INFINITY);
  freshness.logEnded(4, 100, 4);
  assert.equal(freshness.staleMs(130), 30);
  freshness.logEnded(6, 200, 5);
  freshness.logEnded(8, 300, 5);
  freshness.logEnded(9, 400, 5);
  assert.equal(freshness.staleMs(430), 330, "row 6 was in the log at 200 and is not here");
  freshness.reached(6);
  assert.equal(freshness.staleMs(430), 230);
  freshness.reached(9);
  assert.equal(freshness.staleMs(430), 30);
});

test("waiting for a number resolves when it is reached, or on timeout", async () => {
  const { world, runTo } = rig();
  const milestones = new Milestones(3, world);
  const told: string[] = [];
  for (const [number, patienceMs] of [
    [3, 50],
    [5, 50],
    [6, 50],
    [9, 10],
    [9, 90],
  ] as const) {
    void milestones.reached(number, patienceMs).then((is) => told.push(`${number} ${is}`));
  }
  milestones.reach(5);
  await runTo(20);
  assert.deepEqual(told, ["3 true", "5 true", "9 false"]);
  await runTo(60);
  milestones.release();
  await runTo(61);
  assert.deepEqual(told.slice(3), ["6 false", "9 false"]);
});
