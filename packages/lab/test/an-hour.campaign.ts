/**
 * A market maker that knows nothing of the lab, unchanged except for its address, trades in lock step for an hour
 * (HELD_MINUTES) while orders are answered with 5XX, late, or not at all. It ends well, leaves nothing open, and two
 * runs are identical.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type FaultRule, startExchange } from "@pricetime/lab";

const ROOT = join(import.meta.dirname, "../../..");
const HOLD = new URL("../src/hold/hold.ts", import.meta.url).href;
const BOT = "examples/javascript/market-maker.mjs";
/** An hour, or less in CI. */
const MINUTES = Number(process.env["HELD_MINUTES"] ?? 60);
const LIFE_S = MINUTES * 60;
const LIFE_MS = LIFE_S * 1000;
const PATIENCE_MS = 600_000;
const SYMBOL = "LTCUSDT";

const orders = { account: "alice", endpoint: "order.place" };
const FAULTS: readonly FaultRule[] = [
  { fault: "fail-after", where: orders, every: 7 },
  { fault: "fail-before", where: orders, every: 11 },
  { fault: "delay", medianMs: 80, sigma: 0.7, where: { account: "alice" }, every: 2 },
  { fault: "reset", where: { account: "alice", endpoint: "order.cancel" }, every: 13 },
];

interface Life {
  readonly output: string;
  readonly struck: readonly number[];
  readonly tookMs: number;
  readonly trades: number;
  readonly hash: string;
}

async function life(t: TestContext): Promise<Life> {
  const exchange = await startExchange({ bots: "on", seed: 3, limits: "off", symbols: [SYMBOL], process: true });
  t.after(() => exchange.stop());
  for (const fault of FAULTS) await exchange.faults.add(fault);
  const beginMs = await exchange.clock.now();
  const { apiKey, secretKey } = exchange.account("alice");
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const startedMs = performance.now();
  const child = spawn(process.execPath, ["--import", HOLD, BOT, "--seconds", String(LIFE_S)], {
    cwd: ROOT,
    env: { ...own, ...exchange.environment("market-maker"), API_KEY: apiKey, SECRET_KEY: secretKey },
    timeout: PATIENCE_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  const tookMs = performance.now() - startedMs;
  assert.equal(code, 0, output.slice(-3000));
  const livedMs = (await exchange.clock.now()) - beginMs;
  assert.ok(livedMs >= LIFE_MS && livedMs < LIFE_MS + 60_000, `${livedMs} ms`);
  const struck = (await exchange.faults.list()).map((fault) => Number(fault["struck"]));
  await exchange.faults.remove();
  assert.deepEqual(await exchange.send("alice", "GET /api/v3/openOrders", { symbol: SYMBOL }), []);
  const trades = await exchange.send<unknown[]>("alice", "GET /api/v3/myTrades", { symbol: SYMBOL, limit: 1000 });
  const { hash } = await exchange.checkpoint("the-end");
  await exchange.stop();
  return { output, struck, tookMs, trades: trades.length, hash };
}

test(`${MINUTES} minutes of market with 5XX, lost answers and delays, twice the same to the hash`, async (t) => {
  const first = await life(t);
  t.diagnostic(`${Math.round(first.tookMs)} ms, ${first.trades} trades; faults struck ${first.struck.join(", ")}`);
  assert.ok(
    first.struck.every((count) => count > 0),
    first.struck.join(),
  );
  assert.ok(first.trades > 0);
  assert.match(first.output, / 504 -1007 /);
  assert.match(first.output, /fetch failed/);
  assert.match(first.output, /all orders canceled; position/);
  const second = await life(t);
  assert.equal(second.output, first.output);
  assert.deepEqual(second.struck, first.struck);
  assert.equal(second.hash, first.hash);
});
