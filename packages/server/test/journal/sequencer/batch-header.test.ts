/** Which batches count: duplicates, late ones, and successive or concurrent processes with the same name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { encodeCommands, LISTEN_KEY_LIFE_MS } from "@pricetime/engine";
import { setup } from "@pricetime/testkit/journal";
import { until } from "@pricetime/testkit/waiting";
import { JournalRefused } from "../../../src/journal/port.ts";
import { NotAccepted, type Outcome, OutcomeUnknown } from "../../../src/journal/sequencer/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { batchOf } from "./manual-log.ts";
import { handRig, LIST, OURS, TICK } from "./manual-rig.ts";

const EARLIER = "e".repeat(16);
const OTHER = "f".repeat(16);

test("a batch starts with its author, its number, and the author's state", async () => {
  const { log, submit, engine, sequencer } = handRig();
  await log.deliver(batchOf({ release: "0.9.0" }, [LIST]));
  const digest = engine.eventDigest();
  await submit(TICK);
  await log.deliver(log.submitted[0]!);
  await submit(TICK);
  assert.deepEqual(log.headers, [
    {
      ...{ type: "nodeBatch", node: "n1", incarnation: OURS, replaces: "", number: 1 },
      ...{ atSeq: 2, digest, release: "1.0.0" },
    },
    {
      ...{ type: "nodeBatch", node: "n1", incarnation: OURS, replaces: OURS, number: 2 },
      ...{ atSeq: 4, digest: engine.eventDigest(), release: "1.0.0" },
    },
  ]);
  assert.deepEqual(
    log.submitted.map(({ id, node, count }) => [id, node, count]),
    [
      [`n1/${OURS}/1`, "n1", 2],
      [`n1/${OURS}/2`, "n1", 2],
    ],
  );
  await log.deliver(log.submitted[1]!);
  await sequencer.stop();
});

test("a repeated row, of this node or another, is skipped, and journaled once", async () => {
  const { log, submit, engine, journal, sequencer, fatal } = handRig();
  const answers = await submit(LIST);
  const [ours] = log.submitted;
  const theirs = batchOf({}, [TICK]);
  await log.deliver(ours!, theirs, ours!, theirs, batchOf({ number: 2 }, [TICK]));
  assert.deepEqual([engine.seq, engine.assets().length, journal.appended.length, answers.length], [6, 1, 3, 1]);
  assert.equal(journal.reader().place()?.number, 5);
  assert.deepEqual(fatal, []);
  await sequencer.stop();
});

test("a process follows from its position, and takes over the name of the previous one", async () => {
  const place = { epoch: "e1", number: 7, revision: 90 };
  const { log, submit, sequencer, engine, journal } = handRig({}, place);
  assert.equal(log.from, place);
  await log.deliver(batchOf({ node: "n1", incarnation: EARLIER, number: 3 }, [TICK]));
  const answers = await submit(TICK);
  assert.equal(log.headers[0]?.replaces, EARLIER);
  await log.deliver(log.submitted[0]!, batchOf({ node: "n1", incarnation: EARLIER, number: 4 }, [LIST]));
  assert.equal((answers[0] as Outcome).seq, 4);
  assert.deepEqual(
    [engine.seq, engine.nodes.node("n1")?.incarnation],
    [4, OURS],
    "the earlier one's last came too late",
  );
  assert.deepEqual(journal.reader().place(), { ...place, number: 9, revision: 25, seq: 4 });
  await sequencer.stop();
});

test("a first batch preceded by an earlier process's batch is formed again, and answered once", async () => {
  const { log, submit, sequencer, engine, fatal } = handRig();
  const answers = await submit(LIST, TICK);
  const late = batchOf({ node: "n1", incarnation: EARLIER }, [TICK]);
  await log.deliver(late, log.submitted[0]!);
  assert.deepEqual(
    log.headers.map(({ number, replaces }) => [number, replaces]),
    [
      [1, ""],
      [2, EARLIER],
    ],
  );
  assert.equal(answers.length, 0);
  await log.deliver(log.submitted[1]!, log.submitted[0]!);
  assert.deepEqual(
    answers.map((answer) => (answer as Outcome).seq),
    [4, 5],
  );
  assert.deepEqual([engine.seq, engine.assets().length, fatal.length], [5, 1, 0]);
  await sequencer.stop();
});

test("a first batch whose callers got an unknown outcome is not formed again", async () => {
  const { log, submit, sequencer, engine } = handRig({ limits: { submitTimeoutMs: 10, retryPauseMs: 60_000 } });
  const answers = await submit(LIST);
  await pause(20);
  assert.ok(answers[0] instanceof OutcomeUnknown);
  await log.deliver(batchOf({ node: "n1", incarnation: EARLIER }, [TICK]), log.submitted[0]!);
  assert.deepEqual([log.submitted.length, engine.assets().length, answers.length], [1, 0, 1]);
  await sequencer.stop();
});

for (const [when, isSkipped] of [
  ["when its row comes", false],
  ["when our own is skipped for it", true],
] as const) {
  test(`another process that takes this name is reported ${when}, and this one stops`, async () => {
    const { log, submit, sequencer, fatal, engine } = handRig();
    await submit(TICK);
    await log.deliver(log.submitted[0]!);
    const answers = await submit(LIST);
    const theirs = batchOf({ node: "n1", incarnation: OTHER, replaces: OURS }, [TICK]);
    await log.deliver(...(isSkipped ? [theirs, log.submitted[1]!] : [theirs]));
    assert.match(fatal[0]?.message ?? "", /another process is running as node n1/);
    assert.ok(answers[0] instanceof OutcomeUnknown);
    assert.deepEqual([engine.seq, engine.assets().length], [4, 0]);
    await sequencer.stop();
  });
}

test("of two processes that start with the same name at once, the later one continues", async () => {
  const { log, submit, sequencer, fatal } = handRig();
  const answers = await submit(TICK);
  await log.deliver(batchOf({ node: "n1", incarnation: OTHER }, [TICK]), log.submitted[0]!);
  assert.equal(log.headers[1]?.replaces, OTHER);
  await log.deliver(log.submitted[1]!, batchOf({ node: "n1", incarnation: OTHER, number: 2 }, [LIST]));
  assert.deepEqual([(answers[0] as Outcome).seq, fatal.length], [4, 0]);
  await sequencer.stop();
});

test("a foreign row with this node's id, and a row without a header, stop the node", async () => {
  for (const spoil of [
    (batch: ReturnType<typeof batchOf>) => ({ ...batch, bytes: encodeCommands([LIST, TICK]) }),
    (batch: ReturnType<typeof batchOf>) => ({ ...batch, id: "n1/x", count: 1, bytes: encodeCommands([TICK]) }),
  ]) {
    const { log, submit, sequencer, fatal, engine } = handRig();
    const answers = await submit(TICK);
    await log.deliver(spoil(log.submitted[0]!));
    assert.match(fatal[0]?.message ?? "", /row 1 of the shared log is/);
    assert.ok(answers[0] instanceof OutcomeUnknown);
    assert.equal(engine.seq, 0);
    await sequencer.stop();
  }
});

test("callers get an unknown outcome after a while; the next batch waits until it is settled", async () => {
  const { log, submit, sequencer, engine } = handRig({ limits: { submitTimeoutMs: 15, retryPauseMs: 5 } });
  const never = Promise.withResolvers<void>();
  log.gate = never.promise;
  const answers = await submit(LIST);
  await pause(30);
  assert.ok(answers[0] instanceof OutcomeUnknown);
  const [refused] = await submit(TICK);
  assert.ok(refused instanceof NotAccepted, "the log's adapter still tries to write what came before");
  await pause(15);
  assert.equal(log.submitted.length, 1);
  await log.deliver(log.submitted[0]!);
  await until("a tick is submitted", () => log.submitted.length > 1);
  assert.deepEqual([engine.assets().length, log.headers.map(({ number }) => number)], [1, [1, 2]]);
  // One that comes back too late is followed by another.
  await until("a tick comes back in time", async () => {
    await log.deliver(log.submitted.at(-1)!);
    return sequencer.canAppend;
  });
  await sequencer.stop();
});

test("a submit that never settles does not keep the node from stopping, and its callers are answered", async () => {
  for (const wait of [0, 30]) {
    const { log, submit, sequencer } = handRig({ limits: { submitTimeoutMs: 15, retryPauseMs: 5 } });
    log.gate = new Promise(() => {});
    const answers = await submit(LIST);
    await pause(wait);
    await sequencer.stop();
    assert.ok(answers[0] instanceof OutcomeUnknown);
  }
});

test("while it is held for a reason, the node accepts nothing, and applies batches of others", async () => {
  const { log, submit, sequencer, engine } = handRig();
  await submit(TICK);
  const waiting = await submit(TICK);
  sequencer.hold("clock", "the clock is wrong");
  sequencer.hold("contact", "nobody is there");
  assert.ok(waiting[0] instanceof NotAccepted);
  sequencer.hold("clock", null);
  const [refused] = await submit(TICK);
  assert.match((refused as Error).message, /nobody is there/);
  assert.deepEqual([sequencer.canAppend, [...sequencer.heldBy.keys()]], [false, ["contact"]]);
  await log.deliver(batchOf({}, [LIST]), log.submitted[0]!);
  assert.equal(engine.seq, 4);
  sequencer.hold("contact", null);
  const answers = await submit(TICK);
  await log.deliver(log.submitted[1]!);
  assert.deepEqual([(answers[0] as Outcome).seq, sequencer.canAppend], [6, true]);
  await sequencer.stop();
});

test("events that fall due while the node is held get a tick afterwards", async () => {
  let clockMs = 1_000;
  const world = { ...MACHINE, nowMs: () => clockMs };
  const { log, submit, sequencer } = handRig({ world, limits: { tickSpacingMs: 1, clockCheckMs: 1 } });
  await submit(...setup(), { type: "openListenKey", accountId: 100, listenKey: "l".repeat(64) });
  await log.deliver(log.submitted[0]!);
  sequencer.hold("contact", "nobody is there");
  clockMs += LISTEN_KEY_LIFE_MS + 1;
  await pause(10);
  assert.equal(log.submitted.length, 1);
  sequencer.hold("contact", null);
  await until("a tick is submitted", () => log.submitted.length === 2);
  await log.deliver(log.submitted[1]!);
  await sequencer.stop();
});

test("a batch that observers reject is not submitted", async () => {
  let refusal: string | undefined = "the clock is ahead";
  const observer = { refusal: () => refusal, rowComes: () => {}, rowIsDone: () => {}, returned: () => {} };
  const { log, submit, sequencer } = handRig({ limits: { retryPauseMs: 5 } }, null, { observer });
  const answers = await submit(TICK);
  await turn();
  assert.ok(answers[0] instanceof NotAccepted);
  assert.equal(log.submitted.length, 0);
  refusal = undefined;
  await until("a tick finds out that it may write again", () => log.submitted.length === 1);
  await log.deliver(log.submitted[0]!);
  await sequencer.stop();
});

test("observers see each row before and after it, own and skipped ones too; an error stops the node", async () => {
  const seen: string[] = [];
  const observer = {
    refusal: () => undefined,
    rowComes: ({ node, number }: { node: string; number: number }) => {
      if (number === 9) throw new Error("their state is not ours");
      seen.push(`${node}/${number}`);
    },
    rowIsDone: ({ number }: { number: number }, isApplied: boolean) => void seen.push(`row ${number} ${isApplied}`),
    returned: () => void seen.push("returned"),
  };
  const { log, submit, sequencer, fatal, engine } = handRig({}, null, { observer });
  await submit(TICK);
  await log.deliver(log.submitted[0]!, batchOf({}, [TICK]), batchOf({}, [TICK]), batchOf({ number: 9 }, [LIST]));
  assert.deepEqual(seen, [...["n1/1", "returned", "row 1 true", "n2/1", "row 2 true", "n2/1", "row 3 false"]]);
  assert.deepEqual([fatal[0]?.message, engine.assets().length], ["their state is not ours", 0]);
  await sequencer.stop();
});

test("a row of a newer release: the node keeps its state, accepts nothing, and reports it", async () => {
  const unreadable: string[] = [];
  const onUnreadable = (error: Error): void => void unreadable.push(error.message);
  const { log, submit, sequencer, fatal, engine } = handRig({}, null, { onUnreadable });
  const answers = await submit(TICK);
  await log.deliver(batchOf({}, [LIST]), { ...batchOf({ number: 2 }, [TICK]), bytes: Uint8Array.of(255, 1) });
  assert.ok(answers[0] instanceof OutcomeUnknown);
  assert.match(unreadable[0] ?? "", /^batch 2 of the shared log, written by node n2, is of .*\. Upgrade this node/);
  assert.deepEqual([fatal.length, engine.assets().length, [...sequencer.heldBy.keys()]], [0, 1, ["release"]]);
  await sequencer.stop();
});

test("a batch that the log certainly rejects is rejected, and the next batch has the next number", async () => {
  const { log, submit, sequencer } = handRig({ limits: { retryPauseMs: 5 } });
  log.failures.push(new JournalRefused("the store is full"));
  const answers = await submit(TICK);
  await until("a tick is submitted", () => log.submitted.length === 2);
  assert.ok(answers[0] instanceof NotAccepted);
  assert.deepEqual(
    log.headers.map(({ number }) => number),
    [1, 2],
  );
  await log.deliver(log.submitted[1]!);
  await sequencer.stop();
});
