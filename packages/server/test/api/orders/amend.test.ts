/** Amendments of orders: answers, errors, reports, and the list of an order's amendments. Interface 3.12. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS, type TestAnswer } from "@pricetime/testkit/gateway-venue";
import { type Message, story, UserVenue } from "../streams/user-venue.ts";

const PATH = "/api/v3/order/amend/keepPriority";
const LIST = "/api/v3/order/amendments";

const amend = (venue: UserVenue, parameters: Parameters): Promise<TestAnswer> =>
  venue.signed("PUT", PATH, { symbol: "BTCUSDT", ...parameters });
const amendments = async (venue: UserVenue, parameters: Parameters): Promise<Message[]> =>
  (await venue.signed("GET", LIST, { symbol: "BTCUSDT", ...parameters })).json;
const reports = (messages: readonly Message[]): Message[] => messages.filter(({ e }) => e === "executionReport");

test("an amendment answers with the order, reports it, and is in the list of the order's amendments", async () => {
  const venue = new UserVenue();
  await venue.placed({ price: 50000, quantity: 3, newClientOrderId: "a1" });
  await venue.placed({ side: "SELL", price: 50000, quantity: 1 }, venue.maker);
  const heard = venue.record(venue.trader);
  venue.nowMs += 7;
  const { status, json } = await amend(venue, { origClientOrderId: "a1", newClientOrderId: "a2", newQty: "2.0" });
  assert.equal(status, 200);
  const { executionId } = json;
  assert.deepEqual(json, {
    transactTime: START_MS + 7,
    executionId,
    amendedOrder: {
      symbol: "BTCUSDT",
      orderId: 1,
      orderListId: -1,
      origClientOrderId: "a1",
      clientOrderId: "a2",
      price: "50000.00000000",
      qty: "2.00000000",
      executedQty: "1.00000000",
      preventedQty: "0.00000000",
      quoteOrderQty: "0.00000000",
      cumulativeQuoteQty: "50000.00000000",
      status: "PARTIALLY_FILLED",
      timeInForce: "GTC",
      type: "LIMIT",
      side: "BUY",
      workingTime: START_MS,
      selfTradePreventionMode: "NONE",
    },
  });
  assert.deepEqual(story(heard).slice(0, 1), ["BUY LIMIT REPLACED/PARTIALLY_FILLED on book"]);
  const [report, info, position] = heard as [Message, Message, Message];
  const { q, c, C, I, z, l, t, M, O, T } = report;
  assert.deepEqual({ q, c, C, I, z }, { q: "2.00000000", c: "a2", C: "a1", I: executionId, z: "1.00000000" });
  assert.deepEqual({ l, t, M, O, T }, { l: "0.00000000", t: -1, M: false, O: START_MS, T: START_MS + 7 });
  assert.deepEqual([info["e"], position["e"], heard.length], ["outboundAccountInfo", "outboundAccountPosition", 3]);
  assert.deepEqual(
    position["B"].find(({ a }: Message) => a === "USDT"),
    { a: "USDT", f: "900000.00000000", l: "50000.00000000" },
  );
  const found = (await venue.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId: 1 })).json;
  assert.deepEqual([found.clientOrderId, found.origQty, found.updateTime], ["a2", "2.00000000", START_MS + 7]);
  const row = { symbol: "BTCUSDT", orderId: 1, executionId, origClientOrderId: "a1", newClientOrderId: "a2" };
  assert.deepEqual(await amendments(venue, { orderId: 1 }), [
    { ...row, origQty: "3.00000000", newQty: "2.00000000", time: START_MS + 7 },
  ]);
});

test("history has the amended order after it ended, under its last client id", async () => {
  const venue = new UserVenue();
  await venue.placed({ price: 50000, quantity: 3, newClientOrderId: "a1" });
  await amend(venue, { orderId: 1, newQty: 2, newClientOrderId: "a2" });
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: 1 });
  const [row] = (await venue.signed("GET", "/api/v3/allOrders", { symbol: "BTCUSDT" })).json;
  assert.deepEqual([row.clientOrderId, row.origQty, row.status], ["a2", "2.00000000", "CANCELED"]);
  const byId = (id: string): Promise<TestAnswer> =>
    venue.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", origClientOrderId: id });
  assert.equal((await byId("a2")).json.orderId, 1);
  assertRefused(await byId("a1"), 400, -2013);
});

test("the amendments of an order: the latest, or from an execution id on", async () => {
  const venue = new UserVenue();
  await venue.placed({ price: 50000, quantity: 1, newClientOrderId: "a" });
  await venue.placed({ price: 49000, quantity: 1, newClientOrderId: "b" });
  for (const newQty of [0.9, 0.8, 0.7]) {
    await amend(venue, { orderId: 1, newQty, newClientOrderId: "a" });
    await amend(venue, { orderId: 2, newQty });
  }
  const all = await amendments(venue, { orderId: 1 });
  const quantities = (rows: readonly Message[]): number[] => rows.map(({ newQty }) => Number(newQty));
  assert.deepEqual(quantities(all), [0.9, 0.8, 0.7]);
  assert.deepEqual(
    all.map(({ origQty }) => Number(origQty)),
    [1, 0.9, 0.8],
  );
  assert.deepEqual(quantities(await amendments(venue, { orderId: 1, limit: 2 })), [0.8, 0.7]);
  const fromExecutionId = all[1]?.["executionId"];
  assert.deepEqual(quantities(await amendments(venue, { orderId: 1, fromExecutionId })), [0.8, 0.7]);
  assert.deepEqual(quantities(await amendments(venue, { orderId: 1, fromExecutionId, limit: 1 })), [0.8]);
  assert.deepEqual(await amendments(venue, { orderId: 7 }), []);
  const others = await venue.signed("GET", LIST, { symbol: "BTCUSDT", orderId: 1 }, { key: venue.maker });
  assert.deepEqual(others.json, []);
  const renamed = await amendments(venue, { orderId: 2 });
  assert.equal(new Set(renamed.map(({ newClientOrderId }) => newClientOrderId)).size, 3, "ids are generated");
});

test("a leg: both are reported, then the list under its new id; the answer has the list", async () => {
  const venue = new UserVenue();
  for (const side of ["SELL", "BUY"]) await venue.placed({ side, quantity: 0.01, price: 50000 }, venue.maker);
  const oco = { symbol: "BTCUSDT", side: "SELL", quantity: 2, price: 60000, stopPrice: 40000 };
  const ids = { listClientOrderId: "L", limitClientOrderId: "l1", stopClientOrderId: "s1" };
  assert.equal((await venue.signed("POST", "/api/v3/order/oco", { ...oco, ...ids })).status, 200);
  const heard = venue.record(venue.trader);
  const { json } = await amend(venue, { origClientOrderId: "l1", newClientOrderId: "l2", newQty: 1 });
  const orders = ["s1", "l2"].map((clientOrderId, at) => ({ symbol: "BTCUSDT", orderId: 3 + at, clientOrderId }));
  assert.deepEqual(json.listStatus, {
    ...{ orderListId: 1, contingencyType: "OCO", listOrderStatus: "EXECUTING", listClientOrderId: "L" },
    ...{ symbol: "BTCUSDT", orders },
  });
  assert.deepEqual(story(heard).slice(0, 3), [
    "SELL STOP_LOSS REPLACED/NEW",
    "SELL LIMIT_MAKER REPLACED/NEW on book",
    "list UPDATED/EXECUTING",
  ]);
  assert.equal(reports(heard)[1]?.["I"], json.executionId);
  assert.equal(reports(heard)[0]?.["C"], "s1");
  const [list] = (await venue.signed("GET", "/api/v3/openOrderList")).json;
  assert.deepEqual(
    list.orders.map(({ clientOrderId }: Message) => clientOrderId),
    ["s1", "l2"],
  );
  heard.length = 0;
  await amend(venue, { orderId: 3, newClientOrderId: "s1", newQty: 0.5 });
  assert.deepEqual(story(heard).slice(0, 2), ["SELL STOP_LOSS REPLACED/NEW", "SELL LIMIT_MAKER REPLACED/NEW on book"]);
  assert.ok(
    heard.every(({ e }) => e !== "listStatus"),
    "no id has changed",
  );
});

test("an order reduced to what it has executed expires, and the answer says so", async () => {
  const venue = new UserVenue();
  await venue.placed({ price: 50000, quantity: 3, newClientOrderId: "a1" });
  await venue.placed({ side: "SELL", price: 50000, quantity: 1 }, venue.maker);
  const heard = venue.record(venue.trader);
  const { json } = await amend(venue, { orderId: 1, newQty: 1, newClientOrderId: "a1" });
  const { status, qty, executedQty, expiryReason } = json.amendedOrder;
  assert.deepEqual({ status, qty, executedQty }, { status: "EXPIRED", qty: "1.00000000", executedQty: "1.00000000" });
  assert.equal(expiryReason, undefined);
  assert.deepEqual(story(heard).slice(0, 2), [
    "BUY LIMIT REPLACED/PARTIALLY_FILLED on book",
    "BUY LIMIT EXPIRED/EXPIRED",
  ]);
});

test("rejected amendments", async () => {
  const venue = new UserVenue();
  await venue.placed({ price: 50000, quantity: 3, newClientOrderId: "a1" });
  await venue.placed({ price: 49000, quantity: 3, newClientOrderId: "b1" });
  const rejected = async (parameters: Parameters, code: number, msg: string): Promise<void> =>
    assertRefused(await amend(venue, parameters), 400, code, msg);
  await rejected({ orderId: 1, newQty: 4 }, -2038, "Order amend (quantity increase) is not supported.");
  await rejected({ orderId: 1, newQty: 3 }, -2038, "The requested action would change no state; rejecting");
  await rejected({ orderId: 7, newQty: 1 }, -2038, "Unknown order sent.");
  await rejected({ orderId: 0, newQty: 1 }, -2038, "Unknown order sent.");
  await rejected({ orderId: 1, origClientOrderId: "b1", newQty: 1 }, -2038, "Unknown order sent.");
  await rejected({ orderId: 1, newQty: 1, newClientOrderId: "b1" }, -2038, "Duplicate order sent.");
  await rejected({ orderId: 1, newQty: "0.0001" }, -1013, "Filter failure: MIN_NOTIONAL");
  await rejected({ orderId: 1, newQty: "0.00000001" }, -1013, "Filter failure: LOT_SIZE");
  await rejected({ orderId: 1, newQty: "1.000000001" }, -1111, "Precision is over the maximum defined for this asset.");
  await rejected({ orderId: 1, newQty: 0 }, -1013, "Invalid quantity.");
  await rejected(
    { newQty: 1 },
    -1102,
    "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
  );
  await rejected({ orderId: 1 }, -1102, "Mandatory parameter 'newQty' was not sent, was empty/null, or malformed.");
  assert.deepEqual(await amendments(venue, { orderId: 1 }), []);
});

test("while a node of an older release runs, nothing is journaled that it cannot read", async () => {
  const venue = new UserVenue();
  venue.engine.state.edition = 4;
  const strategy = { strategyId: 3, strategyType: 1000000, selfTradePreventionMode: "DECREMENT" };
  const sent = { price: 50000, quantity: 3, newClientOrderId: "a1", newOrderRespType: "RESULT", ...strategy };
  const { json } = await venue.order(sent);
  assert.deepEqual([json.selfTradePreventionMode, json.strategyId, json.strategyType], ["NONE", undefined, undefined]);
  const { seq } = venue.engine;
  assertRefused(await amend(venue, { orderId: 1, newQty: "2" }), 400, -2038);
  const cancel = { symbol: "BTCUSDT", orderId: 1, cancelRestrictions: "ONLY_NEW" };
  assertRefused(await venue.signed("DELETE", "/api/v3/order", cancel), 400, -2011);
  assert.equal(venue.engine.seq, seq);
});
