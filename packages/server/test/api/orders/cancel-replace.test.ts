/** An atomic cancel and new order: each outcome, its status, and its effects. Interface 3.4. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, TestVenue } from "@pricetime/testkit/gateway-venue";

const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1, price: 10000 };
const UNKNOWN = { code: -2011, msg: "Unknown order sent." };
const PARTLY = { code: -2021, msg: "Order cancel-replace partially failed." };
const FAILED = { code: -2022, msg: "Order cancel-replace failed." };

const replace = (venue: TestVenue, mode: string, parameters: Parameters) =>
  venue.signed("POST", "/api/v3/order/cancelReplace", { ...ORDER, cancelReplaceMode: mode, ...parameters });
const openIds = async (venue: TestVenue): Promise<string[]> => {
  const { json } = await venue.signed("GET", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  return json.map((order: { clientOrderId: string }) => order.clientOrderId);
};

for (const mode of ["STOP_ON_FAILURE", "ALLOW_FAILURE"]) {
  test(`${mode}: both succeed`, async () => {
    const venue = new TestVenue();
    await venue.order({ price: 9000, quantity: 1, newClientOrderId: "old" });
    const ids = { cancelOrigClientOrderId: "old", cancelNewClientOrderId: "cancel", newClientOrderId: "new" };
    const { status, json } = await replace(venue, mode, { ...ids, price: 9500 });
    assert.equal(status, 200);
    const { cancelResponse: canceled, newOrderResponse: placed, ...results } = json;
    assert.deepEqual(results, { cancelResult: "SUCCESS", newOrderResult: "SUCCESS" });
    assert.deepEqual(
      [canceled.orderId, canceled.origClientOrderId, canceled.clientOrderId, canceled.status],
      [1, "old", "cancel", "CANCELED"],
    );
    assert.deepEqual([placed.orderId, placed.clientOrderId, placed.status, placed.fills], [2, "new", "NEW", []]);
    assert.deepEqual(await openIds(venue), ["new"]);
  });

  test(`${mode}: canceled, but the new order rejected`, async () => {
    const venue = new TestVenue();
    await venue.order({ price: 9000, quantity: 1 });
    const { status, json } = await replace(venue, mode, { cancelOrderId: 1, quantity: 1000 });
    const { data, ...error } = json;
    assert.deepEqual([status, error], [409, PARTLY]);
    const newOrderResponse = { code: -2010, msg: "Account has insufficient balance for requested action." };
    assert.deepEqual([data.cancelResult, data.newOrderResult], ["SUCCESS", "FAILURE"]);
    assert.deepEqual([data.cancelResponse.status, data.newOrderResponse], ["CANCELED", newOrderResponse]);
    assert.deepEqual(await openIds(venue), []);
  });
}

test("STOP_ON_FAILURE: nothing is placed if the cancel fails", async () => {
  const venue = new TestVenue();
  for (const parameters of [{ cancelOrderId: 7 }, { cancelOrderId: 0 }, { cancelOrigClientOrderId: "nosuch" }]) {
    const { status, json } = await replace(venue, "STOP_ON_FAILURE", parameters);
    const data = {
      cancelResult: "FAILURE",
      newOrderResult: "NOT_ATTEMPTED",
      cancelResponse: UNKNOWN,
      newOrderResponse: null,
    };
    assert.deepEqual([status, json], [400, { ...FAILED, data }]);
  }
  assert.deepEqual(await openIds(venue), []);
});

test("ALLOW_FAILURE: the new order is placed even if the cancel fails", async () => {
  const venue = new TestVenue();
  const placed = await replace(venue, "ALLOW_FAILURE", { cancelOrderId: 7, newClientOrderId: "new" });
  assert.deepEqual([placed.status, placed.json.code, placed.json.msg], [409, PARTLY.code, PARTLY.msg]);
  const { cancelResult, newOrderResult, cancelResponse, newOrderResponse } = placed.json.data;
  assert.deepEqual([cancelResult, newOrderResult, cancelResponse], ["FAILURE", "SUCCESS", UNKNOWN]);
  assert.equal(newOrderResponse.clientOrderId, "new");
  assert.deepEqual(await openIds(venue), ["new"]);
  const { status, json } = await replace(venue, "ALLOW_FAILURE", { cancelOrderId: 7, price: "10000.001" });
  const data = {
    cancelResult: "FAILURE",
    newOrderResult: "FAILURE",
    cancelResponse: UNKNOWN,
    newOrderResponse: { code: -1013, msg: "Filter failure: PRICE_FILTER" },
  };
  assert.deepEqual([status, json], [400, { ...FAILED, data }]);
});

test("the funds of the old order pay for the new one, and its fills are in the response", async () => {
  const venue = new TestVenue();
  await venue.order({ side: "SELL", price: 10000, quantity: "99.9" }, { key: venue.maker });
  await venue.order({ price: 9999, quantity: 100 });
  const answer = await replace(venue, "STOP_ON_FAILURE", { cancelOrderId: 2, quantity: 100 });
  const { status, executedQty, fills } = answer.json.newOrderResponse;
  assert.deepEqual([status, executedQty, fills.length], ["PARTIALLY_FILLED", "99.90000000", 1]);
});

test("canceling one order of a list cancels the list", async () => {
  const venue = new TestVenue();
  const oco = { symbol: "BTCUSDT", side: "SELL", quantity: 1, price: 21000, stopPrice: 19000 };
  await venue.signed("POST", "/api/v3/order/oco", oco);
  const stop = { side: "SELL", type: "STOP_LOSS_LIMIT", price: 18000, stopPrice: 18500 };
  const { json } = await replace(venue, "STOP_ON_FAILURE", { cancelOrderId: 2, ...stop, newClientOrderId: "new" });
  assert.deepEqual([json.cancelResponse.orderListId, json.cancelResponse.orderReports.length], [1, 2]);
  assert.deepEqual(Object.keys(json.newOrderResponse).length, 5, "ACK");
  assert.deepEqual(await openIds(venue), ["new"]);
});

test("invalid parameters reject the whole request before anything is canceled", async () => {
  const venue = new TestVenue();
  await venue.order({ price: 9000, quantity: 1, newClientOrderId: "old" });
  const refused = async (parameters: Parameters, code: number, msg: string) =>
    assertRefused(await replace(venue, "STOP_ON_FAILURE", parameters), 400, code, msg);
  const neither = "Param 'cancelOrigClientOrderId' or 'cancelOrderId' must be sent, but both were empty/null!";
  await refused({}, -1102, neither);
  await refused({ cancelOrderId: 1, stopPrice: 1 }, -1106, "Parameter 'stopPrice' sent when not required.");
  await refused({ cancelOrderId: 1, quantity: 0 }, -1013, "Invalid quantity.");
  const mode = await replace(venue, "SOMETIMES", { cancelOrderId: 1 });
  assertRefused(mode, 400, -1130, "Data sent for paramter 'cancelReplaceMode' is not valid.");
  assert.deepEqual(await openIds(venue), ["old"]);
});

test("each request counts one order, whatever its outcome", async () => {
  const venue = new TestVenue({ limits: DEFAULT_LIMITS });
  const count = ({ headers }: { headers: ReadonlyMap<string, string> }) => headers.get("x-mbx-order-count-1s");
  assert.equal(count(await replace(venue, "STOP_ON_FAILURE", { cancelOrderId: 7 })), "1", "not tried");
  assert.equal(count(await replace(venue, "ALLOW_FAILURE", { cancelOrderId: 7, quantity: 1000 })), "2", "refused");
  assert.equal(count(await replace(venue, "ALLOW_FAILURE", { cancelOrderId: 7 })), "3");
  assert.equal(count(await replace(venue, "STOP_ON_FAILURE", { cancelOrderId: 1 })), "4");
  assert.equal(count(await replace(venue, "ALLOW_FAILURE", {})), undefined, "no cancel is named: not journaled");
});

test("an exceeded limit of orders: nothing happens, or only the cancel", async () => {
  const limit = { code: -1015, msg: "Too many new orders; current limit is 2 orders per DAY." };
  const rules = [{ rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 2 }] as const;
  const rows: readonly (readonly [mode: string, cancelOrderId: number, answer: string, open: string[]])[] = [
    ["STOP_ON_FAILURE", 1, "429 -2021 SUCCESS FAILURE", ["b"]],
    ["STOP_ON_FAILURE", 7, "429 -2022 FAILURE NOT_ATTEMPTED", ["a", "b"]],
    ["ALLOW_FAILURE", 1, "409 -2021 SUCCESS FAILURE", ["b"]],
    ["ALLOW_FAILURE", 7, "400 -2022 FAILURE FAILURE", ["a", "b"]],
  ];
  for (const [mode, cancelOrderId, answer, open] of rows) {
    const venue = new TestVenue({ limits: { ...DEFAULT_LIMITS, rules } });
    for (const newClientOrderId of ["a", "b"]) await venue.order({ price: 9000, quantity: 1, newClientOrderId });
    for (const orderRateLimitExceededMode of [undefined, "DO_NOTHING"] as const) {
      const sent = orderRateLimitExceededMode === undefined ? {} : { orderRateLimitExceededMode };
      assertRefused(await replace(venue, mode, { cancelOrderId, ...sent }), 429, limit.code, limit.msg);
    }
    const orderRateLimitExceededMode = "CANCEL_ONLY";
    const { status, json, headers } = await replace(venue, mode, { cancelOrderId, orderRateLimitExceededMode });
    assert.equal(Number(headers.get("retry-after") ?? 0) > 0, status === 429);
    const { cancelResult, newOrderResult, newOrderResponse, cancelResponse } = json.data;
    assert.equal(`${status} ${json.code} ${cancelResult} ${newOrderResult}`, answer);
    assert.deepEqual(newOrderResponse, newOrderResult === "FAILURE" ? limit : null);
    if (cancelResult === "FAILURE") assert.deepEqual(cancelResponse, UNKNOWN);
    else assert.deepEqual([cancelResponse.orderId, cancelResponse.status], [1, "CANCELED"]);
    assert.deepEqual((await openIds(venue)).sort(), open);
  }
});

test("CANCEL_ONLY within the limit is an ordinary cancelReplace; another word is rejected", async () => {
  const venue = new TestVenue();
  await venue.order({ price: 9000, quantity: 1 });
  const answer = await replace(venue, "STOP_ON_FAILURE", {
    cancelOrderId: 1,
    orderRateLimitExceededMode: "CANCEL_ONLY",
  });
  assert.deepEqual([answer.status, answer.json.newOrderResult], [200, "SUCCESS"]);
  const wrong = await replace(venue, "STOP_ON_FAILURE", { cancelOrderId: 2, orderRateLimitExceededMode: "NEITHER" });
  assertRefused(wrong, 400, -1130, "Data sent for paramter 'orderRateLimitExceededMode' is not valid.");
});

test("ids of two orders disagree: the cancel fails, and with it the new order", async () => {
  const venue = new TestVenue();
  for (const newClientOrderId of ["a", "b"]) await venue.order({ price: 9000, quantity: 1, newClientOrderId });
  const { status, json } = await replace(venue, "STOP_ON_FAILURE", { cancelOrderId: 1, cancelOrigClientOrderId: "b" });
  const msg = "Cancel order is invalid. Check origClOrdId and orderId.";
  assert.deepEqual([status, json.code, json.data.cancelResponse], [400, -2022, { code: -2011, msg }]);
  const ids = { symbol: "BTCUSDT", orderId: 1, origClientOrderId: "b" };
  assertRefused(await venue.signed("DELETE", "/api/v3/order", ids), 400, -2011, msg);
  assert.deepEqual((await openIds(venue)).sort(), ["a", "b"]);
});
