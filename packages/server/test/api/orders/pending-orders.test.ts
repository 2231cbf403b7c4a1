/** Lists whose orders place others (OTO, OTOCO, OPO, OPOCO) through the whole gateway. Interface 4.3, decision 100. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

const symbol = "BTCUSDT";
const WORKING = {
  ...{ symbol, listClientOrderId: "L", workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY" },
  ...{ workingPrice: 20000, workingQuantity: 1, workingClientOrderId: "w", pendingSide: "SELL" },
};
const PENDING = {
  ...{ pendingType: "LIMIT", pendingTimeInForce: "GTC", pendingPrice: 21000, pendingClientOrderId: "p" },
};
const PAIR = {
  ...{ pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: 21000, pendingAboveClientOrderId: "above" },
  ...{ pendingBelowType: "STOP_LOSS", pendingBelowStopPrice: 19000, pendingBelowClientOrderId: "below" },
};
const REQUESTS = {
  oto: { ...WORKING, ...PENDING, pendingQuantity: 1 },
  otoco: { ...WORKING, ...PAIR, pendingQuantity: 1 },
  opo: { ...WORKING, ...PENDING },
  opoco: { ...WORKING, ...PAIR },
};
type Kind = keyof typeof REQUESTS;
const KINDS = Object.keys(REQUESTS) as Kind[];

/** An exchange with the last price 20000 and an empty book; its first two orders are filled. */
async function tradedVenue(options = {}): Promise<TestVenue> {
  const venue = new TestVenue(options);
  await sell(venue, "0.001");
  await venue.order({ price: 20000, quantity: "0.001" }, { key: venue.maker });
  return venue;
}

const sell = (venue: TestVenue, quantity: string) =>
  venue.order({ side: "SELL", price: 20000, quantity }, { key: venue.maker });
const place = (venue: TestVenue, kind: Kind, parameters: Parameters = {}) =>
  venue.signed("POST", `/api/v3/orderList/${kind}`, { ...REQUESTS[kind], ...parameters });
const get = async (venue: TestVenue, path: string, parameters: Parameters = {}) =>
  (await venue.signed("GET", `/api/v3/${path}`, parameters)).json;
const statuses = async (venue: TestVenue): Promise<string[]> =>
  (await get(venue, "allOrders", { symbol })).map((one: Parameters) => `${one["clientOrderId"]} ${one["status"]}`);
const lockedBase = async (venue: TestVenue): Promise<string | undefined> =>
  (await get(venue, "account")).balances.find((one: { asset: string }) => one.asset === "BTC")?.locked;

test("OTO: the answer, the lookups, and what a complete fill places", async () => {
  const venue = await tradedVenue();
  const { json, status } = await place(venue, "oto");
  assert.equal(status, 200, JSON.stringify(json));
  const { orderReports, ...list } = json;
  assert.deepEqual(list, {
    orderListId: 1,
    contingencyType: "OTO",
    listStatusType: "EXEC_STARTED",
    listOrderStatus: "EXECUTING",
    listClientOrderId: "L",
    transactionTime: START_MS,
    symbol,
    orders: [
      { symbol, orderId: 3, clientOrderId: "w" },
      { symbol, orderId: 4, clientOrderId: "p" },
    ],
  });
  const [working, pending] = orderReports;
  assert.deepEqual([working.status, working.workingTime, working.price], ["NEW", START_MS, "20000.00000000"]);
  const { commission: _paid, commissionAsset: _asset, ...report } = pending;
  assert.deepEqual(report, {
    ...{ symbol, orderId: 4, orderListId: 1, clientOrderId: "p", transactTime: START_MS },
    ...{ price: "21000.00000000", origQty: "1.00000000", executedQty: "0.00000000" },
    ...{ cummulativeQuoteQty: "0.00000000", origQuoteOrderQty: "0.00000000", status: "PENDING_NEW" },
    ...{ timeInForce: "GTC", type: "LIMIT", side: "SELL", selfTradePreventionMode: "NONE", workingTime: -1 },
  });
  const open = await get(venue, "openOrders", { symbol });
  assert.deepEqual(
    open.map((one: Parameters) => [one["status"], one["isWorking"], one["workingTime"]]),
    [
      ["NEW", true, START_MS],
      ["PENDING_NEW", false, -1],
    ],
  );
  assert.equal((await get(venue, "order", { symbol, orderId: 4 })).status, "PENDING_NEW");
  assert.deepEqual(await get(venue, "orderList", { origClientOrderId: "L" }), list);
  assert.deepEqual(await get(venue, "openOrderList"), [list]);

  await sell(venue, "0.4");
  assert.equal((await get(venue, "order", { symbol, orderId: 4 })).status, "PENDING_NEW");
  venue.nowMs += 1000;
  await sell(venue, "0.6");
  assert.deepEqual(await statuses(venue), ["w FILLED", "p NEW"]);
  const released = await get(venue, "order", { symbol, orderId: 4 });
  assert.deepEqual([released.isWorking, released.workingTime], [true, START_MS + 1000]);
  assert.deepEqual([released.time, released.updateTime], [START_MS, START_MS + 1000]);
  const [ended] = await get(venue, "allOrderList");
  assert.deepEqual([ended.listStatusType, ended.contingencyType], ["ALL_DONE", "OTO"]);
  assert.deepEqual(await get(venue, "openOrderList"), []);
  venue.engine.checkInvariants();
});

test("OTOCO: the pair waits as three orders, goes on as an OCO, and one leg ends the other", async () => {
  const venue = await tradedVenue();
  const { json } = await place(venue, "otoco");
  assert.deepEqual(
    json.orderReports.map((one: Parameters) => [one["clientOrderId"], one["type"], one["side"], one["status"]]),
    [
      ["w", "LIMIT", "BUY", "NEW"],
      ["below", "STOP_LOSS", "SELL", "PENDING_NEW"],
      ["above", "LIMIT_MAKER", "SELL", "PENDING_NEW"],
    ],
  );
  await sell(venue, "1");
  assert.deepEqual(await statuses(venue), ["w FILLED", "below NEW", "above NEW"]);
  assert.equal((await get(venue, "orderList", { orderListId: 1 })).listOrderStatus, "EXECUTING");
  await venue.order({ price: 21000, quantity: "0.1" }, { key: venue.maker });
  assert.deepEqual(await statuses(venue), ["w FILLED", "below EXPIRED", "above PARTIALLY_FILLED"]);
  assert.equal((await get(venue, "orderList", { orderListId: 1 })).listOrderStatus, "ALL_DONE");
});

test("OTOCO to sell first: the stop leg of the pair is above", async () => {
  const venue = await tradedVenue();
  const { json } = await place(venue, "otoco", {
    ...{ workingSide: "SELL", workingPrice: 20500, pendingSide: "BUY" },
    ...{ pendingAboveType: "STOP_LOSS_LIMIT", pendingAbovePrice: 22000, pendingAboveStopPrice: 21500 },
    ...{ pendingAboveTimeInForce: "GTC", pendingBelowType: "TAKE_PROFIT", pendingBelowStopPrice: 19000 },
  });
  assert.deepEqual(
    json.orderReports.map((one: Parameters) => [one["clientOrderId"], one["type"]]),
    [
      ["w", "LIMIT"],
      ["above", "STOP_LOSS_LIMIT"],
      ["below", "TAKE_PROFIT"],
    ],
  );
});

test("OPO and OPOCO: no quantity in the answer; what is bought is locked, then sold", async () => {
  for (const kind of ["opo", "opoco"] as const) {
    const venue = await tradedVenue();
    const before = await lockedBase(venue);
    const { json } = await place(venue, kind, { newOrderRespType: "FULL" });
    const [working, ...pending] = json.orderReports;
    assert.equal(working.origQty, "1.00000000");
    for (const one of pending) assert.deepEqual(["origQty" in one, one.status, one.fills], [false, "PENDING_NEW", []]);
    const id = pending[0].orderId;
    assert.equal((await get(venue, "order", { symbol, orderId: id })).origQty, "0.00000000");
    await sell(venue, "0.4");
    assert.notEqual(await lockedBase(venue), before);
    await sell(venue, "0.6");
    assert.notEqual((await get(venue, "order", { symbol, orderId: id })).origQty, "0.00000000");
    venue.engine.checkInvariants();
  }
});

test("a working order that is filled at once: the answer shows pending orders as placed", async () => {
  for (const kind of KINDS) {
    const venue = await tradedVenue();
    await sell(venue, "1");
    const { json } = await place(venue, kind, { newOrderRespType: "FULL" });
    const [working, ...pending] = json.orderReports;
    assert.deepEqual([working.status, working.fills.length], ["FILLED", 1], kind);
    assert(pending.every((one: Parameters) => one["status"] === "PENDING_NEW"));
    assert.equal(json.listOrderStatus, "EXECUTING");
    assert.deepEqual(
      (await statuses(venue)).slice(1),
      pending.map((one: Parameters) => `${one["clientOrderId"]} NEW`),
    );
  }
});

test("a working order that is filled at once: the answer does not show that a pending order was rejected", async () => {
  for (const kind of KINDS) {
    const venue = await tradedVenue();
    await sell(venue, "1");
    // The stop price of a SELL is above the last price, so it is reached already.
    const single = { pendingType: "STOP_LOSS_LIMIT", pendingStopPrice: 20500 };
    const { json } = await place(venue, kind, kind.endsWith("co") ? { pendingBelowStopPrice: 20500 } : single);
    const [working, ...pending] = json.orderReports;
    assert.deepEqual([working.status, json.listOrderStatus], ["FILLED", "EXECUTING"], kind);
    assert(pending.every((one: Parameters) => one["status"] === "PENDING_NEW"));
    assert.deepEqual(
      (await statuses(venue)).slice(1),
      pending.map((one: Parameters) => `${one["clientOrderId"]} EXPIRED`),
    );
  }
});

test("a working order that expires at once ends the list, also in the answer", async () => {
  const venue = await tradedVenue();
  const { json } = await place(venue, "oto", { workingTimeInForce: "IOC" });
  assert.deepEqual([json.listStatusType, json.listOrderStatus], ["ALL_DONE", "ALL_DONE"]);
  assert.deepEqual(
    json.orderReports.map((one: Parameters) => [one["status"], one["expiryReason"]]),
    [
      ["EXPIRED", "UNFILLED_IOC_QUANTITY_EXPIRED"],
      ["EXPIRED", "OTO_PHASE_ONE_EXPIRED"],
    ],
  );
  const [first] = (await get(venue, "allOrders", { symbol })).slice(-1);
  assert.equal(first.expiryReason, "OTO_PHASE_ONE_EXPIRED");
});

test("cancel: the list, or any of its orders, ends all of them", async () => {
  for (const [path, parameters] of [
    ["orderList", { listClientOrderId: "L" }],
    ["order", { origClientOrderId: "w" }],
    ["order", { origClientOrderId: "p" }],
    ["openOrders", {}],
  ] as const) {
    const venue = await tradedVenue();
    await place(venue, "oto");
    const { json } = await venue.signed("DELETE", `/api/v3/${path}`, { symbol, ...parameters });
    const [answer] = Array.isArray(json) ? json : [json];
    assert.deepEqual([answer.contingencyType, answer.listOrderStatus], ["OTO", "ALL_DONE"], path);
    assert.deepEqual(
      answer.orderReports.map((one: Parameters) => [one["origClientOrderId"], one["status"], one["origQty"]]),
      [
        ["w", "CANCELED", "1.00000000"],
        ["p", "CANCELED", "1.00000000"],
      ],
    );
  }
});

test("parameters of each order: strategies, icebergs, trailing deltas and one mode for all", async () => {
  const venue = await tradedVenue();
  const { json } = await place(venue, "otoco", {
    ...{ workingStrategyId: 1, workingStrategyType: 1_000_001, workingIcebergQty: "0.5" },
    ...{ pendingAboveStrategyId: 2, pendingBelowStrategyId: 3, pendingBelowTrailingDelta: 100 },
    ...{ pendingAboveIcebergQty: "0.25", selfTradePreventionMode: "EXPIRE_TAKER" },
  });
  const names = ["strategyId", "strategyType", "icebergQty", "trailingDelta", "selfTradePreventionMode"];
  assert.deepEqual(
    json.orderReports.map((one: Parameters) => names.map((name) => one[name])),
    [
      [1, 1_000_001, "0.50000000", undefined, "EXPIRE_TAKER"],
      [3, undefined, undefined, 100, "EXPIRE_TAKER"],
      [2, undefined, "0.25000000", undefined, "EXPIRE_TAKER"],
    ],
  );
  const ack = await place(venue, "opo", {
    ...{ newOrderRespType: "ACK", listClientOrderId: "M", workingClientOrderId: "x", pendingClientOrderId: "y" },
  });
  for (const one of ack.json.orderReports) {
    assert.deepEqual(Object.keys(one), ["symbol", "orderId", "orderListId", "clientOrderId", "transactTime"]);
  }
});

test("invalid lists", async () => {
  const venue = await tradedVenue();
  const refused = async (kind: Kind, parameters: Parameters, code: number, msg: string) =>
    assertRefused(await place(venue, kind, parameters), 400, code, msg);
  const missing = (name: string) => `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
  await refused("oto", { pendingPrice: "" }, -1102, missing("pendingPrice"));
  await refused("oto", { workingTimeInForce: "" }, -1102, missing("workingTimeInForce"));
  await refused("oto", { workingPrice: "" }, -1102, missing("workingPrice"));
  await refused("opo", { workingQuantity: "" }, -1102, missing("workingQuantity"));
  await refused("oto", { workingType: "MARKET" }, -1116, "Invalid orderType.");
  await refused("oto", { pendingStopPrice: 1 }, -1106, "Parameter 'pendingStopPrice' sent when not required.");
  await refused("opo", { workingSide: "SELL" }, -1222, "Working order in an OPO list must be a bid.");
  await refused("opoco", { pendingSide: "BUY" }, -1223, "Pending orders in an OPO list must be asks.");
  const tag = "Pending orders should not include the 'pendingQuantity' tag.";
  await refused("opo", { pendingQuantity: 1 }, -1225, tag);
  await refused("opoco", { pendingQuantity: 1 }, -1225, tag);
  await refused("otoco", { pendingAboveType: "LIMIT" }, -1158, "Order type not supported in OCO.");
  const unread = "Not all sent parameters were read; read '16' parameter(s) but was sent '17'.";
  await refused("oto", { workingFloor: "EXCHANGE" }, -1104, unread);
  await refused("oto", { pendingClientOrderId: "w" }, -2010, "Duplicate order sent.");
  await place(venue, "oto");
  const others = { workingClientOrderId: "w2", pendingClientOrderId: "p2" };
  await refused("oto", others, -2010, "Duplicate order sent.");
  const rich = { ...others, listClientOrderId: "M", workingQuantity: 1_000_000 };
  const { json } = await place(venue, "oto", rich);
  assert([-1013, -2010].includes(json.code), JSON.stringify(json));
});

test("symbols that do not allow such lists say so, and reject them", async () => {
  for (const [spec, kind, msg] of [
    [{ otoAllowed: false }, "oto", "OTO orders are not supported for this symbol."],
    [{ opoAllowed: false }, "opo", "OPO orders are not supported for this symbol."],
    [{ ocoAllowed: false }, "otoco", "OCO orders are not supported for this symbol"],
    [{ orderTypes: ["LIMIT", "LIMIT_MAKER"] }, "otoco", "Stop loss orders are not supported for this symbol."],
  ] as const) {
    const venue = await tradedVenue();
    venue.listSymbol("ETH/USDT", {}, spec);
    const { symbols } = (await venue.public("/api/v3/exchangeInfo")).json;
    const allowed = (name: string): boolean[] => {
      const { otoAllowed, opoAllowed } = symbols.find((one: Parameters) => one["symbol"] === name);
      return [otoAllowed, opoAllowed];
    };
    assert.deepEqual(allowed(symbol), [true, true]);
    assert.deepEqual(allowed("ETHUSDT"), [!("otoAllowed" in spec), !("opoAllowed" in spec)]);
    assertRefused(await place(venue, kind, { symbol: "ETHUSDT" }), 400, -2010, msg);
  }
});

test("a list counts as two or three orders", async () => {
  for (const [kind, count] of [
    ["oto", 2],
    ["otoco", 3],
    ["opo", 2],
    ["opoco", 3],
  ] as const) {
    const venue = await tradedVenue();
    const used = async (): Promise<number> => (await get(venue, "rateLimit/order")).at(-1).count;
    const before = await used();
    await place(venue, kind);
    assert.equal(await used(), before + count, kind);
  }
});
