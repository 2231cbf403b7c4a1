/** Nodes of a cluster in virtual time: cut off, behind, with a wrong state, and with clocks that jump. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, Engine } from "@pricetime/engine";
import { BY } from "@pricetime/testkit/journal";
import { batchOf } from "../journal/sequencer/manual-log.ts";
import { SharedNode, type Told } from "../journal/sequencer/shared-node.ts";
import { SharedRig } from "../journal/sequencer/shared-rig.ts";

let assets = 0;
/** Each command is different. */
const list = (): Command => {
  const asset = `L${++assets}`;
  return { type: "listAsset", by: BY, asset: { asset, name: asset, precision: 8, networks: [] } };
};

async function open(count: number, seed = 1): Promise<SharedRig> {
  const rig = new SharedRig(
    seed,
    Array.from({ length: count }, () => 0),
  );
  rig.isCalm = true;
  await rig.open();
  rig.isCalm = true;
  rig.world.told.length = 0;
  return rig;
}

const answers = (rig: SharedRig, number: number): Told["answer"][] =>
  rig.world.told.filter(({ node }) => node === number).map(({ answer }) => answer);

/** The result of `caughtUp`: the age, or that it is rejected. */
const read = async (rig: SharedRig, node: SharedNode, waitMs: number): Promise<number | "refused" | "waits"> => {
  let told: number | "refused" | "waits" = "waits";
  node.member.caughtUp().then(
    (staleMs) => (told = staleMs),
    () => (told = "refused"),
  );
  await rig.runFor(waitMs);
  return told;
};

test("a node that is cut off rejects commands at once, reports the age of its reads until it is too old, and recovers", async () => {
  const rig = await open(3);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  assert.equal(await read(rig, first, 40), 0);
  first.line.isCut = true;
  first.submit(list());
  await rig.runFor(300);
  assert.equal(first.member.isCutOff, true);
  const told = answers(rig, 0).length;
  first.submit(list());
  assert.deepEqual(answers(rig, 0).slice(told), ["not accepted"], "in the same turn");
  second.submit(list());
  const staleMs = await read(rig, first, 1);
  assert.ok(typeof staleMs === "number" && staleMs > 250 && staleMs < 450, `${staleMs}`);
  await rig.runFor(600);
  assert.equal(await read(rig, first, 1), "refused");
  assert.ok(answers(rig, 0).length >= 2, "what was on its way is answered");
  assert.equal(typeof answers(rig, 1)[0], "object", "the others go on");
  first.line.isCut = false;
  await rig.runFor(400);
  assert.deepEqual([first.member.isCutOff, first.sequencer.canAppend], [false, true]);
  assert.equal(await read(rig, first, 40), 0);
  assert.equal(first.engine.seq, second.engine.seq);
  assert.deepEqual(rig.world.fatal, []);
});

test("a read in progress when the node is cut off reports its age", async () => {
  const rig = await open(2);
  const [first] = rig.nodes as [SharedNode];
  first.line.isCut = true;
  assert.equal(first.member.shownStaleMs, 0);
  const staleMs = await read(rig, first, 300);
  assert.ok(typeof staleMs === "number" && staleMs > 0, `${staleMs}`);
  first.line.isCut = false;
  await rig.runFor(100);
  assert.equal(first.member.isCutOff, false);
  assert.ok(first.member.shownStaleMs >= 400, "the answer may still be made");
  await rig.runFor(500);
  assert.equal(first.member.shownStaleMs, 0);
});

test("a node whose journal fails is behind: consistent reads are rejected, though it is not cut off", async () => {
  const rig = await open(2);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  for (let i = 0; i < 30; i++) first.faults.push("refused");
  second.submit(list());
  await rig.runFor(100);
  assert.equal(await read(rig, first, 500), "refused");
  assert.ok(first.member.staleMs > 500, `${first.member.staleMs}`);
  assert.deepEqual([first.member.isCutOff, first.member.lagRows > 0], [false, true]);
  first.faults.length = 0;
  await rig.runFor(200);
  assert.deepEqual([await read(rig, first, 40), first.member.lagRows], [0, 0]);
});

test("waiting for an entry of another node resolves when it is applied here, or on timeout", async () => {
  const rig = await open(2);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  second.submit(list());
  const seq = first.engine.seq + 2;
  const told: [string, boolean][] = [];
  void first.member.applied(seq, 100).then((is) => told.push(["soon", is]));
  void first.member.applied(seq + 1, 60).then((is) => told.push(["never", is]));
  await rig.runFor(120);
  assert.deepEqual(told, [
    ["soon", true],
    ["never", false],
  ]);
});

const flip = (engine: Engine): void => (engine as unknown as { digest: { mix(word: number): void } }).digest.mix(1);

test("one of three nodes has a different state: it stops, whether it writes or not, and the others report it and continue", async () => {
  for (const writes of [true, false]) {
    const rig = await open(3);
    const [first, second, third] = rig.nodes as [SharedNode, SharedNode, SharedNode];
    flip(third.engine);
    if (writes) third.submit(list());
    first.submit(list());
    await rig.runFor(400);
    assert.equal(third.fatal.length > 0, true);
    assert.match(
      third.fatal[0]!,
      /the state of this node at entry \d+ or before differs from that of n0, n1: it must be rebuilt/,
    );
    third.submit(list());
    assert.equal(answers(rig, 2).at(-1), "not accepted");
    await rig.runFor(1_500);
    for (const node of [first, second]) {
      assert.deepEqual(node.fatal, []);
      assert.match(node.warnings[0] ?? "", /the state of n2 at entry \d+ or before is not that of this node/);
      node.submit(list());
    }
    await rig.runFor(100);
    for (const number of [0, 1]) assert.equal(typeof answers(rig, number).at(-1), "object");
    assert.equal(first.engine.eventDigest(), second.engine.eventDigest());
  }
});

test("a different state is noticed in the first batch with its digest, before the batch is written", async () => {
  const rig = await open(2);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  const { seq } = first.engine;
  flip(second.engine);
  second.submit(list());
  // Before the next positions are published.
  await rig.runFor(30);
  assert.match(first.fatal[0] ?? "", /the state of this node at entry/);
  assert.deepEqual([first.engine.seq, rig.world.model.seq], [seq, seq + 2]);
});

test("two nodes with different states both stop, because it is unknown which is right", async () => {
  const rig = await open(2);
  flip(rig.nodes[1]!.engine);
  rig.nodes[0]!.submit(list());
  await rig.runFor(400);
  for (const node of rig.nodes) assert.match(node.fatal[0] ?? "", /the state of this node at entry/);
});

test("a clock that jumps ahead does not affect entries, not even the first after the jump; the node continues when it is right", async () => {
  const rig = await open(3);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  first.leapMs = 3_600_000;
  first.submit(list());
  await rig.runFor(100);
  assert.deepEqual(answers(rig, 0), ["not accepted"]);
  assert.ok(first.member.clockAheadMs > 3_500_000);
  second.submit(list());
  await rig.runFor(100);
  assert.ok(second.engine.timeMs <= rig.world.schedule.nowMs, "no entry is ahead of time");
  assert.match([...first.sequencer.heldBy.values()].join(), /clock is 36\d{5} ms ahead/);
  first.leapMs = 0;
  await rig.runFor(200);
  first.submit(list());
  await rig.runFor(100);
  assert.equal(typeof answers(rig, 0).at(-1), "object");
  assert.ok(first.engine.timeMs <= rig.world.schedule.nowMs);
});

test("a clock that jumps back delays neither its own node nor two others", async () => {
  const rig = await open(3);
  rig.nodes[0]!.leapMs = -3_600_000;
  await rig.runFor(300);
  for (const node of rig.nodes) node.submit(list());
  await rig.runFor(100);
  for (const number of [0, 1, 2]) assert.equal(typeof answers(rig, number)[0], "object");
});

test("a clock that jumps while the node is cut off or stopped is noticed before it writes again", async () => {
  for (const [isAway, seed] of [true, false].flatMap((is) => [1, 2, 3, 4, 5].map((n) => [is, n] as const))) {
    const rig = await open(3, seed);
    const [first] = rig.nodes as [SharedNode];
    if (!isAway) first.line.isCut = true;
    await rig.runFor(600);
    first.leapMs = 3_600_000;
    await rig.runFor(100);
    if (isAway) first.restart();
    first.line.isCalm = true;
    first.line.isCut = false;
    for (let i = 0; i < 60; i++) {
      first.submit(list());
      await rig.runFor(10);
    }
    assert.ok(first.engine.timeMs <= rig.world.schedule.nowMs);
    assert.ok(answers(rig, 0).every((answer) => typeof answer === "string"));
  }
});

test("a node has joined when it knows the others' clocks and has applied what was in the log", async () => {
  const rig = await open(2);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  first.line.isCut = true;
  for (let i = 0; i < 30; i++) second.submit(list());
  await rig.runFor(300);
  first.restart();
  first.line.isCut = true;
  first.line.isCalm = true;
  let joinedAt: number | undefined;
  void first.member.joined().then(() => (joinedAt = first.engine.seq));
  await rig.runFor(300);
  assert.equal(joinedAt, undefined);
  first.submit(list());
  assert.equal(answers(rig, 0).at(-1), "not accepted");
  first.line.isCut = false;
  await rig.runFor(400);
  assert.equal(joinedAt, second.engine.seq);
  assert.equal(first.sequencer.canAppend, true);
});

test("a node joins though other nodes are gone permanently", async () => {
  const rig = await open(1);
  const [only] = rig.nodes as [SharedNode];
  const position = [...rig.world.log.positions.values()][0]!;
  rig.world.log.positions.set("n7", { ...position, node: "n7", clockMs: position.clockMs - 9_000_000 });
  only.restart();
  only.line.isCalm = true;
  await rig.runFor(400);
  assert.deepEqual([only.sequencer.canAppend, only.member.live, only.member.peers.length], [true, [], 1]);
});

test("a restored store stops every node that has seen more", async () => {
  for (const isIdle of [true, false]) {
    const rig = await open(2);
    const positions = [...rig.world.log.positions.values()];
    const { length } = rig.world.log.rows;
    rig.nodes[0]!.submit(list());
    await rig.runFor(300);
    rig.world.log.goBackTo(length, positions);
    // Other nodes may have written to it again.
    if (!isIdle)
      for (let number = 1; number < 6; number++) rig.world.log.add(batchOf({ node: "n9", number }, [list()]));
    await rig.runFor(200);
    for (const node of rig.nodes) assert.match(node.fatal[0] ?? "", /was restored or replaced|is not the one told/);
  }
});

test("of two processes with the same name one stops, and nothing is duplicated", async () => {
  const rig = await open(2);
  const [first] = rig.nodes as [SharedNode];
  first.submit(list());
  await rig.runFor(100);
  const twin = new SharedNode(rig.world, 5, 0, "n0");
  twin.line.isCalm = true;
  await rig.runFor(60);
  first.submit(list());
  await rig.runFor(300);
  twin.submit(list());
  await rig.runFor(100);
  first.submit(list());
  await rig.runFor(100);
  assert.match(first.fatal.join(), /another process is running as node n0|is not the one told/);
  assert.deepEqual(twin.fatal, []);
  assert.equal(typeof answers(rig, 5).at(-1), "object");
  assert.equal(rig.nodes[1]!.engine.eventDigest(), twin.engine.eventDigest());
});

test("a node whose batches the log no longer has stops, with a message", async () => {
  const rig = await open(2);
  const [first, second] = rig.nodes as [SharedNode, SharedNode];
  first.line.isCut = true;
  second.submit(list());
  await rig.runFor(100);
  rig.world.log.trim(rig.world.log.rows.length);
  first.line.isCut = false;
  await rig.runFor(100);
  assert.match(first.fatal[0] ?? "", /rows to \d+ are gone/);
  assert.deepEqual(second.fatal, []);
});
