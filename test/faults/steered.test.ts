/** The clock leaps, the disk is slow: the real program, with both in the hands of the test. */
import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { encode, sign } from "../client.ts";
import { fleeting, metric, resting, type Rig, scratch, startRig, until, verifyFolder } from "./rig.ts";

const HOUR_MS = 3_600_000;

interface Steered extends Rig {
  readonly folder: string;
  /** Whole or not at all: the process reads it at any moment. */
  steer(to: { clockMs?: number; commitMs?: number }): void;
}

async function steeredRig(t: TestContext): Promise<Steered> {
  const folder = scratch(t);
  const path = join(scratch(t), "steering.json");
  const steer: Steered["steer"] = ({ clockMs = 0, commitMs = 0 }) => {
    writeFileSync(`${path}.new`, JSON.stringify({ clockMs, commitMs }));
    renameSync(`${path}.new`, path);
  };
  steer({});
  process.env["TEST_STEERING_FILE"] = path;
  const rig = await startRig(t, folder, { nodeArgs: ["--import", import.meta.resolve("../steered.ts")] });
  return { ...rig, folder, steer };
}

async function serverTime({ client }: Rig): Promise<number> {
  return (await client.public<{ serverTime: number }>("/api/v3/time")).json.serverTime;
}

/** An order by a client whose clock shows that. */
async function orderAt({ client, exchange }: Rig, timestamp: number): Promise<number> {
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "20000", quantity: "0.001" };
  const payload = encode({ ...order, timeInForce: "IOC", timestamp });
  const { apiKey, secretKey } = exchange.accounts[0] as { apiKey: string; secretKey: string };
  const answer = await client.send<{ code?: number }>("POST", "/api/v3/order", {
    body: `${payload}&signature=${sign(secretKey, payload)}`,
    headers: { "X-MBX-APIKEY": apiKey },
  });
  return answer.status === 200 ? 200 : (answer.json.code ?? answer.status);
}

test("the clock leaps ahead by an hour and back again: the exchange's time never goes back", async (t) => {
  const rig = await steeredRig(t);
  assert.equal((await resting(rig.client, "before")).status, 200);
  const before = await serverTime(rig);

  rig.steer({ clockMs: HOUR_MS });
  assert.ok((await serverTime(rig)) >= before + HOUR_MS);
  assert.equal(await orderAt(rig, Date.now()), -1021, "who is an hour behind is told so");
  assert.equal(await orderAt(rig, await serverTime(rig)), 200);
  const ahead = await serverTime(rig);

  rig.steer({ clockMs: 0 });
  const stands = await serverTime(rig);
  assert.ok(stands >= before + HOUR_MS && stands <= ahead + 60_000, "it stands where the journal is");
  assert.equal(await orderAt(rig, Date.now()), -1021, "the right clock is behind the exchange's now");
  assert.equal(await orderAt(rig, await serverTime(rig)), 200, "who asks for the time trades on");
  assert.ok((await serverTime(rig)) >= stands);

  assert.equal(await rig.exchange.stop(), 0);
  verifyFolder(rig.folder);
});

test("a small step back is not noticed", async (t) => {
  const rig = await steeredRig(t);
  assert.equal(await orderAt(rig, Date.now()), 200);
  rig.steer({ clockMs: -2_000 });
  assert.equal(await orderAt(rig, Date.now()), 200);
  assert.equal(await orderAt(rig, Date.now() - 2_000), 200);
});

test("a slow disk: commands wait together and share commits, reads do not wait for them", async (t) => {
  const rig = await steeredRig(t);
  const { exchange, client } = rig;
  assert.equal((await fleeting(client)).status, 200);
  const batches = await metric(exchange, "pricetime_batch_commands_count");
  rig.steer({ commitMs: 1_500 });
  const order: string[] = [];
  const orders = Array.from({ length: 6 }, async () => {
    assert.equal((await fleeting(client)).status, 200);
    order.push("order");
  });
  await until("an order is on its way", async () => (await metric(exchange, "pricetime_requests_in_flight")) >= 6);
  assert.equal((await client.public("/api/v3/depth", { symbol: "BTCUSDT" })).status, 200);
  order.push("read");
  await Promise.all(orders);
  assert.equal(order[0], "read", "a read waited for a commit");
  assert.ok((await metric(exchange, "pricetime_batch_commands_count")) - batches <= 3, "a commit for each order");
});
