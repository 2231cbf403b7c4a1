/** node:test. Run it with `npx node --test bot.test.mjs`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture } from "pricetime/lab";
import { BuyCheap } from "./buy-cheap.mjs";

const symbol = "ETHUSDT";
const offer = (price, quantity) => ({ symbol, side: "SELL", type: "LIMIT", timeInForce: "GTC", price, quantity });

/** Bob offers one ether at 3000: set up once, restored for each test. */
const offered = () =>
  fixture("offered", async (exchange) => {
    await exchange.send("bob", "POST /api/v3/order", offer("3000", "1"));
  });
const botOn = (exchange, limit) =>
  new BuyCheap({ rest: exchange.rest, ...exchange.account("alice"), symbol, limit, spend: 100 });

test("the bot does not buy above its limit", async () => {
  const exchange = await offered();
  assert.equal(await botOn(exchange, 2900).look(), undefined);
});

test("the bot spends 100 USDT below its limit", async () => {
  const exchange = await offered();
  const order = await botOn(exchange, 3100).look();
  assert.equal(order.status, "FILLED");
  assert.equal(Number(order.cummulativeQuoteQty), 99.9);
});

test("each test starts with the complete offer", async () => {
  const exchange = await offered();
  const { asks } = await exchange.send(null, "GET /api/v3/depth", { symbol });
  assert.deepEqual(asks.map(Number.parseFloat), [3000]);
  assert.equal(Number(asks[0][1]), 1);
});

test("the bot finds an executed order after a 504", async () => {
  const exchange = await offered();
  await exchange.faults.add({ fault: "fail-after", where: { endpoint: "order.place" }, count: 1 });
  const order = await botOn(exchange, 3100).look();
  assert.equal(order.status, "FILLED");
  assert.equal((await exchange.faults.list())[0].struck, 1);
});
