/** Trailing stops through the whole gateway. Interface 4.2, 4.3, decision 98. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

/** An exchange with the last price 20000 and an empty book. */
async function tradedVenue(): Promise<TestVenue> {
  const venue = new TestVenue();
  await tradeAt(venue, 20000);
  return venue;
}

async function tradeAt(venue: TestVenue, price: number): Promise<void> {
  await venue.order({ side: "SELL", price, quantity: "0.001" }, { key: venue.maker });
  const { json } = await venue.order({ price, quantity: "0.001" }, { key: venue.maker });
  assert.equal(json.status, "FILLED", JSON.stringify(json));
}

const SELL = { symbol: "BTCUSDT", side: "SELL", quantity: 1 };
const place = (venue: TestVenue, parameters: Parameters) =>
  venue.signed("POST", "/api/v3/order", { ...SELL, newOrderRespType: "RESULT", ...parameters });
const read = async (venue: TestVenue, orderId: number) =>
  (await venue.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId })).json;

test("a trailing stop follows the price from its placement, and is triggered by a fall", async () => {
  const venue = await tradedVenue();
  const { json } = await place(venue, { type: "STOP_LOSS", trailingDelta: 100 });
  assert.deepEqual([json.status, json.trailingDelta, json.trailingTime], ["NEW", 100, START_MS]);
  assert.deepEqual([json.workingTime, "stopPrice" in json], [-1, false]);
  venue.nowMs += 1000;
  await tradeAt(venue, 22000);
  await tradeAt(venue, 21781);
  assert.equal((await read(venue, json.orderId)).isWorking, false);
  await tradeAt(venue, 21780);
  const triggered = await read(venue, json.orderId);
  assert.deepEqual([triggered.isWorking, triggered.status, triggered.workingTime], [true, "EXPIRED", START_MS + 1000]);
  assert.deepEqual([triggered.trailingDelta, triggered.trailingTime], [100, START_MS]);
  venue.engine.checkInvariants();
});

test("with a stop price it follows from the trade that reaches the stop price", async () => {
  const venue = await tradedVenue();
  const order = { type: "TAKE_PROFIT_LIMIT", price: 15000, timeInForce: "GTC", stopPrice: 21000, trailingDelta: 200 };
  const { json } = await place(venue, order);
  assert.deepEqual([json.trailingTime, json.stopPrice], [-1, "21000.00000000"]);
  venue.nowMs += 5000;
  await tradeAt(venue, 21000);
  assert.equal((await read(venue, json.orderId)).trailingTime, START_MS + 5000);
  const open = (await venue.signed("GET", "/api/v3/openOrders", { symbol: "BTCUSDT" })).json;
  assert.deepEqual(
    open.map((one: Parameters) => [one["trailingDelta"], one["trailingTime"]]),
    [[200, START_MS + 5000]],
  );
  const listed = async (): Promise<unknown> =>
    (await venue.signed("GET", "/api/v3/allOrders", { symbol: "BTCUSDT" })).json.at(-1).trailingTime;
  assert.equal(await listed(), START_MS + 5000, "without an event since");
  const canceled = (await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: json.orderId })).json;
  assert.deepEqual(
    [canceled.status, canceled.trailingDelta, canceled.trailingTime],
    ["CANCELED", 200, START_MS + 5000],
  );
  const all = (await venue.signed("GET", "/api/v3/allOrders", { symbol: "BTCUSDT" })).json;
  assert.deepEqual([all.at(-1).trailingDelta, all.at(-1).trailingTime], [200, START_MS + 5000]);
});

test("parameters that no trailing stop has", async () => {
  const venue = await tradedVenue();
  const refused = async (parameters: Parameters, code: number, msg: string): Promise<void> => {
    for (const path of ["/api/v3/order", "/api/v3/order/test"]) {
      assertRefused(await venue.signed("POST", path, { ...SELL, ...parameters }), 400, code, msg);
    }
  };
  const limit = { price: 21000, timeInForce: "GTC" };
  const extra = "Parameter 'trailingDelta' sent when not required.";
  await refused({ type: "LIMIT", ...limit, trailingDelta: 100 }, -1106, extra);
  await refused({ type: "LIMIT_MAKER", price: 21000, trailingDelta: 100 }, -1106, extra);
  await refused({ type: "MARKET", trailingDelta: 100 }, -1106, extra);
  const missing = "Mandatory parameter 'stopPrice' was not sent, was empty/null, or malformed.";
  await refused({ type: "STOP_LOSS" }, -1102, missing);
  await refused({ type: "STOP_LOSS", trailingDelta: 100, stopPrice: "" }, -1102, missing);
  await refused({ type: "STOP_LOSS", trailingDelta: 10000 }, -1013, "Filter failure: TRAILING_DELTA");
  await refused({ type: "STOP_LOSS", trailingDelta: 100, stopPrice: 20000 }, -2010, "Order would trigger immediately.");
  for (const trailingDelta of [0, -1, "1.5"]) {
    const { status } = await place(venue, { type: "STOP_LOSS", trailingDelta });
    assert.equal(status, 400, String(trailingDelta));
  }
});

test("lists: the leg that trails, by both endpoints", async () => {
  const venue = await tradedVenue();
  const old = { ...SELL, price: 22000, trailingDelta: 150 };
  const { json: first } = await venue.signed("POST", "/api/v3/order/oco", old);
  const [stop, limit] = first.orderReports;
  assert.deepEqual([stop.type, stop.trailingDelta, stop.trailingTime], ["STOP_LOSS", 150, START_MS]);
  assert.deepEqual([limit.type, "trailingDelta" in limit], ["LIMIT_MAKER", false]);
  const { trailingDelta: _, ...without } = old;
  const missing = "Mandatory parameter 'stopPrice' was not sent, was empty/null, or malformed.";
  assertRefused(await venue.signed("POST", "/api/v3/order/oco", without), 400, -1102, missing);
  // Missing parameters are reported before the symbol, the key and the signature. Interface 7.7.
  assertRefused(await venue.signed("POST", "/api/v3/order/oco", { ...without, symbol: "NONE" }), 400, -1102, missing);
  const query = `symbol=NONE&side=SELL&quantity=1&price=22000&timestamp=1&signature=${"a".repeat(64)}`;
  const unsigned = { query, headers: { "x-mbx-apikey": "k".repeat(64) } };
  assertRefused(await venue.send("POST", "/api/v3/order/oco", unsigned), 400, -1102, missing);
  const legs = { aboveType: "TAKE_PROFIT", aboveTrailingDelta: 100, belowType: "STOP_LOSS", belowTrailingDelta: 200 };
  const { json: second } = await venue.signed("POST", "/api/v3/orderList/oco", { ...SELL, ...legs });
  assert.deepEqual(
    second.orderReports.map((one: Parameters) => [one["type"], one["trailingDelta"]]),
    [
      ["STOP_LOSS", 200],
      ["TAKE_PROFIT", 100],
    ],
  );
  const maker = { aboveType: "LIMIT_MAKER", abovePrice: 22000, aboveTrailingDelta: 100 };
  const wrong = await venue.signed("POST", "/api/v3/orderList/oco", { ...SELL, ...legs, ...maker });
  assertRefused(wrong, 400, -1106, "Parameter 'aboveTrailingDelta' sent when not required.");
  const replace = { ...SELL, type: "STOP_LOSS", trailingDelta: 300, cancelReplaceMode: "ALLOW_FAILURE" };
  const { json } = await venue.signed("POST", "/api/v3/order/cancelReplace", {
    ...{ ...replace, cancelOrderId: limit.orderId, newOrderRespType: "RESULT" },
  });
  assert.equal(json.newOrderResponse.trailingDelta, 300);
  assert.deepEqual(
    json.cancelResponse.orderReports.map((one: Parameters) => one["trailingDelta"]),
    [150, undefined],
  );
});

test("exchangeInfo says whether a symbol allows trailing stops", async () => {
  const venue = await tradedVenue();
  const { symbols } = (await venue.public("/api/v3/exchangeInfo")).json;
  assert.equal(symbols[0].allowTrailingStop, true);
});
