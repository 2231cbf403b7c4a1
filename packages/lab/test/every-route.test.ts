/** Both libraries can do whatever the lab's admin API can; the list comes from the API's own description. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import type { LabExchange } from "@pricetime/lab";
import { type RequestRecorder, labOperations, recordRequests, notReached } from "@pricetime/testkit/lab-routes";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { skipUnless } from "@pricetime/testkit/skip";
import { LabAgents, LabMarket, LabReplays } from "../src/client/market.ts";
import { LabCheckpoints, LabClock } from "../src/client/clock.ts";
import { LabFaults, LabLatency } from "../src/client/faults.ts";
import { LabScenario, LabWatch } from "../src/client/watch.ts";
import { RunningLab, type RunningNode } from "../src/start/exchange.ts";
import { startInProcess } from "../src/start/in-process.ts";

const SYMBOL = "BTCUSDT";
const TRADES = [
  "7001,95000.01,0.25000,23750.00,1768392000000,False,True",
  "7002,95000.02,0.10000,9500.00,1768392060000,False,True",
];
const PYTHON_CALLS = join(import.meta.dirname, "every_route.py");
const PYTHON_MS = 120_000;
const skip = skipUnless(spawnSync("python3", ["--version"]).status === 0, "python3 is not installed");

interface Heard {
  /** Records the requests to its admin API. */
  readonly node: RunningNode;
  readonly ear: RequestRecorder;
  readonly operations: readonly string[];
  /** A file of recorded trades. */
  readonly trades: string;
}

/** A lab with bots, whose requests are recorded. */
async function startHeard(t: TestContext): Promise<Heard> {
  const node = await startInProcess({ clock: "manual", seed: 1, bots: "on", limits: "on" });
  const ear = await recordRequests(node.admin);
  inTheEnd(t, ear.close);
  inTheEnd(t, () => node.stop());
  const operations = await labOperations(node.admin);
  assert.ok(operations.length > 30, operations.join());
  const trades = join(scratchFolder(t), "trades.csv");
  writeFileSync(trades, TRADES.map((line) => `${line}\n`).join(""));
  return { node: { ...node, admin: ear.url, stop: async () => {} }, ear, operations, trades };
}

function checkAllReached({ operations, ear }: Heard): void {
  assert.deepEqual(notReached(operations, ear.asked), []);
  assert.deepEqual(ear.refused, []);
}

/** Calls everything in the library, by its public types only. `every_route.py` does the same. */
async function callAll(exchange: LabExchange, file: string): Promise<void> {
  const { clock, faults, latency, agents, replays, watch, scenario, checkpoints } = exchange;
  await clock.set({ mode: "manual" });
  await clock.advance(60_000);
  await clock.interrupt();
  const client = await clock.join("one");
  assert.deepEqual(await clock.clients(), ["one"]);
  await client.until((await clock.now()) + 1000);
  await client.leave();

  await exchange.setBalances("alice", { USDT: "5" });
  const market = exchange.market(SYMBOL);
  const { id } = (await market.halt({ inMs: 60_000 })) as { readonly id: number };
  await market.clear(id);
  await market.halt({ inMs: 70_000 });
  await market.clear();
  assert.equal((await market.state()).status, "TRADING");
  assert.ok((await exchange.markets()).some(({ symbol, driver }) => symbol === SYMBOL && driver !== null));

  const group = await agents.add({ type: "noise", symbol: SYMBOL });
  await agents.turnOff(group);
  assert.equal((await agents.list()).length, 1);
  await agents.remove(group);
  const replay = await replays.play({ symbol: SYMBOL, files: [file] });
  await replays.pause(replay);
  await replays.step(replay);
  assert.equal((await replays.list()).length, 1);
  await replays.remove(replay);

  await faults.remove(await faults.add({ fault: "delay", ms: 5 }));
  assert.deepEqual(await faults.list(), []);
  await faults.remove();
  await latency.set({ answer: { ms: 1 } });
  await latency.set({});
  assert.deepEqual(await latency.state(), {});

  await exchange.checkpoint("one");
  await exchange.restore("one");
  await checkpoints.import("two", await checkpoints.export("one"));
  await checkpoints.show("two");
  await checkpoints.delete("two");
  assert.deepEqual(
    (await checkpoints.list()).map(({ name }) => name),
    ["one"],
  );
  await exchange.takeStart();
  await exchange.reset();

  await watch.begin({ accounts: ["alice"], symbols: [SYMBOL] });
  assert.notDeepEqual((await watch.look()).records, []);
  await watch.end();
  await scenario.tell({ name: "mine", hash: "0123abcd", startMs: 0, endMs: 1, timeline: [], asserts: [] });
  assert.equal((await scenario.state())?.name, "mine");
  await scenario.end();
  assert.equal(await scenario.state(), null);
}

test("each operation of the lab is reached by a method of the library", async (t) => {
  const heard = await startHeard(t);
  const exchange = new RunningLab(heard.node, { seed: 1, repeat: "" });
  inTheEnd(t, () => exchange.stop());
  await callAll(exchange, heard.trades);
  checkAllReached(heard);
});

test("each operation of the lab is reached by a method of the library for Python", { skip }, async (t) => {
  const heard = await startHeard(t);
  const { whyGone: _, stop: __, ...address } = heard.node;
  await python([heard.trades], { LAB_ADDRESS: JSON.stringify(address) });
  checkAllReached(heard);
});

/** Runs the calls; rejects with Python's message. Without arguments it prints the names of all methods. */
async function python(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const library = join(import.meta.dirname, "../python");
  const env = { ...own, PYTHONPATH: library, PYTHONDONTWRITEBYTECODE: "1", ...more };
  const options = { env, timeout: PYTHON_MS };
  const { stdout } = await promisify(execFile)("python3", ["-W", "error", PYTHON_CALLS, ...args], options);
  return stdout;
}

/** The names of the library's classes in Python. */
const CLASSES: Readonly<Record<string, { readonly prototype: object }>> = {
  Exchange: RunningLab,
  Clock: LabClock,
  Market: LabMarket,
  Faults: LabFaults,
  Latency: LabLatency,
  Agents: LabAgents,
  Replays: LabReplays,
  Watch: LabWatch,
  Scenario: LabScenario,
  Checkpoints: LabCheckpoints,
};
/** What has another name in Python, and why. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  // A keyword of the language.
  "Checkpoints.import": "Checkpoints.import_file",
  // Arguments in both libraries; in JavaScript they are methods of the exchange.
  "Checkpoints.make": "Exchange.checkpoint",
  "Checkpoints.restore": "Exchange.restore",
  "Checkpoints.reset": "Exchange.reset",
  "Checkpoints.take_start": "Exchange.take_start",
};

test("what a method is called in JavaScript it is called in Python, in snake case", { skip }, async () => {
  const there = JSON.parse(await python([])) as readonly string[];
  const wanted = Object.entries(CLASSES).flatMap(([kind, { prototype }]) =>
    Object.getOwnPropertyNames(prototype)
      .filter((name) => name !== "constructor")
      .map((name) => `${kind}.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`),
  );
  assert.ok(wanted.includes("Agents.turn_off") && wanted.includes("Exchange.take_start"), wanted.join());
  const missing = wanted.map((name) => OTHER_NAMES[name] ?? name).filter((name) => !there.includes(name));
  assert.deepEqual(missing, []);
});
