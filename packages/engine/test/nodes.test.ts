/**
 * Batches of several nodes and the tasks that each owns: tables of the rules, and random histories compared with a
 * model.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AsHolder,
  decodeCommands,
  encodeCommands,
  Engine,
  type ExchangeCommand,
  innerCommand,
  MalformedBytes,
  type NodeBatch,
} from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { makeWorld, NODE_MAKERS, randomCommand } from "@pricetime/testkit/workload";
import { MAX_NODES, MAX_ROLES } from "../src/limits.ts";
import { BY, TestExchange } from "./harness.ts";
import { Comparison } from "./random/comparison.ts";

const A = "a".repeat(16);
const B = "b".repeat(16);
const C = "c".repeat(16);

function header(changed: Partial<NodeBatch> = {}): NodeBatch {
  const first = { incarnation: A, replaces: "", number: 1, atSeq: 0, digest: "0".repeat(16), release: "0.2.0" };
  return { type: "nodeBatch", node: "n1", ...first, ...changed };
}

/** The result of the view and of the command, which must agree. */
function answer(exchange: TestExchange, command: NodeBatch): string {
  const reason = exchange.engine.nodes.refusal(command);
  assert.equal(exchange.engine.nodes.accepts(command), reason === null);
  const before = exchange.engine.nodes.node(command.node);
  assert.equal(exchange.answer(command), reason ?? "done");
  if (reason !== null) assert.deepEqual(exchange.engine.nodes.node(command.node), before);
  return reason ?? "done";
}

test("a process numbers its batches in ascending order; its successor names the process that it replaces", () => {
  const exchange = new TestExchange();
  const steps: readonly (readonly [Partial<NodeBatch>, string])[] = [
    [{ replaces: B }, "STALE_BATCH"],
    [{}, "done"],
    [{}, "STALE_BATCH"],
    [{ number: 2 }, "done"],
    [{ number: 1 }, "STALE_BATCH"],
    [{ number: 5 }, "done"],
    [{ number: 4 }, "STALE_BATCH"],
    // This process had not seen the first one.
    [{ incarnation: B }, "STALE_BATCH"],
    [{ incarnation: B, replaces: C }, "STALE_BATCH"],
    [{ incarnation: B, replaces: A, release: "0.3.0" }, "done"],
    // The first process resumes.
    [{ number: 6 }, "STALE_BATCH"],
    [{ incarnation: B, replaces: A, number: 2 }, "done"],
    [{ incarnation: C, replaces: A }, "STALE_BATCH"],
    [{ incarnation: C, replaces: B, number: 9 }, "done"],
    [{ incarnation: B, replaces: A, number: 3 }, "STALE_BATCH"],
    // A batch of another node.
    [{ node: "n2", incarnation: B }, "done"],
  ];
  for (const [changed, expected] of steps)
    assert.equal(answer(exchange, header(changed)), expected, JSON.stringify(changed));
  assert.deepEqual(
    [...exchange.engine.nodes.all()],
    [
      { node: "n1", incarnation: C, number: 9, release: "0.2.0" },
      { node: "n2", incarnation: B, number: 1, release: "0.2.0" },
    ],
  );
});

test("a malformed header is rejected", () => {
  const exchange = new TestExchange();
  for (const changed of [
    { node: "" },
    { node: "a/b" },
    { node: "n".repeat(65) },
    { incarnation: "A".repeat(16) },
    { replaces: "a" },
    { number: 0 },
    { digest: "" },
    { release: "" },
    { release: "x".repeat(65) },
  ]) {
    assert.equal(answer(exchange, header(changed)), "INVALID_VALUE", JSON.stringify(changed));
  }
  assert.deepEqual([...exchange.engine.nodes.all()], []);
});

test("the numbers of nodes and roles are limited", () => {
  const exchange = new TestExchange();
  for (let i = 0; i < MAX_NODES; i++) assert.equal(exchange.answer(header({ node: `n${i}` })), "done");
  assert.equal(answer(exchange, header({ node: "more" })), "TOO_MANY");
  assert.equal(answer(exchange, header({ number: 2 })), "done");
  const grant = { type: "grantRole", node: "n1", incarnation: A, after: 0 } as const;
  for (let i = 0; i < MAX_ROLES; i++) assert.equal(exchange.answer({ ...grant, role: `${i}` }), "roleGranted");
  assert.equal(exchange.answer({ ...grant, role: "more" }), "TOO_MANY");
  assert.equal(exchange.answer({ ...grant, role: "1", after: 1 }), "roleGranted");
  exchange.engine.checkInvariants();
});

test("a task is granted to the first request after the last grant, and only the current number is accepted", () => {
  const exchange = new TestExchange();
  const grant = (incarnation: string, after: number): string =>
    exchange.answer({ type: "grantRole", role: "mail", node: "n1", incarnation, after });
  const act = (number: number, role = "mail"): string =>
    exchange.answer({ type: "asHolder", role, number, command: { type: "setMaintenance", by: BY, isOn: true } });
  assert.equal(act(0), "ROLE_TAKEN");
  assert.equal(act(1), "ROLE_TAKEN");
  assert.equal(grant(A, 1), "ROLE_TAKEN");
  assert.equal(grant(A, 0), "roleGranted");
  assert.equal(grant(B, 0), "ROLE_TAKEN");
  assert.equal(act(1), "maintenanceChanged");
  assert.equal(grant(B, 1), "roleGranted");
  assert.equal(act(1), "ROLE_TAKEN");
  assert.equal(act(3), "ROLE_TAKEN");
  assert.equal(act(2), "maintenanceChanged");
  assert.equal(act(2, "bots"), "ROLE_TAKEN");
  assert.equal(grant("?", 2), "INVALID_VALUE");
  exchange.restart();
  assert.deepEqual(exchange.engine.nodes.role("mail"), { role: "mail", node: "n1", incarnation: B, number: 2 });
  assert.equal(act(2), "maintenanceChanged");
});

test("the result of a task owner's command is that of the inner command", () => {
  const [plain, held] = [new TestExchange(), new TestExchange()];
  for (const exchange of [plain, held]) {
    exchange.listAssets(["BTC", 8]);
    exchange.openAccount("a@example.org");
    exchange.run({ type: "grantRole", role: "bots", node: "n1", incarnation: A, after: 0 });
  }
  const deposit = { type: "deposit", by: BY, accountId: 100, asset: "BTC", amount: "1", reference: "r" } as const;
  const acts: readonly ExchangeCommand[] = [
    deposit,
    deposit,
    { ...deposit, amount: "-" },
    { ...deposit, accountId: "100" as never },
    { type: "openListenKey", accountId: 100, listenKey: "k" },
    { type: "tick" },
    { type: "cancelOrder", accountId: 100, symbolId: 9, orderId: 1, origClientOrderId: "", newClientOrderId: "c" },
  ];
  for (const command of acts) {
    const wrapped: AsHolder = { type: "asHolder", role: "bots", number: 1, command };
    assert.equal(innerCommand(wrapped), command);
    assert.deepEqual(held.run(wrapped), plain.run(command), JSON.stringify(command));
  }
  assert.equal(held.engine.eventDigest(), plain.engine.eventDigest());
  assert.deepEqual(held.engine.snapshot(), plain.engine.snapshot());
});

test("a task owner's command cannot contain nested commands or node commands", () => {
  const exchange = new TestExchange();
  exchange.run({ type: "grantRole", role: "bots", node: "n1", incarnation: A, after: 0 });
  const tick: AsHolder = { type: "asHolder", role: "bots", number: 1, command: { type: "tick" } };
  const [good] = [encodeCommands([tick])];
  for (const inner of [
    tick,
    header(),
    { type: "grantRole", role: "x", node: "n1", incarnation: A, after: 0 },
  ] as const) {
    const nested = { ...tick, command: inner as never };
    assert.equal(exchange.answer(nested), "INVALID_VALUE", inner.type);
    assert.throws(() => encodeCommands([nested]), /carries/);
    const bytes = [...good.subarray(0, -2), ...encodeCommands([inner])];
    assert.throws(() => decodeCommands(Uint8Array.from(bytes), 1), MalformedBytes);
  }
  // Nested commands are rejected at the first level.
  const heads = Array.from({ length: 100_000 }, () => [...good.subarray(0, -2)]).flat();
  assert.throws(() => decodeCommands(Uint8Array.from(heads), 1), MalformedBytes);
});

test("rules version 1 has roles, too", () => {
  const digests = [1, 3].map((edition) => {
    const exchange = new TestExchange(edition);
    const before = exchange.engine.eventDigest();
    exchange.run({ type: "grantRole", role: "mail", node: "n1", incarnation: A, after: 0 });
    return exchange.engine.eventDigest() !== before;
  });
  assert.deepEqual(digests, [true, true]);
});

test("random histories of nodes, roles and orders agree with the model, after a restart as well", () => {
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= 12; seed++) {
    const dice = new Dice(seed);
    const world = makeWorld(dice);
    const comparison = new Comparison();
    let timeMs = 1_700_000_000_000;
    for (const command of world.opening) comparison.step(timeMs, command);
    for (let i = 0; i < 150; i++) {
      timeMs += dice.below(2_000);
      const make = dice.oneIn(3) ? randomCommand : dice.weighted(NODE_MAKERS);
      const command = make(dice, world, comparison.model);
      const accepted = command.type === "nodeBatch" && comparison.fast.nodes.accepts(command);
      const [first] = comparison.step(timeMs, command);
      const outcome = first?.kind === "refused" ? first.reason : "done";
      if (command.type === "nodeBatch") assert.equal(accepted, outcome === "done", `seed ${seed}`);
      const kind = `${command.type} ${outcome}`;
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    assertSame(comparison);
  }
  for (const kind of ["nodeBatch done", "nodeBatch STALE_BATCH", "grantRole done", "grantRole ROLE_TAKEN"]) {
    assert.ok((outcomes.get(kind) ?? 0) > 30, `${kind}: ${outcomes.get(kind)}`);
  }
  for (const kind of ["asHolder done", "asHolder ROLE_TAKEN"]) assert.ok((outcomes.get(kind) ?? 0) > 50, kind);
});

/** A replay from bytes and a snapshot lead to the same state, and the view agrees with the model. */
function assertSame({ fast, entries, model }: Comparison): void {
  const restored = Engine.restore(fast.snapshot());
  const replayed = new Engine();
  for (const { seq, timeMs, command } of entries) {
    replayed.apply({ seq, timeMs, command: decodeCommands(encodeCommands([command]), 1)[0]! });
  }
  for (const other of [restored, replayed]) {
    assert.equal(other.eventDigest(), fast.eventDigest());
    assert.deepEqual(other.stateHash(), fast.stateHash());
    assert.deepEqual([...other.nodes.all()], [...fast.nodes.all()]);
    assert.deepEqual([...other.nodes.roles()], [...fast.nodes.roles()]);
    other.checkInvariants();
  }
  for (const { node, incarnation, number, release } of fast.nodes.all()) {
    const last = model.nodes.batches.findLast((batch) => batch.node === node)!;
    assert.deepEqual([last.incarnation, last.number, last.release], [incarnation, number, release]);
  }
  for (const { role, node, incarnation, number } of fast.nodes.roles()) {
    const grants = model.nodes.grants.filter((grant) => grant.role === role);
    assert.deepEqual([grants.at(-1)!.node, grants.at(-1)!.incarnation, grants.length], [node, incarnation, number]);
  }
}
