/** One task of several nodes in virtual time: who owns it, for how long, and what a former owner can do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeCommands, type Engine } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { Life } from "@pricetime/testkit/schedule";
import { inTurn } from "../../../src/cluster/tasks.ts";
import { roleWorld } from "./role-world.ts";
import { actsUnchecked, grantsUncompared } from "./planted.ts";
import { LEASE_MS, LeaseLine } from "./memory-leases.ts";
import { type Field, openField, PROBE, type ProbeNode } from "./probe.ts";

/** Within this time a failed owner is replaced, while the store's leader is live. */
const HANDOVER_MS = 10_000;
/** And within this time if the store's leader fails too, because its successor extends every lease by its full time. */
const HANDOVER_WITH_LEADER_MS = 25_000;

const others = (node: ProbeNode) => (each: ProbeNode) => each !== node;
const any = (): boolean => true;

async function held(field: Field): Promise<ProbeNode> {
  await field.untilHeld(any);
  return field.holder() ?? assert.fail();
}

test("one of several nodes gets the task at once, and keeps it", async () => {
  const field = openField(1, 3);
  const holder = await held(field);
  await field.run(60_000);
  assert.equal(field.holder(), holder);
  assert.deepEqual(
    field.nodes.map(({ starts }) => starts),
    field.nodes.map((node) => Number(node === holder)),
  );
  for (const { node } of field.nodes) {
    const { node: name, number, isHere } = node.roles.holder(PROBE) ?? assert.fail();
    assert.deepEqual([name, number, isHere], [holder.node.name, 1, node === holder.node]);
  }
  assert.equal(field.check().grants, 1);
  assert.ok(holder.done > 1000);
});

test("an owner that dies is replaced when its lease has ended, within 10 s", async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const field = openField(seed, 3);
    const holder = await held(field);
    await field.run(new Dice(seed).below(8000));
    holder.node.kill();
    const tookMs = await field.untilHeld(others(holder));
    assert.ok(tookMs > LEASE_MS - 2000 && tookMs < HANDOVER_MS, `seed ${seed}: ${tookMs} ms`);
    holder.node.restart();
    await field.run(15_000);
    assert.notEqual(field.holder(), holder);
    assert.equal(field.check().grants, 2);
  }
});

test("an owner that dies together with the store's leader is replaced within 25 s", async () => {
  const beyond: number[] = [];
  for (let seed = 1; seed <= 3; seed++) {
    const field = openField(seed, 3);
    field.world.leases.lateMs = LEASE_MS;
    const holder = await held(field);
    await field.run(2000 + new Dice(seed).below(8000));
    holder.node.kill();
    const tookMs = await field.untilHeld(others(holder));
    assert.ok(tookMs > LEASE_MS && tookMs < HANDOVER_WITH_LEADER_MS, `seed ${seed}: ${tookMs} ms`);
    if (tookMs > HANDOVER_MS) beyond.push(seed);
    holder.node.restart();
    await field.run(15_000);
    assert.equal(field.check().grants, 2);
  }
  assert.ok(beyond.length > 0, "a lease that ends late makes it later");
});

test("a node that stops hands the task over at once", async () => {
  const field = openField(2, 3);
  const holder = await held(field);
  await field.run(3000);
  const stopping = holder.node.stop();
  const tookMs = await field.untilHeld(others(holder));
  await stopping;
  assert.ok(tookMs < 1500, `${tookMs} ms`);
});

test("an owner that is suspended beyond its lease can do nothing when it resumes", async () => {
  let stale = 0;
  for (let seed = 1; seed <= 4; seed++) {
    const field = openField(seed, 2 + (seed % 2));
    const dice = new Dice(seed);
    for (let round = 0; round < 3; round++) {
      const holder = await held(field);
      await field.run(dice.below(3000));
      holder.node.pause();
      const tookMs = await field.untilHeld(others(holder));
      assert.ok(tookMs < HANDOVER_MS, `${tookMs} ms`);
      await field.run(dice.below(3000));
      holder.node.resume();
      await field.run(2000);
      assert.ok(!holder.isRunning, "it knows by now");
    }
    stale += field.check().refused;
  }
  assert.ok(stale > 0, "some acts came too late");
});

test("a short suspension does not lose the task", async () => {
  const field = openField(3, 3);
  const holder = await held(field);
  for (let round = 0; round < 5; round++) {
    holder.node.pause();
    await field.run(3000);
    holder.node.resume();
    await field.run(2000);
  }
  assert.equal(field.holder(), holder);
  assert.equal(field.check().grants, 1);
});

test("an owner that is cut off stops by itself, before or after another starts, and its commands do not count", async () => {
  for (const lateMs of [0, 6000]) {
    const field = openField(4, 3);
    field.world.leases.lateMs = lateMs;
    const holder = await held(field);
    await field.run(5000);
    holder.node.isCut = true;
    await field.run(LEASE_MS + 1500);
    assert.ok(!holder.isRunning, "the lease that it cannot keep is presumed to have ended");
    const tookMs = await field.untilHeld(others(holder));
    assert.ok(tookMs < HANDOVER_MS - LEASE_MS + lateMs, `${tookMs} ms`);
    holder.node.isCut = false;
    await field.run(20_000);
    assert.notEqual(field.holder(), holder);
    field.check();
  }
});

test("an owner that keeps its lease but cannot journal anything hands the task over", async () => {
  const field = openField(8, 3);
  const holder = await held(field);
  await field.run(3000);
  holder.node.isLogCut = true;
  const tookMs = await field.untilHeld(others(holder));
  assert.ok(tookMs < HANDOVER_MS, `${tookMs} ms`);
  holder.node.isLogCut = false;
  await field.run(10_000);
  assert.notEqual(field.holder(), holder);
  field.check();
});

test("while the store is not reachable no node gets the task, and afterwards one does", async () => {
  const field = openField(5, 2);
  for (const { node } of field.nodes) {
    node.restart();
    node.isCut = true;
  }
  await field.run(20_000);
  assert.equal(field.holder(), undefined);
  assert.ok(field.nodes.every(({ starts }) => starts === 0));
  assert.match(field.nodes[0]?.node.roles.troubles()[PROBE] ?? "", /cannot be reached/);
  for (const { node } of field.nodes) node.isCut = false;
  assert.ok((await field.untilHeld(any)) < 5000);
  await field.run(1500);
  assert.deepEqual(field.holder()?.node.roles.troubles(), {});
});

test("when the store loses the lease, two request the task; the journal grants it to one at a time", async () => {
  const field = openField(6, 3);
  for (let round = 0; round < 5; round++) {
    await held(field);
    field.world.leases.forget(PROBE);
    await field.run(4000);
  }
  await held(field);
  const { grants } = field.check();
  assert.ok(grants > 1, `${grants} grants`);
});

test("nodes that start prepare the journal one after another, even if one dies of it", async () => {
  const { world, run } = openField(9, 1);
  const under = { now: 0, done: 0 };
  const start = (life: Life, act: () => Promise<void>): Promise<void> => {
    const { leases, schedule, dice } = world;
    return inTurn(new LeaseLine(leases, schedule, life, dice), "start", roleWorld(schedule, life, dice), act);
  };
  const prepare = async (): Promise<void> => {
    assert.equal(under.now++, 0, "one at a time");
    await world.schedule.pause(500);
    under.now--;
    under.done++;
  };
  const mortal = new Life();
  void start(mortal, () => new Promise(() => {}));
  await run(100);
  mortal.alive = false;
  const rest = Promise.all([1, 2, 3].map(() => start(new Life(), prepare)));
  await run(LEASE_MS + 5000);
  await rest;
  assert.equal(under.done, 3);
});

test("a node with a reason against it does not request the task", async () => {
  const field = openField(7, 2);
  const [first, second] = field.nodes as [ProbeNode, ProbeNode];
  for (const each of field.nodes) {
    each.whyNot = "no key";
    each.node.restart();
  }
  await field.run(5000);
  assert.equal(field.holder(), undefined);
  assert.deepEqual(first.node.roles.troubles(), { [PROBE]: "no key" });
  second.whyNot = "";
  await field.untilHeld(others(first));
});

/** An owner that was suspended resumes while another one owns the task, again and again. */
async function lateActs(spoil: (engine: Engine) => void): Promise<number> {
  let refused = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const field = openField(seed, 3, spoil);
    for (let round = 0; round < 4; round++) {
      const holder = await held(field);
      holder.node.pause();
      await field.untilHeld(others(holder));
      holder.node.resume();
      await field.run(2500);
    }
    refused += field.check().refused;
  }
  return refused;
}

/** A node is suspended between lease and grant; it requests the grant after another node got it. */
async function lateGrants(spoil: (engine: Engine) => void): Promise<number> {
  let refused = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const field = openField(seed, 3, spoil);
    const { leases } = field.world;
    (await held(field)).node.kill();
    while (leases.lastTaker?.alive === false) await field.run(1);
    const taker = field.nodes.find(({ node }) => node.process.life === leases.lastTaker) ?? assert.fail();
    taker.node.pause();
    await field.untilHeld(others(taker));
    taker.node.resume();
    await field.run(3000);
    field.check();
    refused += lateGrantsIn(field);
  }
  return refused;
}

test("planted: an engine that does not check fencing tokens, or does not compare grants, is found", async () => {
  assert.ok((await lateActs(() => {})) > 0);
  await assert.rejects(lateActs(actsUnchecked), /an act is of the last grant/);
  assert.ok((await lateGrants(() => {})) > 0);
  await assert.rejects(lateGrants(grantsUncompared), /a grant follows/);
});

function lateGrantsIn({ world }: Field): number {
  const commands = world.log.rows.flatMap(({ bytes, count }) => decodeCommands(bytes, count));
  const afters = commands.flatMap((command) => (command.type === "grantRole" ? [command.after] : []));
  return afters.length - new Set(afters).size;
}
