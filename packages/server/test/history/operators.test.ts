/** History follows whatever operators do, and what was refused as no act at all: the journal keeps both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine, type ProposedAct } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { batchesOf, START_MS } from "@pricetime/testkit/journal";
import { ModelExchange } from "@pricetime/testkit/models";
import { makeWorld, VENUE_MAKERS } from "@pricetime/testkit/workload";
import { rebuiltHistory } from "./rebuilt-history.ts";

const SEED = 3;
const COMMANDS = 600;
const AUTHOR = "operator:ann";

/** Acts that the engine refuses, each with an account that is none. */
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
