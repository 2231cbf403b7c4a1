/** Several nodes on one log: however slow, disconnected or killed, all have the same state and answer accordingly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Command, Engine } from "@pricetime/engine";
import fc from "fast-check";
import { Life, Schedule } from "@pricetime/testkit/schedule";
import { verifyJournal } from "../../../src/journal/replica/verify-journal.ts";
import { Dice } from "@pricetime/testkit/dice";
import { randomCommand } from "@pricetime/testkit/journal";
import { sharedLogContract } from "../shared-log-contract.ts";
import { LogLine, MemoryLog } from "./memory-log.ts";
import { type JournalFault, nameOf, type SharedNode, type SharedWorld, textOf } from "./shared-node.ts";
import { SharedRig } from "./shared-rig.ts";

type Step =
  | { readonly type: "submit"; readonly node: number; readonly count: number }
  | { readonly type: "cut" | "heal" | "restart" | "read"; readonly node: number }
  | { readonly type: "leap"; readonly node: number; readonly ms: number }
  | { readonly type: "trim" }
  | { readonly type: "fault"; readonly node: number; readonly fault: JournalFault }
  | { readonly type: "wait"; readonly ms: number };

/** More can be requested. */
const RUNS = Number(process.env["SHARED_LOG_RUNS"] ?? 60);
const node = fc.nat(2);
const STEPS = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ type: fc.constant("submit" as const), node, count: fc.integer({ min: 1, max: 9 }) }),
    },
    { weight: 5, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.nat(60) }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constantFrom("cut" as const, "heal" as const), node }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constant("read" as const), node }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("restart" as const), node }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("trim" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant("leap" as const), node, ms: fc.constantFrom(0, 0, -9_000, 500, 9_000) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("fault" as const),
        node,
        fault: fc.constantFrom<JournalFault>("refused", "before writing", "after writing"),
      }),
    },
  ),
  { minLength: 10, maxLength: 60 },
);

class Rig extends SharedRig {
  readonly #flow: Dice;
  #commands = 0;

  constructor(seed: number, skewsMs: readonly number[]) {
    super(seed, skewsMs);
    this.#flow = new Dice(seed);
  }

  /** Takes a step. Returns whether time advances. */
  take(step: Step): number {
    if (step.type === "wait") return step.ms;
    if (step.type === "trim") return this.#trim();
    const of = this.nodes[step.node % this.nodes.length]!;
    if (step.type === "submit") for (let i = 0; i < step.count; i++) of.submit(this.#command());
    else if (step.type === "fault") of.faults.push(step.fault);
    else if (step.type === "restart") of.restart();
    else if (step.type === "leap") of.leapMs = step.ms;
    else if (step.type === "read") of.read();
    else of.line.isCut = step.type === "cut";
    return 0;
  }

  /** Removes the rows that every node, including their authors, has in its own journal. */
  #trim(): number {
    const places = this.nodes.map(({ journal }) => journal.reader().place()?.number ?? 0);
    this.world.log.trim(Math.min(...places));
    return 0;
  }

  /** Each command is unique, except ticks. */
  #command(): Command {
    const n = ++this.#commands;
    return randomCommand(this.#flow, n % 40 === 0 ? ++this.#commands : n);
  }

  /** Ends all faults; resolves when everything is settled and applied everywhere. */
  async calm(): Promise<void> {
    for (const each of this.nodes) {
      each.line.isCut = false;
      each.line.isCalm = true;
      each.faults.length = 0;
      each.leapMs = 0;
    }
    await this.runFor(2_000);
    assert.deepEqual(this.world.fatal, []);
    for (const { engine, sequencer } of this.nodes) {
      assert.equal(engine.seq, this.world.model.seq, "a node has not applied all of the log");
      assert.equal(sequencer.canAppend, true);
    }
  }
}

async function history(seed: number, skewsMs: readonly number[], steps: readonly Step[]): Promise<Rig> {
  const rig = new Rig(seed, skewsMs);
  await rig.open();
  for (const step of steps) {
    const ms = rig.take(step);
    if (ms > 0) await rig.runFor(ms);
  }
  await rig.calm();
  return rig;
}

/** The replay of the log alone: by entry, the command, its time, and its events. */
function replayed({ model }: SharedWorld): {
  engine: Engine;
  entries: { name: string; timeMs: number; events: string }[];
} {
  const entries: { name: string; timeMs: number; events: string }[] = [];
  const engine = model.replay(({ command, timeMs }, events) => {
    entries.push({ name: command.type === "nodeBatch" ? HEADER : nameOf(command), timeMs, events: textOf(events) });
  });
  return { engine, entries };
}

function check({ world, nodes }: Rig): void {
  const { engine, entries } = replayed(world);
  const chain = new Set<string>();
  for (const each of nodes) {
    assert.equal(each.engine.eventDigest(), engine.eventDigest(), "two engines differ");
    const found = verifyJournal(each.journal.reader());
    assert.deepEqual([found.fault, found.entries, found.eventDigest], [null, entries.length, engine.eventDigest()]);
    assert.deepEqual([each.engine.stateHash(), found.stateHash], [engine.stateHash(), engine.stateHash()]);
    chain.add(found.head.chainHash);
    assert.deepEqual(
      each.applied,
      each.applied.toSorted((a, b) => a - b),
    );
  }
  assert.equal(chain.size, 1, "two journals differ");
  checkAnswers(world, nodes, entries);
}

const HEADER = "header";
const TICK = nameOf({ type: "tick" });

function checkAnswers(
  { told }: SharedWorld,
  nodes: readonly SharedNode[],
  entries: ReturnType<typeof replayed>["entries"],
): void {
  const seen = new Set<string>();
  const seqs = new Set<number>();
  const last = nodes.map(() => ({ seq: 0, request: -1 }));
  const refused = new Set<string>();
  for (const { node: number, request, answer } of told) {
    const name = nodes[number]!.requests[request]!;
    assert.ok(!seen.has(`${number}/${request}`), "a request is answered twice");
    seen.add(`${number}/${request}`);
    if (answer === "not accepted") refused.add(name);
    if (typeof answer === "string") continue;
    const { seq, ...said } = answer;
    const entry = entries[seq - 1]!;
    assert.deepEqual({ name, ...said }, entry, "an answer is not what the log says");
    assert.ok(!seqs.has(seq), "two requests are told of one entry");
    seqs.add(seq);
    assert.ok(seq > last[number]!.seq && request > last[number]!.request, "answers out of order");
    last[number] = { seq, request };
  }
  const names = entries.map(({ name }) => name).filter((name) => name !== TICK && name !== HEADER);
  assert.equal(new Set(names).size, names.length, "a command was carried out twice");
  const asked = new Set(nodes.flatMap(({ requests }) => requests));
  assert.ok(
    names.every((name) => asked.has(name)),
    "nobody asked for it",
  );
  assert.ok(!names.some((name) => refused.has(name)), "it was told not to be accepted");
}

function checkNoneLost({ world, nodes }: Rig, isEveryLife: boolean): void {
  if (!isEveryLife) return;
  const asked = nodes.reduce((sum, { requests }) => sum + requests.length, 0);
  assert.equal(world.told.length, asked, "a request is not answered");
}

sharedLogContract("memory", (t) => {
  const [schedule, life, dice] = [new Schedule(), new Life(), new Dice(1)];
  const log = new MemoryLog();
  const end = new AbortController();
  t.after(() => end.abort());
  const fail = (error: unknown): never => {
    throw error;
  };
  const run = async (): Promise<void> => {
    for (; !end.signal.aborted; await turn()) await schedule.run(() => end.signal.aborted, fail);
  };
  void run();
  return () => {
    const line = new LogLine(log, schedule, life, dice);
    line.isCalm = true;
    return line;
  };
});

test("nodes that share a log have the same state, and answer accordingly", async () => {
  let answered = 0;
  let unknown = 0;
  let mixed = 0;
  let skipped = 0;
  let reads = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 2, maxLength: 3 }),
      STEPS,
      async (seed, skewsMs, steps) => {
        const rig = await history(seed, skewsMs, steps);
        check(rig);
        checkNoneLost(rig, !steps.some(({ type }) => type === "restart"));
        answered += rig.world.told.filter(({ answer }) => typeof answer !== "string").length;
        unknown += rig.world.told.filter(({ answer }) => answer === "unknown").length;
        skipped += rig.world.model.skipped;
        reads += rig.nodes.reduce((sum, one) => sum + one.reads, 0);
        const by = rig.world.log.rows.map((row) => row.node);
        mixed += by.filter((one, at) => at > 0 && one !== by[at - 1]).length;
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(
    answered > 1_500 && unknown > 80 && mixed > 80 && skipped > 2 && reads > 60,
    `${answered} answered, ${unknown} unknown, ${mixed} mixed, ${skipped} skipped, ${reads} reads`,
  );
});
