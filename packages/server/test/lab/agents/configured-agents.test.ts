/** Agents of the configuration (`lab.agents`): they trade from the start, are part of it, and are validated. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { operate } from "@pricetime/testkit/venue";
import { startExchange } from "../../../src/index.ts";
import { LabNode } from "../faults/lab-node.ts";

interface Told {
  readonly id: number;
  readonly type: string;
  readonly symbol: string;
  readonly accounts: readonly string[];
  readonly trades: number;
}

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

/** A configuration file with these agents. */
function fileOf(...agents: readonly object[]): string {
  const path = join(folder, `${agents.length} agents.yaml`);
  writeFileSync(path, JSON.stringify({ lab: { agents } }));
  return path;
}

const NOISE = { type: "noise", symbol: "BTCUSDT", count: 2, everyMs: 1000 };
const MOMENTUM = { type: "momentum", symbol: "ETHUSDT", thresholdBps: 0, lookbackMs: 5000 };

test("they trade from the start, and a reset brings back those of the file, at their beginning", async () => {
  const flags = { lab: true, clock: "manual", bots: "on", seed: 3, config: fileOf(NOISE, MOMENTUM) };
  const { lab } = await LabNode.startToStop(flags);
  const told = (): Promise<readonly Told[]> => lab.get("agents");
  const begun = await told();
  assert.deepEqual(
    begun.map(({ id, type, symbol, accounts, trades }) => [id, type, symbol, accounts, trades]),
    [
      [1, "noise", "BTCUSDT", ["agent-1-noise-1", "agent-1-noise-2"], 0],
      [2, "momentum", "ETHUSDT", ["agent-2-momentum"], 0],
    ],
  );
  await lab.advance(20_000);
  const first = await told();
  assert.ok(
    first.every(({ trades }) => trades > 0),
    JSON.stringify(first),
  );
  await operate(lab.demo, "DELETE", "/v1/lab/agents/1");
  await operate(lab.demo, "POST", "/v1/lab/agents", { type: "noise", symbol: "BNBUSDT" });
  assert.deepEqual(
    (await told()).map(({ id }) => id),
    [2, 3],
  );
  await operate(lab.demo, "POST", "/v1/lab/reset", {});
  assert.deepEqual(await told(), begun);
  await lab.advance(20_000);
  assert.deepEqual(await told(), first);
});

test("a lab whose file names agents that cannot be says so, and does not start", async () => {
  const start = (...agents: readonly object[]): Promise<unknown> =>
    startExchange({ lab: true, clock: "manual", port: 0, adminPort: 0, config: fileOf(...agents) });
  await assert.rejects(start(NOISE, { ...NOISE, symbol: "NONEUSDT" }), {
    message: "lab.agents[1].symbol: no bots trade NONEUSDT. Choose a symbol of the demo",
  });
  const many = { ...NOISE, count: 100 };
  await assert.rejects(start(many, many, many, many, many, NOISE), {
    message: "lab.agents: at most 500 agents are supported",
  });
});
