/** Parts of a scenario besides moves, faults and deposits: each is played, and its assertions hold. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { CALLS, playOf } from "./played.ts";

/** Every ten seconds an order far from the market, and a query; at the end it asks the lab who else trades. */
const WATCHER = `${CALLS}
const order = { side: "BUY", type: "LIMIT", timeInForce: "IOC", quantity: "0.001", price: "50000" };
setInterval(async () => {
  await call("POST", "/api/v3/order", order);
  await call("GET", "/api/v3/openOrders");
}, 10_000);
process.once("SIGTERM", async () => {
  const { PRICETIME_LAB: lab, PRICETIME_LAB_TOKEN: token } = process.env;
  const answer = await fetch(lab + "/v1/lab/agents", { headers: { authorization: "Bearer " + token } });
  const told = ({ type, symbol, count, trades }) => [type, symbol, count, trades > 0];
  console.log(JSON.stringify((await answer.json()).map(told)));
  process.exit(0);
});
`;

/** A recording of two trades, a second apart, in the archive's columns. */
const recorded = (price: string): string =>
  [0, 1000].map((afterMs, id) => `${id + 1},${price},0.5,1,${1_768_392_000_000 + afterMs},False,True\n`).join("");

const scenarioOf = (before: string, later: string): string => `
seed: 6
symbols: [BTCUSDT, BNBUSDT, LTCUSDT]
duration: 2m
accounts: [{ name: watcher, balances: { USDT: 5000 } }]
agents: [{ type: noise, symbol: BTCUSDT, count: 2, everyMs: 5000 }]
replays: [{ symbol: BNBUSDT, files: [${before}] }]
timeline:
  - { at: 20s, fault: fail-before, name: unanswered, where: { endpoint: /api/v3/openOrders, account: watcher } }
  - { at: 25s, agents: { type: momentum, symbol: BTCUSDT, thresholdBps: 0, lookbackMs: 10000 } }
  - { at: 30s, order: bob, symbol: BTCUSDT, side: BUY, type: LIMIT, timeInForce: GTC, quantity: 0.01, price: 50000 }
  - { at: 40s, replay: { symbol: LTCUSDT, files: [${later}] } }
  - { at: 50s, cancel: bob, symbol: BTCUSDT }
  - { at: 55s, heal: unanswered }
  - { at: 60s, withdraw: { account: watcher, asset: USDT, amount: 1234.5 } }
  - { at: 65s, maintenance: "on" }
  - { at: 85s, maintenance: "off" }
assert:
  sometimes:
    - openOrders: { account: bob, min: 1 }
  finally:
    - price: { symbol: BNBUSDT, min: 777.7, max: 777.7 }
    - price: { symbol: LTCUSDT, min: 123.45, max: 123.45 }
    - name: nothing was struck once it was healed
      struck: { fault: unanswered, min: 4, max: 4 }
    - name: cancelled, not ended by anything else
      orders: { account: bob, status: CANCELED, min: 1, max: 1 }
    - openOrders: { account: bob, max: 0 }
    - balance: { asset: USDT, min: 3765.5, max: 3765.5 }
    - name: refused in maintenance alone
      errors: { endpoint: order.place, min: 2, max: 2 }
    - orders: { min: 10, max: 10 }
`;

test("agents, recorded markets, a cancel, a heal, a withdrawal and maintenance are where the file has them", async (t) => {
  const folder = scratchFolder(t);
  const [before, later] = [join(folder, "BNBUSDT-trades.csv"), join(folder, "LTCUSDT-trades.csv")];
  writeFileSync(before, recorded("777.70"));
  writeFileSync(later, recorded("123.45"));
  const { code, report, lines } = await playOf(t, scenarioOf(before, later), WATCHER);
  assert.equal(code, 0, lines.join("\n"));
  const [fault] = report.faults;
  assert.deepEqual([fault?.healedMs, fault?.struck], [report.startMs + 55_000, 4]);
  assert.deepEqual(JSON.parse(report.bot.said), [
    ["noise", "BTCUSDT", 2, true],
    ["momentum", "BTCUSDT", 1, true],
  ]);
});

test("latency holds from the start, and another from its point on", async (t) => {
  const bot = `${CALLS}
  setInterval(async () => {
    const sentMs = Date.now();
    const { status } = await call("GET", "/api/v3/openOrders");
    console.log(status, Date.now() - sentMs);
  }, 10_000);`;
  const scenario = `
symbols: [BTCUSDT]
market: empty
duration: 45s
accounts: [maker]
latency: { orderEntry: { ms: 40 }, answer: { ms: 60 } }
timeline:
  - { at: 25s, latency: { orderEntry: { ms: 1000 }, answer: { query: { ms: 234 } } } }
`;
  const { code, report, lines } = await playOf(t, scenario, bot);
  assert.equal(code, 0, lines.join("\n"));
  assert.deepEqual(report.bot.said.trim().split("\n"), ["200 100", "200 100", "200 1234", "200 1234"]);
});
