/**
 * Clients in Python and Go, with what Debian carries: each places and cancels, trades, listens to a market's stream and
 * its own, and withdraws with a name that holds what signatures stumble over. Where a language is absent its test is skipped.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { skipUnless } from "@pricetime/testkit/skip";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { buildGo, hasGo, type Program, python, runClient, type Seen, type Task } from "./foreign.ts";

/** It makes no block, so that a withdrawal stays where an operator sees it. */
const NETWORK = "DOGE";

let exchange: Exchange;
let folder = "";
before(async () => {
  folder = temporaryFolder();
  const config = join(folder, "config.yaml");
  writeFileSync(config, `wallet: { networks: [{ kind: sandbox, network: ${NETWORK}, blockMs: 0 }] }\n`);
  exchange = await startExchange({ args: ["--bots", "off", "--config", config] });
});
after(async () => {
  assert.equal(await exchange.stop(), 0);
  rmSync(folder, { recursive: true, force: true });
});

/** One each, so that a client sees its own trades only. */
const LTCUSDT = { symbol: "LTCUSDT", quantity: "1", price: "80.00", low: "60.00" };
const BNBBTC = { symbol: "BNBBTC", quantity: "10", price: "0.008000", low: "0.006000" };
const TRXBTC = { symbol: "TRXBTC", quantity: "1000", price: "0.00000200", low: "0.00000150" };

function taskOf(account: string, market: typeof LTCUSDT, name: string): Task {
  const { apiKey, secretKey } = exchange.accounts.find((each) => each.name === account) ?? assert.fail(account);
  const withdrawal = { coin: "DOGE", network: NETWORK, address: "D".repeat(34), amount: "100", name };
  return { rest: exchange.rest, ws: exchange.ws, apiKey, secretKey, ...market, withdrawal };
}

function operator<T>(path: string): Promise<T> {
  return operate<T>(exchange, "GET", path);
}

async function check(program: Program, task: Task): Promise<Seen> {
  const seen = await runClient(program, task);
  assert.deepEqual(seen.statuses, ["NEW", "CANCELED", "FILLED"]);
  assert.equal(Number(seen.trade), Number(task.price));
  assert.deepEqual(seen.reports.slice(0, 3), ["NEW", "CANCELED", "NEW"]);
  assert.ok(seen.reports.includes("FILLED"), seen.reports.join());
  const asked = await operator<{ name: string; address: string }>(`/v1/withdrawals/${seen.withdrawal}`);
  assert.deepEqual([asked.name, asked.address], [task.withdrawal["name"], task.withdrawal["address"]]);
  return seen;
}

const plain = python("standard_library.py");
test("Python, its standard library alone", {
  skip: skipUnless(plain !== undefined, "python3 is not installed"),
}, async () => {
  assert.ok(plain);
  await check(plain, taskOf("bob", LTCUSDT, "dave & bob @ home + 100 % = ünï"));
});

const reason = "python3 with requests and websockets is not installed";
const withRequests = python("with_requests.py", "requests", "websockets");
test("Python with requests, signing as python-binance", {
  skip: skipUnless(withRequests !== undefined, reason),
}, async () => {
  assert.ok(withRequests);
  const transfer = { toEmail: "dave@demo.pricetime", fromAccountType: "SPOT", toAccountType: "SPOT" };
  const task = taskOf("alice", BNBBTC, "dave @ home");
  await check(withRequests, { ...task, transfer: { ...transfer, asset: "BTC", amount: "0.5" } });
  const { balances } = await operator<{ balances: unknown[] }>("/v1/accounts/dave@demo.pricetime");
  assert.deepEqual(balances, [{ asset: "BTC", free: "0.50000000", locked: "0.00000000" }]);
});

test("Go with gorilla's websocket", {
  skip: skipUnless(hasGo(), "Go with gorilla's websocket is not installed"),
}, async () => {
  await check(await buildGo(folder), taskOf("carol", TRXBTC, "carol & dave @ home + 100 % = ünï"));
});
