/** vitest, which runs files called `*.test.mjs`: copy it as `bot.test.mjs`. */
import { fixture } from "pricetime/lab";
import { expect, test } from "vitest";
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
  expect(await botOn(exchange, 2900).look()).toBeUndefined();
});

test("the bot spends 100 USDT below its limit", async () => {
  const exchange = await offered();
  expect(await botOn(exchange, 3100).look()).toMatchObject({ status: "FILLED" });
});

test("each test starts with the complete offer", async () => {
  const exchange = await offered();
  const { asks } = await exchange.send(null, "GET /api/v3/depth", { symbol });
  expect(asks.map(([price, quantity]) => [Number(price), Number(quantity)])).toEqual([[3000, 1]]);
});

test("the bot finds an executed order after a 504", async () => {
  const exchange = await offered();
  await exchange.faults.add({ fault: "fail-after", where: { endpoint: "order.place" }, count: 1 });
  expect(await botOn(exchange, 3100).look()).toMatchObject({ status: "FILLED" });
  expect(await exchange.faults.list()).toMatchObject([{ struck: 1 }]);
});
