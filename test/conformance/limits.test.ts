/** Interface 8: weights, counts, headers, 429, then 418, all as the program starts by default. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, Client } from "@pricetime/testkit/client";
import { limit, type Market, ok, openMarket, refused, SYMBOL } from "./market.ts";
import { assertShape } from "./shape.ts";
import { ERROR } from "./shapes.ts";

let market: Market;
let client: Client;
before(async () => {
  market = await openMarket([]);
  client = new Client(market.exchange.rest);
});
after(async () => {
  client.close();
  await market.close();
});

const used = (answer: Answer<unknown>): number => Number(answer.headers["x-mbx-used-weight-1m"]);

/** A window of a minute that does not end within the next seconds, so that counts do not start over. */
async function freshMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 20_000) await new Promise((done) => setTimeout(done, left + 50));
}

test("each answer tells the weight used, and each endpoint weighs what the interface says", async () => {
  await freshMinute();
  let before_ = used(await client.public("/api/v3/ping"));
  const weights: readonly (readonly [path: string, query: Record<string, string | number>, weight: number])[] = [
    ["/api/v3/ping", {}, 1],
    ["/api/v3/time", {}, 1],
    ["/api/v3/depth", { symbol: SYMBOL }, 1],
    ["/api/v3/depth", { symbol: SYMBOL, limit: 500 }, 5],
    ["/api/v3/depth", { symbol: SYMBOL, limit: 1000 }, 10],
    ["/api/v3/depth", { symbol: SYMBOL, limit: 5000 }, 50],
    ["/api/v3/trades", { symbol: SYMBOL }, 1],
    ["/api/v3/ticker/24hr", { symbol: SYMBOL }, 1],
    ["/api/v3/ticker/24hr", {}, 40],
    ["/api/v3/ticker/price", {}, 2],
    ["/api/v3/ticker/bookTicker", {}, 2],
  ];
  for (const [path, query, weight] of weights) {
    const answer = await client.public(path, query);
    assert.equal(used(answer) - before_, weight, `${path} ${JSON.stringify(query)}`);
    assert.equal(answer.headers["x-mbx-used-weight"], answer.headers["x-mbx-used-weight-1m"]);
    before_ = used(answer);
  }
  for (const [path, query, weight] of [
    ["/api/v3/account", {}, 5],
    ["/api/v3/openOrders", { symbol: SYMBOL }, 1],
    ["/api/v3/openOrders", {}, 40],
    ["/api/v3/allOrders", { symbol: SYMBOL }, 5],
    ["/api/v3/myTrades", { symbol: SYMBOL }, 5],
  ] as const) {
    const answer = await market.taker.signed("GET", path, query);
    assert.equal(used(answer) - before_, weight, path);
    before_ = used(answer);
  }
  assert.equal(used(await client.public("/api/v3/depth", { symbol: "NOSUCH" })) - before_, 1, "errors weigh too");
});

test("exchangeInfo lists the limits in force", async () => {
  const { rateLimits } = ok(await client.public<{ rateLimits: unknown[] }>("/api/v3/exchangeInfo"));
  assert.deepEqual(rateLimits, [
    { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 1200 },
    { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 1, limit: 10 },
    { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 100000 },
    { rateLimitType: "RAW_REQUESTS", interval: "MINUTE", intervalNum: 5, limit: 5000 },
  ]);
});

test("an order tells the account's order count, refused or not; a test order does not count", async () => {
  const place = (path: string): Promise<Answer> => market.taker.signed("POST", path, limit("BUY", "0.1", "40000"));
  const first = await place("/api/v3/order");
  ok(first);
  assert.match(String(first.headers["x-mbx-order-count-1s"]), /^\d+$/);
  const count = Number(first.headers["x-mbx-order-count-1d"]);
  assert.ok(count >= 1);
  ok(await place("/api/v3/order/test"));
  const tooSmall = await market.taker.signed("POST", "/api/v3/order", limit("BUY", "0.0001", "40000"));
  refused(tooSmall, 400, -1013, "Filter failure: MIN_NOTIONAL");
  assert.equal(Number(tooSmall.headers["x-mbx-order-count-1d"]), count + 1);
  assert.equal(Number((await place("/api/v3/order")).headers["x-mbx-order-count-1d"]), count + 2);
});

test("more than ten orders a second are refused with -1015", async () => {
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => market.maker.signed("POST", "/api/v3/order", limit("BUY", "0.1", "40000"))),
  );
  const over = answers.filter((answer) => answer.status === 429);
  assert.ok(over.length >= 5, `${over.length} of 25 were refused`);
  for (const answer of over) {
    refused(answer, 429, -1015, "Too many new orders; current limit is 10 orders per SECOND.");
    assert.match(String(answer.headers["retry-after"]), /^\d+$/);
  }
});

test("too much weight is 429, going on is 418, both with Retry-After", async () => {
  await freshMinute();
  const ask = (): Promise<Answer<{ code: number; msg: string }>> =>
    client.public("/api/v3/depth", { symbol: SYMBOL, limit: 5000 });
  let answer = await ask();
  for (let i = 0; i < 40 && answer.status === 200; i++) answer = await ask();
  assert.equal(answer.status, 429, answer.text);
  assert.equal(answer.json.code, -1003);
  assert.match(answer.json.msg, /current limit is 1200 request weight per 1 MINUTE\. Please use the websocket/);
  const wait = Number(answer.headers["retry-after"]);
  assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
  for (let i = 0; i < 2000 && answer.status === 429; i++) answer = await ask();
  assert.equal(answer.status, 418, "who does not listen is banned");
  assertShape(answer.json, ERROR);
  assert.equal(answer.json.code, -1003);
  assert.match(answer.json.msg, /^Way too much request weight used; IP banned until \d{13}\. Please use the websocket/);
  const ban = Number(answer.headers["retry-after"]);
  assert.ok(ban > 60 && ban <= 120, `a first ban lasts two minutes, not ${ban} s`);
  assert.equal((await client.public("/api/v3/ping")).status, 418, "the ban holds for every address");
});
