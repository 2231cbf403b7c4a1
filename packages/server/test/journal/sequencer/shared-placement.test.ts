/** One node on a shared log controlled by the test: how it handles each kind of row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import type { Command } from "@pricetime/engine";
import { until } from "@pricetime/testkit/waiting";
import { JournalRefused, type LooseBatch } from "../../../src/journal/port.ts";
import type { GroupCommitOptions } from "../../../src/journal/sequencer/group-commit.ts";
import { NotAccepted, type Outcome, OutcomeUnknown } from "../../../src/journal/sequencer/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { batchOf } from "./manual-log.ts";
import { handRig as rig, LIST, TICK } from "./manual-rig.ts";

/** Batches of another node. */
const others = (number: number, commands: readonly Command[], timeMs = 0): LooseBatch =>
  batchOf({ number }, commands, timeMs);

test("a batch of another node comes first: hooks see both in log order, and ours is answered in its turn", async () => {
  const { log, seen, submit, sequencer } = rig();
  await submit(TICK, TICK);
  const [ours] = log.submitted;
  assert.deepEqual(seen, []);
  await log.deliver(others(1, [LIST]), ours!);
  assert.deepEqual(seen, [
    ...["1 done", "2 assetListed", "batch 1+2"],
    ...["3 done", "4 done", "answer 4", "5 done", "answer 5", "batch 3+3"],
  ]);
  await sequencer.stop();
});

test("time is that of the author and never goes back, whatever this node's clock says", async () => {
  const { log, submit, journal, sequencer } = rig({ world: { ...MACHINE, nowMs: () => 7_000 } });
  await log.deliver(others(1, [TICK], 5_000), others(2, [TICK], 4_000));
  assert.equal(sequencer.settledMs(), 5_000, "others may write what is earlier than our clock");
  const answers = await submit(TICK);
  await log.deliver(others(3, [TICK], 9_000), log.submitted[0]!);
  assert.equal((answers[0] as Outcome).timeMs, 9_000);
  assert.deepEqual(
    journal.appended.map(({ timeMs, node }) => [timeMs, node]),
    [
      [5_000, "n2"],
      [5_000, "n2"],
      [9_000, "n2"],
      [9_000, "n1"],
    ],
  );
  await sequencer.stop();
});

test("while one batch is in flight the next collects; batches of others do not delay it", async () => {
  const { log, submit, sequencer } = rig();
  await submit(TICK);
  await submit(TICK, TICK);
  await log.deliver(others(1, [TICK]));
  assert.deepEqual([log.submitted.length, sequencer.queued], [1, 2]);
  await log.deliver(log.submitted[0]!);
  assert.deepEqual([log.submitted.length, log.submitted[1]?.count], [2, 3]);
  await log.deliver(log.submitted[1]!);
  await sequencer.stop();
});

test("a batch with an unknown outcome is applied once when it comes back, and not answered again", async () => {
  const { log, submit, engine, sequencer } = rig();
  log.failures.push(new Error("no answer"));
  const answers = await submit(LIST);
  await turn();
  assert.ok(answers[0] instanceof OutcomeUnknown);
  assert.equal(sequencer.canAppend, false);
  await until("a tick finds out whether the log can be written again", () => log.submitted.length === 2);
  const [lost, tick] = log.submitted;
  await log.deliver(lost!, tick!);
  assert.deepEqual([engine.seq, engine.assets().length, answers.length], [4, 1, 1]);
  assert.equal(sequencer.canAppend, true);
  await sequencer.stop();
});

test("an error reported after the batch has come back does not count", async () => {
  const { log, submit, sequencer } = rig();
  const late = Promise.withResolvers<void>();
  log.gate = late.promise;
  log.failures.push(new Error("no answer"));
  const first = await submit(TICK);
  await log.deliver(log.submitted[0]!);
  const second = await submit(TICK);
  late.resolve();
  await pause(5);
  assert.deepEqual([first.length, second.length, sequencer.canAppend], [1, 0, true]);
  await log.deliver(log.submitted[1]!);
  assert.equal((second[0] as Outcome).seq, 4);
  await sequencer.stop();
});

test("a batch that is certainly not in the log is rejected", async () => {
  const { log, submit, sequencer } = rig({ limits: { retryPauseMs: 1_000 } });
  log.failures.push(new JournalRefused("nobody there"));
  const answers = await submit(TICK);
  await turn();
  assert.ok(answers[0] instanceof NotAccepted);
  await sequencer.stop();
});

test("a full journal: the node accepts nothing, and continues when there is space", async () => {
  const { log, journal, submit, engine, sequencer } = rig();
  journal.faults.push("nothing written", "nothing written", "after writing");
  await log.deliver(others(1, [TICK]), others(2, [LIST]));
  const answers = await submit(TICK);
  assert.ok(answers[0] instanceof NotAccepted);
  assert.equal(sequencer.canAppend, false);
  assert.equal(engine.seq, 0);
  await until("it takes commands again", () => sequencer.canAppend);
  assert.deepEqual([engine.seq, engine.assets().length], [4, 1]);
  assert.equal(journal.appended.length, 4, "what was written after all is not written again");
  await sequencer.stop();
});

test("a journal that stays full does not keep the node from stopping", async () => {
  const { log, journal, submit, sequencer, engine } = rig();
  for (let i = 0; i < 1_000; i++) journal.faults.push("nothing written");
  const answers = await submit(TICK);
  await log.deliver(log.submitted[0]!);
  assert.ok(answers[0] instanceof OutcomeUnknown, "it is in the log");
  await sequencer.stop();
  assert.equal(engine.seq, 0);
});

for (const [what, last] of [
  ["the log is lost", new Error("a gap in the log")],
  ["a batch cannot be read", { ...others(1, [TICK]), bytes: Uint8Array.of(255, 1, 2) }],
] as const) {
  test(`${what}: it is fatal, and the outcome of commands in flight is unknown`, async () => {
    const { log, submit, sequencer, fatal, engine } = rig();
    const answers = await submit(TICK);
    await log.deliver(last, others(2, [TICK]));
    assert.ok(answers[0] instanceof OutcomeUnknown);
    assert.deepEqual([fatal.length, engine.seq, log.isClosed], [1, 0, true]);
    await assert.rejects(sequencer.run(TICK), NotAccepted);
    await sequencer.stop();
  });
}

test("a bug in a hook: each request is answered once, earlier ones with their outcome", async () => {
  const onApplied: GroupCommitOptions["onApplied"] = ({ seq }) => assert.notEqual(seq, 3, "a bug");
  const { log, submit, sequencer, fatal } = rig({ onApplied });
  const answers = await submit(TICK, TICK, TICK);
  await log.deliver(log.submitted[0]!);
  assert.deepEqual(
    answers.map((answer) => (answer instanceof Error ? answer.name : answer.seq)),
    [2, "OutcomeUnknown", "OutcomeUnknown"],
  );
  assert.equal(fatal.length, 1);
  await sequencer.stop();
});

test("stopping finishes commands in flight, and follows no further", async () => {
  const { log, submit, sequencer, engine } = rig();
  const answers = await submit(TICK);
  const stopped = sequencer.stop();
  await log.deliver(others(1, [TICK]), log.submitted[0]!);
  await stopped;
  assert.equal((answers[0] as Outcome).seq, 4);
  await log.deliver(others(2, [TICK]));
  assert.equal(engine.seq, 4);
});
