/** A lab that is restarted on its folder continues with its state besides the journal. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LAB_STATE_FILE } from "../../src/lab/lab.ts";
import { jsonIn } from "../program/cli/command-line.ts";
import { type RunningLab, startLab } from "./checkpoints/running-lab.ts";

interface Market {
  readonly status: string;
  readonly scheduled: readonly unknown[];
}

const marketOf = (lab: RunningLab, symbol: string): Promise<Market> => lab.ask("GET", `/v1/lab/markets/${symbol}`);
const advance = (lab: RunningLab, ms: number): Promise<unknown> => lab.ask("POST", "/v1/lab/clock/advance", { ms });

/** Its state. */
async function held(lab: RunningLab): Promise<unknown> {
  const asked = ["markets/BTCUSDT", "markets/ETHUSDT", "latency", "faults", "clock"];
  return Promise.all(asked.map((path) => lab.ask("GET", `/v1/lab/${path}`)));
}

test("moves, faults, latency and the clock outlast a clean stop; after a kill they are those of the last checkpoint", async (t) => {
  const lab = await startLab(t);
  const { folder: data } = lab;
  await lab.ask("POST", "/v1/lab/latency", { marketData: { samplesMs: [3, 4] } });
  await lab.ask("POST", "/v1/lab/faults", { fault: "reply", code: -1003, where: { endpoint: "ping" }, skip: 1 });
  await lab.ask("POST", "/v1/lab/markets/BTCUSDT", { halt: true, inMs: 60_000 });
  await lab.ask("POST", "/v1/lab/markets/ETHUSDT", { halt: true, inMs: 3_000 });
  for (const status of [200, 429]) assert.equal((await fetch(`${lab.rest}/api/v3/ping`)).status, status);
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "here" });
  const atCheckpoint = readFileSync(join(data, LAB_STATE_FILE));
  await advance(lab, 5_000);
  assert.equal((await marketOf(lab, "ETHUSDT")).status, "HALT");
  // Done and undone: it must not happen again.
  await lab.ask("POST", "/v1/lab/markets/ETHUSDT", { resume: true });
  const before = await held(lab);
  await lab.stop();

  const again = await startLab(t, { data });
  assert.deepEqual(await held(again), before);
  assert.equal((await fetch(`${again.rest}/api/v3/ping`)).status, 429, "what the fault has met counts");
  await advance(again, 60_000);
  assert.equal((await marketOf(again, "BTCUSDT")).status, "HALT");
  await again.ask("POST", "/v1/lab/faults", { fault: "skew", ms: 5 });
  await again.stop();

  writeFileSync(join(data, LAB_STATE_FILE), atCheckpoint);
  const killed = await startLab(t, { data });
  assert.equal((await killed.ask<unknown[]>("GET", "/v1/lab/faults")).length, 1);
  assert.deepEqual((await marketOf(killed, "ETHUSDT")).scheduled, []);
  await advance(killed, 10);
  assert.equal((await marketOf(killed, "ETHUSDT")).status, "TRADING");
  await killed.stop();

  for (const text of ["{", "null", '{"seq":0,"nowMs":0,"markets":{},"faults":null,"latency":null}']) {
    writeFileSync(join(data, LAB_STATE_FILE), text);
    await assert.rejects(startLab(t, { data }), /lab-kept\.json is damaged\. Remove it/, text);
  }
});

test("the journal of a lab's folder says where it was cut", async (t) => {
  const lab = await startLab(t);
  const verify = (): Promise<Record<string, unknown>> => jsonIn(lab.folder, "journal verify");
  const { seq } = await lab.ask("POST", "/v1/lab/checkpoints", { name: "here" });
  assert.equal((await verify())["cuts"], undefined);
  const { email } = lab.accounts[0]!;
  for (const USDT of ["1", "2"]) {
    await lab.ask("POST", `/v1/lab/accounts/${email}/balances`, { USDT });
    await lab.ask("POST", "/v1/lab/checkpoints/here/restore");
  }
  const { cuts, lastCut, verdict } = await verify();
  assert.deepEqual([cuts, lastCut, verdict], [2, `from command ${Number(seq) + 1} to ${String(seq)}`, "sound"]);
});
