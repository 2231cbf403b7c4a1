/** The limits on orders are journaled, and counts hold after a restart. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { journalOrderLimits } from "../../../src/program/start/prepare-journal.ts";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { startEngine } from "../../people/admin/running.ts";

test("limits are journaled when they differ from the journal's", async () => {
  const { engine, sequencer } = startEngine();
  const journal = (rules = DEFAULT_LIMITS.rules): Promise<void> => journalOrderLimits(sequencer, engine, rules, "n1");
  await Promise.all([journal(), journal()]);
  assert.deepEqual(engine.orderLimits, [
    { windowMs: 1000, limit: 10 },
    { windowMs: 86_400_000, limit: 100_000 },
  ]);
  const { seq } = engine;
  await journal();
  assert.equal(engine.seq, seq, "nothing differs");
  await journal(DEFAULT_LIMITS.rules.map((rule) => ({ ...rule, limit: 7 })));
  assert.deepEqual(
    engine.orderLimits.map(({ limit }) => limit),
    [7, 7],
  );
  await journal([]);
  assert.deepEqual(engine.orderLimits, []);
});

/** Windows of 1000 days, so that none begins during the test. */
const RULES = "limits: { rules: [{ rateLimitType: ORDERS, interval: DAY, intervalNum: 1000, limit: 4 }] }\n";
const COUNT = "x-mbx-order-count-1000d";

async function place(exchange: Exchange): Promise<readonly [status: number, count: unknown]> {
  const client = new Client(exchange.rest, exchange.accounts[0]);
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "1", quantity: "0.000001" };
  const { status, headers } = await client.signed("POST", "/api/v3/order", order);
  return [status, headers[COUNT]];
}

test("a killed node restarts with its counts", async () => {
  const folder = temporaryFolder();
  const config = join(folder, "config.yaml");
  writeFileSync(config, RULES);
  const start = (): Promise<Exchange> =>
    startExchange({ args: ["--bots", "off", "--config", config], dataFolder: join(folder, "data") });
  try {
    const first = await start();
    // Rejected by a filter; it counts nevertheless.
    assert.deepEqual(
      [await place(first), await place(first)],
      [
        [400, "1"],
        [400, "2"],
      ],
    );
    await first.kill();
    const second = await start();
    assert.deepEqual(
      [await place(second), await place(second)],
      [
        [400, "3"],
        [400, "4"],
      ],
    );
    assert.deepEqual(await place(second), [429, undefined]);
    await second.stop();
    const third = await start();
    assert.deepEqual(await place(third), [429, undefined]);
    await third.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
