/** Order lists through the whole gateway. Interface 4.3, 2.9, 3.5 and S.11. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

const OCO = { symbol: "BTCUSDT", side: "SELL", quantity: 1, price: 21000, stopPrice: 19000 };
const IDS = { listClientOrderId: "list", limitClientOrderId: "limit", stopClientOrderId: "stop" };
const STOP_LIMIT = { stopLimitPrice: 18900, stopLimitTimeInForce: "GTC" };

/** An exchange with the last price 20000 and an empty book; its first two orders are filled. */
async function tradedVenue(options = {}): Promise<TestVenue> {
  const venue = new TestVenue(options);
  await venue.order({ side: "SELL", price: 20000, quantity: "0.001" }, { key: venue.maker });
  await venue.order({ price: 20000, quantity: "0.001" }, { key: venue.maker });
  return venue;
}

const oco = (venue: TestVenue, parameters: Parameters = {}) =>
  venue.signed("POST", "/api/v3/order/oco", { ...OCO, ...parameters });
const get = async (venue: TestVenue, path: string, parameters: Parameters = {}) =>
  (await venue.signed("GET", path, parameters)).json;
const order = (venue: TestVenue, orderId: number) => get(venue, "/api/v3/order", { symbol: "BTCUSDT", orderId });
const locked = async (venue: TestVenue, asset: string): Promise<string> =>
  (await get(venue, "/api/v3/account")).balances.find((one: { asset: string }) => one.asset === asset).locked;

const LEGS = [
  { symbol: "BTCUSDT", orderId: 3, clientOrderId: "stop" },
  { symbol: "BTCUSDT", orderId: 4, clientOrderId: "limit" },
];
const LIST = {
  orderListId: 1,
  contingencyType: "OCO",
  listStatusType: "EXEC_STARTED",
  listOrderStatus: "EXECUTING",
  listClientOrderId: "list",
  transactionTime: START_MS,
  symbol: "BTCUSDT",
  orders: LEGS,
};
const DONE = { listStatusType: "ALL_DONE", listOrderStatus: "ALL_DONE" };
const STATE = {
  symbol: "BTCUSDT",
  orderListId: 1,
  transactTime: START_MS,
  origQty: "1.00000000",
  executedQty: "0.00000000",
  cummulativeQuoteQty: "0.00000000",
  origQuoteOrderQty: "0.00000000",
  timeInForce: "GTC",
  side: "SELL",
  selfTradePreventionMode: "NONE",
};
const STOP = { ...STATE, orderId: 3, type: "STOP_LOSS", price: "0.00000000", stopPrice: "19000.00000000" };
const LIMIT = { ...STATE, orderId: 4, type: "LIMIT_MAKER", price: "21000.00000000" };

test("a placed list: RESULT by default, the stop leg first, funds of one order", async () => {
  const venue = await tradedVenue();
  const { json } = await oco(venue, IDS);
  const fresh = { status: "NEW", commission: "0.00000000", commissionAsset: "USDT" };
  const reports = [
    { ...STOP, ...fresh, clientOrderId: "stop", workingTime: -1 },
    { ...LIMIT, ...fresh, clientOrderId: "limit", workingTime: START_MS },
  ];
  assert.deepEqual(json, { ...LIST, orderReports: reports });
  assert.equal(await locked(venue, "BTC"), "1.00000000");
  const working = [(await order(venue, 3)).isWorking, (await order(venue, 4)).isWorking];
  assert.deepEqual([...working, (await order(venue, 4)).orderListId], [false, true, 1]);
});

test("ACK, FULL, a stop leg with a price, icebergs and generated ids", async () => {
  const venue = await tradedVenue();
  const ack = await oco(venue, { newOrderRespType: "ACK" });
  for (const report of ack.json.orderReports) {
    assert.deepEqual(Object.keys(report), ["symbol", "orderId", "orderListId", "clientOrderId", "transactTime"]);
  }
  const ids = [
    ack.json.listClientOrderId,
    ...ack.json.orders.map((one: { clientOrderId: string }) => one.clientOrderId),
  ];
  for (const id of ids) assert.match(id, /^[A-Za-z0-9]{22}$/);
  assert.equal(new Set(ids).size, 3);
  const icebergs = { stopIcebergQty: "0.2", limitIcebergQty: "0.25" };
  const full = await oco(venue, { ...STOP_LIMIT, ...icebergs, newOrderRespType: "FULL" });
  const [stop, limit] = full.json.orderReports;
  assert.deepEqual([stop.fills, limit.fills], [[], []]);
  assert.deepEqual(
    [stop.type, stop.price, stop.stopPrice, stop.icebergQty],
    ["STOP_LOSS_LIMIT", "18900.00000000", "19000.00000000", "0.20000000"],
  );
  assert.deepEqual([limit.type, limit.stopPrice, limit.icebergQty], ["LIMIT_MAKER", undefined, "0.25000000"]);
});

test("buying locks the cost of the more expensive leg", async () => {
  const venue = await tradedVenue();
  const buy = { side: "BUY", price: 19000, stopPrice: 21000 };
  await oco(venue, buy);
  assert.equal(await locked(venue, "USDT"), "21000.00000000");
  await oco(venue, { ...buy, stopLimitPrice: 21500, stopLimitTimeInForce: "GTC" });
  assert.equal(await locked(venue, "USDT"), "42500.00000000");
});

test("orderList/oco places the same list by another endpoint", async () => {
  const venue = await tradedVenue();
  const send = (parameters: Parameters) =>
    venue.signed("POST", "/api/v3/orderList/oco", { symbol: "BTCUSDT", quantity: 1, ...parameters });
  const maker = { aboveType: "LIMIT_MAKER", abovePrice: 21000, aboveClientOrderId: "limit" };
  const stop = { belowType: "STOP_LOSS", belowStopPrice: 19000, belowClientOrderId: "stop" };
  const { json } = await send({ side: "SELL", listClientOrderId: "list", ...maker, ...stop });
  const { orderReports: reports, ...list } = json;
  assert.deepEqual(list, LIST);
  assert.deepEqual([reports[0].type, reports[1].type], ["STOP_LOSS", "LIMIT_MAKER"]);
  const profit = { belowType: "TAKE_PROFIT_LIMIT", belowPrice: 19500, belowStopPrice: 19000, belowTimeInForce: "GTC" };
  const bought = await send({ side: "BUY", aboveType: "STOP_LOSS", aboveStopPrice: 22000, ...profit });
  const types = bought.json.orderReports.map((report: { type: string }) => report.type);
  assert.deepEqual(types, ["STOP_LOSS", "TAKE_PROFIT_LIMIT"]);
  assert.equal(await locked(venue, "USDT"), "22000.00000000");
  const upsideDown = await send({ side: "BUY", ...maker, ...stop });
  assertRefused(upsideDown, 400, -1014, "Unsupported order combination.");
});

test("the limit leg's first fill ends the list; the rest of the leg is an ordinary order", async () => {
  const venue = await tradedVenue();
  await oco(venue, IDS);
  venue.nowMs += 1000;
  await venue.order({ price: 21000, quantity: "0.25" }, { key: venue.maker });
  const [stop, limit] = [await order(venue, 3), await order(venue, 4)];
  assert.deepEqual([stop.status, stop.updateTime, limit.status], ["EXPIRED", START_MS + 1000, "PARTIALLY_FILLED"]);
  assert.deepEqual(await get(venue, "/api/v3/orderList", { orderListId: 1 }), { ...LIST, ...DONE });
  assert.deepEqual(await get(venue, "/api/v3/openOrderList"), []);
  assert.equal(await locked(venue, "BTC"), "0.75000000");
  const canceled = await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: 4 });
  assert.deepEqual([canceled.json.orderId, canceled.json.orderListId, canceled.json.status], [4, 1, "CANCELED"]);
  const list = { symbol: "BTCUSDT", orderListId: 1 };
  assertRefused(await venue.signed("DELETE", "/api/v3/orderList", list), 400, -2011, "Unknown order sent.");
});

test("the stop leg triggers: the limit leg expires first, then it sells", async () => {
  const venue = await tradedVenue();
  await oco(venue, { ...IDS, ...STOP_LIMIT });
  await venue.order({ price: 18950, quantity: "0.4" }, { key: venue.maker });
  await venue.order({ side: "SELL", price: 18950, quantity: "0.1" }, { key: venue.maker });
  const [stop, limit] = [await order(venue, 3), await order(venue, 4)];
  assert.deepEqual(
    [stop.status, stop.isWorking, stop.executedQty, limit.status, limit.isWorking],
    ["PARTIALLY_FILLED", true, "0.30000000", "EXPIRED", true],
  );
  assert.equal((await get(venue, "/api/v3/orderList", { listClientOrderId: "list" })).listOrderStatus, "ALL_DONE");
  assert.equal(await locked(venue, "BTC"), "0.70000000");
});

test("canceling the list, one of its legs, or everything returns the list and both reports", async () => {
  const cancels: [string, Parameters][] = [
    ["/api/v3/orderList", { orderListId: 1 }],
    ["/api/v3/orderList", { listClientOrderId: "list" }],
    ["/api/v3/orderList", { orderListId: 1, listClientOrderId: "list" }],
    ["/api/v3/order", { orderId: 3 }],
    ["/api/v3/order", { origClientOrderId: "limit" }],
  ];
  const ended = (clientOrderId: string) => ({ status: "CANCELED", clientOrderId, transactTime: START_MS + 1000 });
  const reports = (id: string) => [
    { ...STOP, ...ended(id), origClientOrderId: "stop" },
    { ...LIMIT, ...ended(id), origClientOrderId: "limit" },
  ];
  const expected = { ...LIST, ...DONE, transactionTime: START_MS + 1000 };
  for (const [path, parameters] of cancels) {
    const venue = await tradedVenue();
    await oco(venue, IDS);
    venue.nowMs += 1000;
    const sent = { symbol: "BTCUSDT", newClientOrderId: "cancel", ...parameters };
    const { json } = await venue.signed("DELETE", path, sent);
    assert.deepEqual(json, { ...expected, orderReports: reports("cancel") }, path);
    assert.equal(await locked(venue, "BTC"), "0.00000000");
  }
  const venue = await tradedVenue();
  await oco(venue, IDS);
  await venue.order({ price: 10000, quantity: "0.5" });
  venue.nowMs += 1000;
  const { json } = await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  assert.equal(json.length, 2);
  assert.deepEqual(json[0], { ...expected, orderReports: reports(json[1].clientOrderId) });
  assert.deepEqual([json[1].orderId, json[1].status, json[1].orders], [5, "CANCELED", undefined]);
});

test("openOrders: orders before, between and after lists are sorted", async () => {
  const venue = await tradedVenue();
  const plain = () => venue.order({ price: 10000, quantity: "0.01" });
  await plain();
  await oco(venue);
  await plain();
  await oco(venue);
  // The first list ends by a fill: the rest of its limit leg is an ordinary order.
  await venue.order({ price: 21000, quantity: "0.5" }, { key: venue.maker });
  const { json } = await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  const shown = json.map((body: { orderId?: number; orderListId: number }) => [body.orderId, body.orderListId]);
  assert.deepEqual(shown, [
    [3, -1],
    [5, 1],
    [6, -1],
    [undefined, 2],
  ]);
});

test("lookup: by either id and either name, own lists only; unknown is -2013", async () => {
  const venue = await tradedVenue();
  await oco(venue, IDS);
  const look = (parameters: Parameters, key = venue.trader) =>
    venue.signed("GET", "/api/v3/orderList", parameters, { key });
  const found = async () => {
    for (const parameters of [
      { orderListId: 1 },
      { origClientOrderId: "list" },
      { listClientOrderId: "list" },
      { orderListId: 1, origClientOrderId: "list", listClientOrderId: "list" },
    ]) {
      const { json } = await look(parameters);
      assert.equal(json.orderListId, 1, JSON.stringify(json));
      assert.deepEqual(json.orders, LEGS);
    }
    for (const parameters of [
      { orderListId: 2 },
      { orderListId: 0 },
      { orderListId: "99999999999999999999" },
      { origClientOrderId: "stop" },
      { orderListId: 1, origClientOrderId: "other" },
      { origClientOrderId: "list", listClientOrderId: "other" },
    ]) {
      assertRefused(await look(parameters), 400, -2013, "Order list does not exist.");
    }
    const foreign = [
      await look({ orderListId: 1 }, venue.maker),
      await look({ origClientOrderId: "list" }, venue.maker),
    ];
    for (const answer of foreign) assertRefused(answer, 400, -2013, "Order list does not exist.");
  };
  await found();
  await venue.signed("DELETE", "/api/v3/orderList", { symbol: "BTCUSDT", orderListId: 1 });
  await found();
  await oco(venue, { listClientOrderId: "list" });
  assert.equal((await look({ origClientOrderId: "list" })).json.orderListId, 2, "the latest");
  const neither = "Param 'origClientOrderId' or 'orderListId' must be sent, but both were empty/null!";
  assertRefused(await look({}), 400, -1102, neither);
  const cancel = await venue.signed("DELETE", "/api/v3/orderList", { symbol: "BTCUSDT" });
  const neitherToCancel = "Param 'orderListId' or 'listClientOrderId' must be sent, but both were empty/null!";
  assertRefused(cancel, 400, -1102, neitherToCancel);
});

test("canceling a list: missing, of another account, of another symbol, or with conflicting ids", async () => {
  const venue = await tradedVenue();
  await oco(venue, IDS);
  const cancel = (parameters: Parameters, key = venue.trader) =>
    venue.signed("DELETE", "/api/v3/orderList", { symbol: "BTCUSDT", ...parameters }, { key });
  for (const answer of [
    await cancel({ orderListId: 2 }),
    await cancel({ orderListId: 0 }),
    await cancel({ orderListId: "9007199254740991" }),
    await cancel({ orderListId: "99999999999999999999" }),
    await cancel({ listClientOrderId: "stop" }),
    await cancel({ orderListId: 1, symbol: "ETHBTC" }),
    await cancel({ orderListId: 1 }, venue.maker),
  ]) {
    assertRefused(answer, 400, -2011, "Unknown order sent.");
  }
  const disagreeing = await cancel({ orderListId: 1, listClientOrderId: "other" });
  assertRefused(disagreeing, 400, -2011, "Cancel order is invalid. Check origClOrdId and orderId.");
  assert.equal((await cancel({ orderListId: 1 })).status, 200);
});

test("all lists: time ranges, ascending, of all symbols", async () => {
  const venue = await tradedVenue();
  for (let i = 0; i < 3; i++) {
    await oco(venue, i === 1 ? { symbol: "ETHBTC", price: "0.06", stopPrice: "0.05" } : {});
    venue.nowMs += 1000;
  }
  await venue.signed("DELETE", "/api/v3/orderList", { symbol: "BTCUSDT", orderListId: 1 });
  const ids = async (path: string, parameters: Parameters = {}): Promise<number[]> =>
    (await get(venue, path, parameters)).map((list: { orderListId: number }) => list.orderListId);
  const all = (parameters: Parameters) => ids("/api/v3/allOrderList", parameters);
  assert.deepEqual(await ids("/api/v3/openOrderList"), [2, 3]);
  assert.deepEqual(await all({}), [1, 2, 3]);
  assert.deepEqual(await all({ limit: 2 }), [2, 3]);
  assert.deepEqual(await all({ fromId: 2 }), [2, 3]);
  assert.deepEqual(await all({ fromId: 1, limit: 1 }), [1]);
  assert.deepEqual(await all({ startTime: START_MS + 1 }), [2, 3]);
  assert.deepEqual(await all({ startTime: START_MS, endTime: START_MS + 1000, limit: 1 }), [1]);
  assert.deepEqual(await all({ endTime: START_MS + 1000, limit: 1 }), [2]);
  const refused = async (parameters: Parameters, code: number, msg: string) =>
    assertRefused(await venue.signed("GET", "/api/v3/allOrderList", parameters), 400, code, msg);
  const badPair = "Combination of optional parameters invalid.";
  await refused({ fromId: 1, startTime: START_MS }, -1128, badPair);
  await refused({ fromId: 1, endTime: START_MS }, -1128, badPair);
  await refused({ startTime: START_MS, endTime: START_MS - 1 }, -1128, badPair);
  const tooLong = "More than 24 hours between startTime and endTime.";
  await refused({ startTime: START_MS, endTime: START_MS + 86_400_001 }, -1127, tooLong);
  const states = (await get(venue, "/api/v3/allOrderList")).map((list: { symbol: string; listOrderStatus: string }) => [
    list.symbol,
    list.listOrderStatus,
  ]);
  assert.deepEqual(states, [
    ["BTCUSDT", "ALL_DONE"],
    ["ETHBTC", "EXECUTING"],
    ["BTCUSDT", "EXECUTING"],
  ]);
});

test("rejected lists change nothing", async () => {
  const venue = await tradedVenue();
  await oco(venue, IDS);
  venue.listSymbol("ETH/USDT", {}, { ocoAllowed: false });
  const badPrices = "The relationship of the prices for the orders is not correct.";
  const table: readonly [Parameters, number, string][] = [
    [{ price: 19500 }, -2010, badPrices],
    [{ price: 20000 }, -2010, badPrices],
    [{ stopPrice: 20000 }, -2010, badPrices],
    [{ side: "BUY" }, -2010, badPrices],
    [{ quantity: 100 }, -2010, "Account has insufficient balance for requested action."],
    [{ listClientOrderId: "list" }, -2010, "Duplicate order sent."],
    [{ stopClientOrderId: "limit" }, -2010, "Duplicate order sent."],
    [{ stopClientOrderId: "x", limitClientOrderId: "x" }, -2010, "Duplicate order sent."],
    [{ price: "21000.001" }, -1013, "Filter failure: PRICE_FILTER"],
    [{ quantity: "0.0000001" }, -1013, "Filter failure: LOT_SIZE"],
    [{ limitIcebergQty: "0.01" }, -1013, "Filter failure: ICEBERG_PARTS"],
    [{ quantity: "0.0000000001" }, -1111, "Precision is over the maximum defined for this asset."],
    [{ quantity: 0 }, -1013, "Invalid quantity."],
    [{ symbol: "ETHUSDT" }, -2010, "OCO orders are not supported for this symbol"],
    [{ symbol: "NOSUCH" }, -1121, "Invalid symbol."],
    [{ aboveType: "LIMIT_MAKER" }, -1104, "Not all sent parameters were read; read '7' parameter(s) but was sent '8'."],
  ];
  for (const [parameters, code, msg] of table) assertRefused(await oco(venue, parameters), 400, code, msg);
  assert.equal(await locked(venue, "BTC"), "1.00000000");
  assert.equal((await get(venue, "/api/v3/openOrders")).length, 2);
});

test("a list counts as two orders, also if it is rejected", async () => {
  const venue = await tradedVenue({ limits: DEFAULT_LIMITS });
  venue.nowMs += 1000;
  const counts = ({ headers }: { headers: ReadonlyMap<string, string> }) => headers.get("x-mbx-order-count-1s");
  for (const count of ["2", "4", "6"]) assert.equal(counts(await oco(venue)), count);
  assertRefused(await oco(venue, { price: 1 }), 400, -1013, "Filter failure: PERCENT_PRICE");
  const refused = await oco(venue, { price: 20000 });
  assertRefused(refused, 400, -2010);
  assert.equal(counts(refused), "10");
  assertRefused(await oco(venue), 429, -1015);
  venue.nowMs += 1000;
  for (const count of ["2", "4"]) assert.equal(counts(await oco(venue)), count);
  venue.nowMs += 1000;
  assertRefused(await oco(venue), 400, -1013, "Filter failure: MAX_ALGO_ORDERS");
  venue.nowMs += 1000;
  for (let i = 0; i < 9; i++) assert.equal((await venue.order({ price: 10000, quantity: "0.01" })).status, 200);
  assertRefused(await oco(venue), 429, -1015, "Too many new orders; current limit is 10 orders per SECOND.");
  assert.equal(counts(await venue.order({ price: 10000, quantity: "0.01" })), "10");
});
