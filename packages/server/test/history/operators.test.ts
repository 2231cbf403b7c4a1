/** History follows all actions of operators, also rejected ones: the journal contains both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine, type ProposedAct } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { placeOrder } from "@pricetime/testkit/commands";
import { batchesOf, BY, setup, START_MS } from "@pricetime/testkit/journal";
import { ModelExchange } from "@pricetime/testkit/models";
import { makeWorld, VENUE_MAKERS } from "@pricetime/testkit/workload";
import { rebuiltHistory } from "./rebuilt-history.ts";

const SEED = 3;
const COMMANDS = 600;
const AUTHOR = "operator:ann";

/** Actions that the engine rejects, each with an account that does not exist. */
const NO_ACTS: readonly object[] = [
  ...[{}, [], null, "100", 1.5, 2 ** 60, -0.1, true].map((accountId) => ({
    type: "noteAccount",
    accountId,
    text: "a",
  })),
  { type: "listAsset", asset: {}, accountId: { type: 0 } },
];

function randomHistory(): Command[] {
  const dice = new Dice(SEED);
  const world = makeWorld(dice);
  const model = new ModelExchange();
  const commands = [...world.opening];
  for (const command of commands) model.apply(START_MS, command);
  for (let i = 0; i < COMMANDS; i++) {
    const command = dice.weighted(VENUE_MAKERS)(dice, world, model);
    model.apply(START_MS + i, command);
    commands.push(command);
  }
  return commands;
}

test("acts of operators stand in history, whatever was proposed", () => {
  const odd = NO_ACTS.map((act, at): Command => {
    const proposalId = String(at).padStart(32, "9");
    return { type: "propose", by: AUTHOR, proposalId, act: { ...act, by: AUTHOR } as unknown as ProposedAct, why: "a" };
  });
  const commands = [...randomHistory(), ...odd];
  const { database } = rebuiltHistory(batchesOf(SEED, commands, new Engine()));
  const acts = database.prepare("SELECT account_id AS account, outcome FROM operator_acts ORDER BY seq").all();
  assert.equal(acts.length, commands.filter((command) => "by" in command).length);
  for (const { account, outcome } of acts.slice(-odd.length)) {
    assert.equal(account, null);
    assert.notEqual(outcome, "done");
  }
  const done = acts.filter(({ outcome }) => outcome === "done");
  assert.ok(done.length > COMMANDS / 5, `only ${done.length} were done`);
  assert.ok(acts.some(({ account, outcome }) => account === 100 && outcome === "done"));
});

test("who ended which orders, and why, stands in the audit log, and in that of the account they were of", () => {
  const order = { accountId: 101, side: "BUY", priceTicks: 100, quantityLots: 100 } as const;
  const why = "a broken bot";
  const commands: Command[] = [
    ...setup(),
    placeOrder({ ...order, clientOrderId: "a" }),
    placeOrder({ ...order, clientOrderId: "b" }),
    { type: "endOrder", by: BY, orderId: 1, why },
    { type: "endOrder", by: BY, orderId: 1, why },
    { type: "endAccountOrders", by: BY, accountId: 101, why },
    { type: "endSymbolOrders", by: BY, symbol: "BTCUSDT", why },
    { type: "setDelisting", by: BY, symbol: "BTCUSDT", atMs: START_MS * 2, why },
  ];
  const { query } = rebuiltHistory(batchesOf(SEED, commands, new Engine()));
  const told = query("acts", { limit: 5 }).toReversed();
  assert.deepEqual(
    told.map(({ type, accountId, outcome }) => [type, accountId, outcome]),
    [
      ["endOrder", 101, "done"],
      ["endOrder", null, "UNKNOWN_ORDER"],
      ["endAccountOrders", 101, "done"],
      ["endSymbolOrders", null, "SYMBOL_TRADES"],
      ["setDelisting", null, "done"],
    ],
  );
  assert.ok(told.every(({ by, details }) => by === BY && details["why"] === why));
  assert.deepEqual(
    told.map(({ details }) => details["endedOrders"]),
    [1, undefined, 1, undefined, undefined],
  );
  const line = query("timeLine", { accountId: 101, kinds: ["act", "order"], limit: 10 }).rows;
  const lines = line.map(({ kind, what }) => `${kind} ${what}`).toReversed();
  assert.deepEqual(lines.slice(-4), ["order order", "order order", "act endOrder", "act endAccountOrders"]);
});
