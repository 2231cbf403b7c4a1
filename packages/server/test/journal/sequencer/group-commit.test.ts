import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { type Command, Engine, LISTEN_KEY_LIFE_MS } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import { verifyJournal } from "../../../src/journal/replica/verify-journal.ts";
import { type GroupCommitOptions, GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { NotAccepted, type Outcome, OutcomeUnknown, WaitedTooLong } from "../../../src/journal/sequencer/port.ts";
import { ACCOUNT_IDS, BY, randomFlow, setup } from "@pricetime/testkit/journal";
import { FaultyJournal } from "./faulty-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const TICK: Command = { type: "tick" };
const ORDER = placeOrder({ accountId: 100, side: "BUY", priceTicks: 100, quantityLots: 100, clientOrderId: "c" });

interface Rig {
  readonly journal: FaultyJournal;
  readonly engine: Engine;
  readonly sequencer: GroupCommitSequencer;
  readonly fatal: Error[];
}

function rig(options: Partial<GroupCommitOptions> = {}): Rig {
  const journal = new FaultyJournal();
  const engine = new Engine();
  const fatal: Error[] = [];
  const sequencer = new GroupCommitSequencer({
    world: MACHINE,
    journal,
    engine,
    node: "n1",
    onFatal: (error) => fatal.push(error),
    ...options,
  });
  sequencer.start();
  return { journal, engine, sequencer, fatal };
}

/** Submits commands, and returns a list of their outcomes in the order of the answers. */
function submitAll(sequencer: GroupCommitSequencer, commands: readonly Command[]): (Outcome | Error)[] {
  const answers: (Outcome | Error)[] = [];
  for (const command of commands) sequencer.submit(command, (answer) => answers.push(answer));
  return answers;
}

/** Retries until the sequencer accepts commands. */
async function runOnceTaken(sequencer: GroupCommitSequencer, command: Command): Promise<Outcome> {
  for (;;) {
    try {
      return await sequencer.run(command);
    } catch (error) {
      if (!(error instanceof NotAccepted)) throw error;
      await pause(1);
    }
  }
}

function gate(journal: FaultyJournal): () => void {
  let open = (): void => {};
  journal.gate = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

test("replaying the journal gives the served state", async () => {
  const { journal, engine, sequencer, fatal } = rig();
  const commands = randomFlow(3, 500);
  const outcomes = await Promise.all(commands.map((command) => sequencer.run(command)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.seq),
    commands.map((_, i) => i + 1),
  );
  await sequencer.stop();
  const found = verifyJournal(journal.reader());
  assert.equal(found.fault, null);
  assert.equal(found.eventDigest, engine.eventDigest());
  assert.deepEqual(fatal, []);
});

test("each answer comes right after its command was applied", async () => {
  const { engine, sequencer } = rig();
  const seen: number[] = [];
  await new Promise<void>((resolve) => {
    for (let i = 1; i <= 10; i++) {
      sequencer.submit(TICK, (answer) => {
        assert.ok(!(answer instanceof Error));
        assert.equal(engine.seq, answer.seq);
        seen.push(answer.seq);
        if (i === 10) resolve();
      });
    }
  });
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("while one batch is in flight, the next collects", async () => {
  const { journal, sequencer } = rig();
  const open = gate(journal);
  const first = submitAll(sequencer, [TICK]);
  await turn();
  const rest = submitAll(sequencer, [TICK, TICK, TICK]);
  await pause(5);
  assert.deepEqual(
    [first.length, rest.length, sequencer.queued],
    [0, 0, 3],
    "nothing is answered before it is durable",
  );
  open();
  await sequencer.stop();
  assert.deepEqual(
    journal.appended.map((batch) => batch.count),
    [1, 3],
  );
});

test("the journal gets the next batch before work deferred by answers runs", async () => {
  const { journal, sequencer } = rig();
  const open = gate(journal);
  const appended = new Promise<number>((resolve) => {
    sequencer.submit(TICK, () => queueMicrotask(() => resolve(journal.appended.length)));
  });
  await turn();
  submitAll(sequencer, [TICK]);
  open();
  assert.equal(await appended, 2);
  await sequencer.stop();
});

test("commands and bytes per batch are bounded", async () => {
  const { journal, sequencer } = rig({ limits: { maxBatchCommands: 4 } });
  submitAll(
    sequencer,
    Array.from({ length: 10 }, () => TICK),
  );
  await sequencer.stop();
  assert.deepEqual(
    journal.appended.map((batch) => batch.count),
    [4, 4, 2],
  );
  const small = rig({ limits: { maxBatchBytes: 60 } });
  const answers = submitAll(small.sequencer, [...Array.from({ length: 9 }, () => ORDER), setup()[0]!]);
  await small.sequencer.stop();
  assert.equal(answers.length, 10);
  const sizes = small.journal.appended.map((batch) => [batch.count, batch.bytes.length] as const);
  assert.ok(sizes.every(([count, bytes]) => bytes <= 60 || count === 1));
  assert.ok(sizes.some(([count]) => count > 1));
  assert.deepEqual(
    answers.map((answer) => (answer as Outcome).seq),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
});

test("time never goes back", async () => {
  let clockMs = 5_000;
  const { journal, sequencer } = rig({ world: { ...MACHINE, nowMs: () => clockMs } });
  await sequencer.run(TICK);
  clockMs = 4_000;
  assert.equal(sequencer.nowMs(), 5_000);
  assert.equal((await sequencer.run(TICK)).timeMs, 5_000);
  clockMs = 6_000;
  assert.equal((await sequencer.run(TICK)).timeMs, 6_000);
  assert.deepEqual(
    journal.appended.map((batch) => batch.timeMs),
    [5_000, 5_000, 6_000],
  );
});

test("commands above the queue limit are rejected", async () => {
  const { sequencer } = rig({ limits: { maxQueuedCommands: 2 } });
  const answers = submitAll(sequencer, [TICK, TICK, TICK]);
  assert.ok(answers[0] instanceof NotAccepted);
  await sequencer.stop();
  assert.equal(answers.length, 3);
});

test("a command that cannot be encoded is rejected and does not affect others", async () => {
  const { sequencer, fatal } = rig();
  const bad = { ...ORDER, quantityLots: -7 } as Command;
  const answers = submitAll(sequencer, [TICK, bad, TICK]);
  await sequencer.stop();
  assert.ok(answers[0] instanceof NotAccepted);
  assert.deepEqual([(answers[1] as Outcome).seq, (answers[2] as Outcome).seq], [1, 2]);
  assert.deepEqual(fatal, []);
});

for (const fault of ["before writing", "after writing"] as const) {
  test(`an append that fails ${fault} leaves its requests unknown, and the node recovers`, async () => {
    const { journal, engine, sequencer, fatal } = rig({ limits: { recoveryPauseMs: 1 } });
    await sequencer.run(TICK);
    journal.faults.push(fault);
    journal.deafHeads = 2;
    const answers = submitAll(sequencer, setup());
    await turn();
    await turn();
    const later = submitAll(sequencer, [TICK]);
    assert.ok(answers.every((answer) => answer instanceof OutcomeUnknown) && answers.length === setup().length);
    assert.ok(later[0] instanceof NotAccepted, "nothing is accepted while the outcome is not known");
    const { seq } = await runOnceTaken(sequencer, TICK);
    assert.equal(seq, fault === "before writing" ? 2 : 2 + setup().length);
    assert.equal(seq, engine.seq);
    await sequencer.stop();
    const found = verifyJournal(journal.reader());
    assert.deepEqual([found.fault, found.eventDigest], [null, engine.eventDigest()]);
    assert.deepEqual(fatal, []);
  });
}

test("commands that wait while an append fails are certainly not accepted", async () => {
  const { journal, sequencer } = rig({ limits: { recoveryPauseMs: 1 } });
  const open = gate(journal);
  journal.faults.push("before writing");
  const first = submitAll(sequencer, [TICK]);
  await turn();
  const waiting = submitAll(sequencer, [TICK, TICK]);
  open();
  await until("all are answered", () => first.length === 1 && waiting.length === 2);
  assert.ok(first[0] instanceof OutcomeUnknown);
  assert.ok(waiting.every((answer) => answer instanceof NotAccepted));
});

test("a full disk: nothing is accepted, and the node recovers by itself when there is space again", async () => {
  const said: (string | null)[] = [];
  const { journal, engine, sequencer, fatal } = rig({
    limits: { retryPauseMs: 5 },
    onJournalTrouble: (error) => said.push(error?.message ?? null),
  });
  await sequencer.run(TICK);
  journal.faults.push("nothing written", "nothing written", "nothing written");
  await assert.rejects(sequencer.run(TICK), NotAccepted);
  assert.equal(sequencer.canAppend, false);
  assert.equal(engine.seq, 1);
  for (let tries = 0; !sequencer.canAppend && tries < 1_000; tries++) await pause(5);
  assert.equal(engine.seq, 2, "one tick was taken, no more");
  assert.deepEqual(said, ["the disk is full", "the disk is full", "the disk is full", null]);
  await pause(30);
  assert.equal(engine.seq, 2);
  await sequencer.stop();
  assert.deepEqual(fatal, []);
});

test("a disk that stays full is retried at the same rate, however many commands were rejected", async () => {
  const { journal, sequencer } = rig({ limits: { retryPauseMs: 50 } });
  for (let i = 0; i < 10_000; i++) journal.faults.push("nothing written");
  for (let i = 0; i < 40; i++) {
    await assert.rejects(sequencer.run(TICK), NotAccepted);
    await pause(1);
  }
  const [before, startMs] = [journal.appended.length, performance.now()];
  await pause(200);
  const [tries, pauses] = [journal.appended.length - before, (performance.now() - startMs) / 50];
  assert.ok(tries >= 1 && tries <= pauses + 1, `${tries} tries in ${pauses} pauses`);
  await sequencer.stop();
});

test("a journal that does not answer is fatal", async () => {
  const { journal, sequencer, fatal } = rig({ limits: { recoveryPauseMs: 1, recoveryAttempts: 3 } });
  journal.faults.push("before writing");
  journal.deafHeads = 3;
  const answers = submitAll(sequencer, [TICK]);
  await until("the node gives up", () => fatal.length > 0 && answers.length > 0);
  assert.ok(answers[0] instanceof OutcomeUnknown);
  assert.equal(fatal.length, 1);
  await assert.rejects(sequencer.run(TICK), NotAccepted);
  await sequencer.stop();
});

test("an engine that throws is fatal; no answer is made up or lost", async () => {
  const { engine, sequencer, fatal } = rig();
  const apply = engine.apply.bind(engine);
  engine.apply = (entry) => {
    if (entry.seq === 2) throw new Error("broken");
    return apply(entry);
  };
  const answers = submitAll(sequencer, [TICK, TICK, TICK]);
  await until("all are answered", () => answers.length === 3 && fatal.length > 0);
  assert.equal((answers[0] as Outcome).seq, 1);
  assert.ok(answers[1] instanceof OutcomeUnknown && answers[2] instanceof OutcomeUnknown);
  assert.deepEqual([answers.length, fatal.length], [3, 1]);
});

test("orders are rejected while history is too far behind; all else is accepted", async () => {
  let historySeq = 0;
  const { sequencer } = rig({ historySeq: () => historySeq, limits: { maxHistoryLagEntries: 5 } });
  for (let i = 0; i < 5; i++) await sequencer.run(TICK);
  await sequencer.run(ORDER);
  const cancel = { type: "cancelOrder", accountId: 100, symbolId: 0, orderId: 1, newClientOrderId: "x" } as const;
  const leg = { ...ORDER, stopTicks: 90 };
  const OTO = {
    ...({ kind: "OTO", working: { ...ORDER, leg: ORDER }, pendingSide: "SELL", pendingLots: 1 } as const),
    ...{ pending: ORDER, pendingLimit: null, listClientOrderId: "l" },
  };
  for (const command of [
    ORDER,
    { type: "cancelReplace", mode: "ALLOW_FAILURE", cancel: { ...cancel, origClientOrderId: "" }, place: ORDER },
    { ...ORDER, type: "placeOco", stopLeg: leg, limitLeg: ORDER, listClientOrderId: "l" },
    { type: "placeOto", accountId: 100, symbolId: 0, ...OTO },
  ] as const) {
    await assert.rejects(sequencer.run(command), /history is too far behind/, command.type);
  }
  await sequencer.run(TICK);
  await sequencer.run({ ...cancel, origClientOrderId: "" });
  historySeq = 8;
  await sequencer.run(ORDER);
});

test("an idle node appends a tick when an event is due, and only then", async () => {
  let clockMs = 1_000;
  const { engine, sequencer, journal } = rig({
    world: { ...MACHINE, nowMs: () => clockMs },
    limits: { tickSpacingMs: 5, clockCheckMs: 5 },
  });
  for (const command of setup()) await sequencer.run(command);
  await sequencer.run({ type: "openListenKey", accountId: 100, listenKey: "l".repeat(64) });
  const before = journal.appended.length;
  clockMs += LISTEN_KEY_LIFE_MS - 10;
  await pause(40);
  assert.equal(journal.appended.length, before);
  assert.equal(engine.listenKeyAccount("l".repeat(64), engine.timeMs), ACCOUNT_IDS[0]);
  await sequencer.run({ type: "openListenKey", accountId: 101, listenKey: "m".repeat(64) });
  clockMs += 10;
  await until("the tick is there", () => journal.appended.length >= before + 2);
  await pause(20);
  assert.equal(journal.appended.length, before + 2, "one command, one tick");
  assert.equal(engine.nextDueMs(), clockMs - 10 + LISTEN_KEY_LIFE_MS);
  await sequencer.stop();
});

test("events that fell due during downtime wait until the node is assembled", async () => {
  const first = rig({ world: { ...MACHINE, nowMs: () => 1_000 } });
  for (const command of setup()) await first.sequencer.run(command);
  await first.sequencer.run({ type: "openListenKey", accountId: 100, listenKey: "l".repeat(64) });
  await first.sequencer.stop();
  const { engine, journal } = first;
  const applied: string[] = [];
  const again = new GroupCommitSequencer({
    world: MACHINE,
    journal,
    engine,
    node: "n1",
    onFatal: (error) => assert.fail(error),
    onApplied: ({ command }) => applied.push(command.type),
    limits: { tickSpacingMs: 1, clockCheckMs: 1 },
  });
  await pause(20);
  assert.deepEqual(applied, []);
  again.start();
  await until("the tick is applied", () => applied.length > 0);
  assert.deepEqual(applied, ["tick"]);
  await again.stop();
});

/** Halted, with more open orders than two steps end. */
async function haltedMarket({ sequencer }: Rig): Promise<void> {
  for (const command of setup()) await sequencer.run(command);
  const orders = Array.from({ length: 2_500 }, (_, n) => ({ ...ORDER, clientOrderId: `c${n}` }));
  submitAll(sequencer, orders);
  await sequencer.run({ type: "setSymbolStatus", by: BY, symbol: "BTCUSDT", status: "HALT" });
}

const END: Command = { type: "endSymbolOrders", by: BY, symbol: "BTCUSDT", why: "a test" };

test("orders of a symbol that end in steps need as few ticks as possible, while others are served", async () => {
  const types: string[] = [];
  const made = rig({ onApplied: ({ command }) => types.push(command.type), limits: { tickSpacingMs: 1 } });
  const { engine, sequencer } = made;
  await haltedMarket(made);
  assert.ok(engine.openOrderCount > 2_000);
  await sequencer.run(END);
  assert.ok(engine.openOrderCount > 1_000, "one step does not end them all");
  await sequencer.run({ type: "setSymbolStatus", by: BY, symbol: "BTCUSDT", status: "BREAK" });
  await until("no order is open", () => engine.openOrderCount === 0);
  await sequencer.stop();
  assert.equal(types.filter((type) => type === "tick").length, 2);
});

test("orders that were being ended when the node died continue to be ended after its start", async () => {
  const made = rig();
  await haltedMarket(made);
  await made.sequencer.run(END);
  await made.sequencer.stop();
  const { journal } = made;
  const engine = Engine.restore(made.engine.snapshot());
  assert.ok(engine.openOrderCount > 0);
  const again = new GroupCommitSequencer({
    ...{ world: MACHINE, journal, engine, node: "n1", limits: { tickSpacingMs: 1 } },
    onFatal: (error) => assert.fail(error),
  });
  again.start();
  await until("no order is open", () => engine.openOrderCount === 0);
  await again.stop();
});

test("hooks see every entry in order, just before its answer", async () => {
  const seen: string[] = [];
  const { sequencer } = rig({
    onApplied: (entry, events) => seen.push(`${entry.seq} ${events[0]?.type}`),
    onBatch: ({ firstSeq, count }) => seen.push(`batch ${firstSeq}+${count}`),
  });
  sequencer.submit(TICK, () => seen.push("answer"));
  sequencer.submit(
    { type: "listAsset", by: BY, asset: { asset: "A", name: "A", precision: 8, networks: [] } },
    () => {},
  );
  await sequencer.stop();
  assert.deepEqual(seen, ["1 done", "answer", "2 assetListed", "batch 1+2"]);
});

test("stopping finishes accepted commands and accepts no more", async () => {
  const { sequencer } = rig();
  const answers = submitAll(sequencer, [TICK, TICK]);
  const stopped = sequencer.stop();
  await assert.rejects(sequencer.run(TICK), NotAccepted);
  await stopped;
  assert.equal(answers.length, 2);
  await sequencer.stop();
});

test("a command that waits longer than it may is not journaled", async () => {
  let nowMs = 1_000;
  const { journal, engine, sequencer } = rig({ world: { ...MACHINE, nowMs: () => nowMs } });
  const open = gate(journal);
  const answers = submitAll(sequencer, [TICK]);
  await turn();
  const late: (Outcome | Error)[] = [];
  for (const untilMs of [1_000, 1_499, 1_500, undefined]) {
    sequencer.submit(TICK, (answer) => late.push(answer), untilMs);
  }
  nowMs = 1_500;
  open();
  await until("all are answered", () => late.length === 4);
  assert.equal((answers[0] as Outcome).seq, 1);
  assert.deepEqual(
    late.map((answer) => (answer instanceof Error ? answer.constructor : answer.seq)),
    [WaitedTooLong, WaitedTooLong, 2, 3],
  );
  assert.equal(engine.seq, 3);
  await sequencer.stop();
});
