/**
 * A Python bot that knows nothing of the lab trades for an hour (HELD_CANDLES minutes), while every fifth order's
 * answer is lost; `lab run` reports for it when it is done. It ends well, and what it was told of each order matches
 * what happened to it.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { test } from "node:test";
import { startExchange } from "@pricetime/lab";
import { skipUnless } from "@pricetime/testkit/skip";
import { PRICETIME, ROOT } from "@pricetime/testkit/venue";

const BOT = "examples/lab/follow_candles.py";
/** An hour, or less in CI. */
const CANDLES = Number(process.env["HELD_CANDLES"] ?? 60);
const MINUTE_MS = 60_000;
const PATIENCE_MS = 900_000;
/** Only Debian's own Python has Debian's packages; the one on the path may be another. */
const PYTHON = ["/usr/bin/python3", "python3"].find(
  (each) => spawnSync(each, ["-c", "import requests, websockets"]).status === 0,
);
const skip = skipUnless(PYTHON !== undefined, "no Python with requests and websockets is installed");

test(`a bot in Python lives through ${CANDLES} minutes in lock step`, { skip }, async (t) => {
  const options = { bots: "on", seed: 3, limits: "off", timing: "off", symbols: ["BTCUSDT"], process: true } as const;
  const exchange = await startExchange(options);
  t.after(() => exchange.stop());
  const where = { account: "alice", endpoint: "order.place" };
  await exchange.faults.add({ fault: "fail-after", where, every: 5 });
  await exchange.faults.add({ fault: "fail-before", where, every: 7 });
  const beginMs = await exchange.clock.now();
  const { apiKey, secretKey } = exchange.account("alice");
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const { admin, adminToken, rest, ws } = exchange;
  const run = ["lab", "run", "--admin", admin, "--token", adminToken, "--quiet", "8ms", "--"];
  const bot = [PYTHON ?? "", "-B", BOT, "--candles", String(CANDLES)];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...PRICETIME, ...run, ...bot], {
    cwd: ROOT,
    env: { ...own, EXCHANGE: rest, EXCHANGE_WS: ws, API_KEY: apiKey, SECRET_KEY: secretKey },
    timeout: PATIENCE_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  assert.equal(code, 0, output.slice(-3000));
  const livedMs = (await exchange.clock.now()) - beginMs;
  assert.ok(livedMs >= (CANDLES - 1) * MINUTE_MS && livedMs < (CANDLES + 10) * MINUTE_MS, `${livedMs} ms`);
  const struck = (await exchange.faults.list()).map((fault) => Number(fault["struck"]));
  await exchange.faults.remove();

  const told = [...output.matchAll(/^(\d+): .* (BUY|SELL) (.*)$/gm)];
  assert.ok(told.length > CANDLES / 2, output);
  const orders = await exchange.send<readonly { clientOrderId: string; status: string }[]>(
    "alice",
    "GET /api/v3/allOrders",
    { symbol: "BTCUSDT", limit: 1000 },
  );
  const became = new Map(orders.map(({ clientOrderId, status }) => [clientOrderId, status]));
  for (const [line, openedMs, , outcome] of told)
    assert.ok(outcome?.startsWith(became.get(`at-${openedMs}`) ?? "nothing"), line);
  assert.match(output, /FILLED, nobody had said so$/m);
  assert.ok(
    struck.every((count) => count > 0),
    struck.join(),
  );
  const tookMs = Math.round(performance.now() - startedMs);
  t.diagnostic(`${told.length} orders; faults struck ${struck.join(", ")}; ${tookMs} ms`);
});
