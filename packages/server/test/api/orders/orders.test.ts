/** Orders through the whole gateway, with a real engine and history. Interface 4.2, 2.2, 2.3. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

test("ACK, RESULT and FULL, and the default", async () => {
  const venue = new TestVenue();
  await venue.order({ side: "SELL", price: 20000, quantity: 1 }, { key: venue.maker });
  const ack = await venue.order({ price: 10000, quantity: 0.5, newClientOrderId: "mine", newOrderRespType: "ACK" });
  assert.deepEqual(ack.json, {
    symbol: "BTCUSDT",
    orderId: 2,
    orderListId: -1,
    clientOrderId: "mine",
    transactTime: START_MS,
  });
  const result = await venue.order({ price: 20000, quantity: 0.25, newOrderRespType: "RESULT", newClientOrderId: "r" });
  const state = {
    symbol: "BTCUSDT",
    orderId: 3,
    orderListId: -1,
    clientOrderId: "r",
    transactTime: START_MS,
    price: "20000.00000000",
    origQty: "0.25000000",
    executedQty: "0.25000000",
    cummulativeQuoteQty: "5000.00000000",
    origQuoteOrderQty: "0.00000000",
    status: "FILLED",
    timeInForce: "GTC",
    type: "LIMIT",
    side: "BUY",
    selfTradePreventionMode: "NONE",
    workingTime: START_MS,
    commission: "0.00050000",
    commissionAsset: "BTC",
  };
  assert.deepEqual(result.json, state);
  const full = await venue.order({ price: 20000, quantity: 0.25, newClientOrderId: "f" });
  const fill = {
    price: "20000.00000000",
    qty: "0.25000000",
    commission: "0.00050000",
    commissionAsset: "BTC",
    tradeId: 2,
  };
  assert.deepEqual(full.json, { ...state, orderId: 4, clientOrderId: "f", fills: [fill] });
  const limitMaker = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT_MAKER", price: 9000, quantity: 1 };
  const maker = await venue.signed("POST", "/api/v3/order", limitMaker);
  assert.deepEqual(Object.keys(maker.json), ["symbol", "orderId", "orderListId", "clientOrderId", "transactTime"]);
});

test("a market order walks the book; the unfilled rest expires", async () => {
  const venue = new TestVenue();
  for (const price of [20000, 20001]) await venue.order({ side: "SELL", price, quantity: 1 }, { key: venue.maker });
  await venue.order({ price: 20000, quantity: 0.5 });
  const { json } = await venue.order({ type: "MARKET", quantity: 3 });
  assert.equal(json.status, "EXPIRED");
  assert.equal(json.executedQty, "1.50000000");
  assert.equal(json.price, "0.00000000");
  assert.equal(json.cummulativeQuoteQty, "30001.00000000");
  assert.deepEqual(
    json.fills.map(({ price, qty }: { price: string; qty: string }) => [price, qty]),
    [
      ["20000.00000000", "0.50000000"],
      ["20001.00000000", "1.00000000"],
    ],
  );
});

test("quoteOrderQty buys for an amount of the quote asset", async () => {
  const venue = new TestVenue();
  await venue.order({ side: "SELL", price: 20000, quantity: 1 }, { key: venue.maker });
  await venue.order({ price: 20000, quantity: 0.5 });
  const { json } = await venue.order({ type: "MARKET", quoteOrderQty: "1000.00" });
  assert.equal(json.executedQty, "0.05000000");
  assert.equal(json.origQuoteOrderQty, "1000.00000000");
  assert.equal(json.status, "FILLED");
});

test("prices and quantities that are not representable fail the filters of the symbol", async () => {
  const venue = new TestVenue();
  const { seq } = venue.engine;
  const table: readonly [Record<string, string | number>, number, string][] = [
    [{ price: "10000.001", quantity: 1 }, -1013, "Filter failure: PRICE_FILTER"],
    [{ price: "99999999999999999999", quantity: 1 }, -1013, "Filter failure: PRICE_FILTER"],
    [{ price: 10000, quantity: "0.0000001" }, -1013, "Filter failure: LOT_SIZE"],
    [{ price: 10000, quantity: "99999999999999999999" }, -1013, "Filter failure: LOT_SIZE"],
    [{ price: 10000, quantity: "0.0001" }, -1013, "Filter failure: MIN_NOTIONAL"],
    [{ price: "0.123456789", quantity: 1 }, -1111, "Precision is over the maximum defined for this asset."],
    [{ price: 0, quantity: 1 }, -1013, "Invalid price."],
    [{ price: 10000, quantity: 0 }, -1013, "Invalid quantity."],
    [
      { price: "1e4", quantity: 1 },
      -1100,
      "Illegal characters found in parameter 'price'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
    ],
    [{ price: 100000, quantity: 1000 }, -2010, "Account has insufficient balance for requested action."],
  ];
  for (const [parameters, code, msg] of table) {
    assertRefused(await venue.order(parameters), 400, code, msg);
    const tested = await venue.signed("POST", "/api/v3/order/test", {
      ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC" },
      ...parameters,
    });
    if (code === -2010) assert.deepEqual(tested.json, {}, "order/test does not look at funds");
    else assertRefused(tested, 400, code, msg);
  }
  assert.equal(venue.engine.openOrders(venue.trader.accountId).length, 0);
  assert.ok(venue.engine.seq > seq, "filters are the engine's");
});

test("order/test changes nothing", async () => {
  const venue = new TestVenue();
  const { seq } = venue.engine;
  const hash = venue.engine.eventDigest();
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: 1, quantity: 100 };
  const answer = await venue.signed("POST", "/api/v3/order/test", order);
  assert.deepEqual(answer.json, {});
  assert.equal(answer.headers.get("x-mbx-order-count-1s"), undefined);
  assert.equal(venue.engine.seq, seq);
  assert.equal(venue.engine.eventDigest(), hash);
});

test("client order ids: generated ones are 22 letters and digits, duplicates among open orders are rejected", async () => {
  const venue = new TestVenue();
  const ids = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const { json } = await venue.order({ price: 10000, quantity: 0.01, timeInForce: "IOC" });
    assert.match(json.clientOrderId, /^[A-Za-z0-9]{22}$/);
    ids.add(json.clientOrderId);
  }
  assert.equal(ids.size, 500);
  assert.equal((await venue.order({ price: 10000, quantity: 0.01, newClientOrderId: "a.B:/_-" })).status, 200);
  const again = await venue.order({ price: 10000, quantity: 0.01, newClientOrderId: "a.B:/_-" });
  assertRefused(again, 400, -2010, "Duplicate order sent.");
});

test("cancel: by either id, by both if they match", async () => {
  const venue = new TestVenue();
  const place = (id: string) => venue.order({ price: 10000, quantity: 0.5, newClientOrderId: id });
  const cancel = (parameters: Record<string, string | number>) =>
    venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", ...parameters });
  await place("a");
  const answer = await cancel({ origClientOrderId: "a", newClientOrderId: "c" });
  assert.deepEqual(answer.json, {
    symbol: "BTCUSDT",
    origClientOrderId: "a",
    orderId: 1,
    orderListId: -1,
    clientOrderId: "c",
    transactTime: START_MS,
    price: "10000.00000000",
    origQty: "0.50000000",
    executedQty: "0.00000000",
    cummulativeQuoteQty: "0.00000000",
    origQuoteOrderQty: "0.00000000",
    status: "CANCELED",
    timeInForce: "GTC",
    type: "LIMIT",
    side: "BUY",
    selfTradePreventionMode: "NONE",
  });
  await place("b");
  assert.match((await cancel({ orderId: 2 })).json.clientOrderId, /^[A-Za-z0-9]{22}$/);
  await place("d");
  const disagreeing = await cancel({ orderId: 3, origClientOrderId: "x" });
  assertRefused(disagreeing, 400, -2011, "Cancel order is invalid. Check origClOrdId and orderId.");
  assert.equal((await cancel({ orderId: 3, origClientOrderId: "d" })).status, 200);
  for (const unknown of [
    { orderId: 3 },
    { orderId: 0 },
    { orderId: "99999999999999999999" },
    { origClientOrderId: "d" },
  ]) {
    assertRefused(await cancel(unknown), 400, -2011, "Unknown order sent.");
  }
  await place("e");
  assertRefused(await cancel({ orderId: 0, origClientOrderId: "e" }), 400, -2011, "Unknown order sent.");
  const foreign = await venue.signed(
    "DELETE",
    "/api/v3/order",
    { symbol: "BTCUSDT", orderId: 4 },
    { key: venue.maker },
  );
  assertRefused(foreign, 400, -2011, "Unknown order sent.");
  const neither = "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!";
  assertRefused(await cancel({}), 400, -1102, neither);
});

test("cancel all orders of a symbol", async () => {
  const venue = new TestVenue();
  const cancelAll = () => venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  assertRefused(await cancelAll(), 400, -2011, "Unknown order sent.");
  for (const price of [10000, 10001]) await venue.order({ price, quantity: 0.5 });
  await venue.order({ symbol: "ETHBTC", price: "0.05", quantity: 1 });
  await venue.order({ price: 9999, quantity: 0.5 }, { key: venue.maker });
  const { json } = await cancelAll();
  assert.deepEqual(
    json.map((order: { orderId: number; status: string }) => [order.orderId, order.status]),
    [
      [1, "CANCELED"],
      [2, "CANCELED"],
    ],
  );
  assert.equal(json[0].clientOrderId, json[1].clientOrderId, "one cancel, one id");
  assert.equal(venue.engine.openOrders(venue.trader.accountId).length, 1);
});

test("lookup: open orders from memory, closed ones from history, in the same shape", async () => {
  const venue = new TestVenue();
  const status = (parameters: Record<string, string | number>, key = venue.trader) =>
    venue.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", ...parameters }, { key });
  await venue.order({ price: 10000, quantity: 0.5, newClientOrderId: "a" });
  const open = (await status({ orderId: 1 })).json;
  assert.deepEqual(open, {
    symbol: "BTCUSDT",
    orderId: 1,
    orderListId: -1,
    clientOrderId: "a",
    price: "10000.00000000",
    origQty: "0.50000000",
    executedQty: "0.00000000",
    cummulativeQuoteQty: "0.00000000",
    status: "NEW",
    timeInForce: "GTC",
    type: "LIMIT",
    side: "BUY",
    stopPrice: "0.00000000",
    icebergQty: "0.00000000",
    time: START_MS,
    updateTime: START_MS,
    isWorking: true,
    workingTime: START_MS,
    origQuoteOrderQty: "0.00000000",
    selfTradePreventionMode: "NONE",
    commission: "0.00000000",
    commissionAsset: "BTC",
  });
  venue.nowMs += 1000;
  await venue.order({ side: "SELL", price: 10000, quantity: 0.2 }, { key: venue.maker });
  const partly = (await status({ origClientOrderId: "a" })).json;
  const traded = { ...open, executedQty: "0.20000000", cummulativeQuoteQty: "2000.00000000", commission: "0.00020000" };
  assert.deepEqual(partly, { ...traded, status: "PARTIALLY_FILLED", updateTime: START_MS + 1000 });
  venue.nowMs += 1000;
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: 1 });
  const closed = (await status({ orderId: 1, origClientOrderId: "a" })).json;
  assert.deepEqual(closed, { ...traded, status: "CANCELED", updateTime: START_MS + 2000 });
  assert.deepEqual((await status({ origClientOrderId: "a" })).json, closed);
  await venue.order({ price: 10001, quantity: 0.5, newClientOrderId: "a" });
  assert.equal((await status({ origClientOrderId: "a" })).json.orderId, 3, "the latest with that id");
  const missing: [Record<string, string | number>, typeof venue.trader?][] = [
    [{ orderId: 1, origClientOrderId: "b" }],
    [{ orderId: 77 }],
    [{ origClientOrderId: "nosuch" }],
    [{ orderId: 1 }, venue.maker],
    [{ orderId: 3 }, venue.maker],
    [{ orderId: 3, symbol: "ETHBTC" }],
  ];
  for (const [parameters, key] of missing) {
    assertRefused(await status(parameters, key), 400, -2013, "Order does not exist.");
  }
});

test("open orders and all orders, ascending", async () => {
  const venue = new TestVenue();
  for (const price of [10002, 10001, 10000]) await venue.order({ price, quantity: 0.5 });
  await venue.order({ symbol: "ETHBTC", price: "0.05", quantity: 1 });
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: 2 });
  const ids = async (path: string, parameters: Record<string, string | number>) => {
    const answer = await venue.signed("GET", path, parameters);
    return answer.json.map(({ symbol, orderId }: { symbol: string; orderId: number }) => `${symbol} ${orderId}`);
  };
  assert.deepEqual(await ids("/api/v3/openOrders", {}), ["BTCUSDT 1", "BTCUSDT 3", "ETHBTC 4"]);
  assert.deepEqual(await ids("/api/v3/openOrders", { symbol: "BTCUSDT" }), ["BTCUSDT 1", "BTCUSDT 3"]);
  assert.deepEqual(await ids("/api/v3/allOrders", { symbol: "BTCUSDT" }), ["BTCUSDT 1", "BTCUSDT 2", "BTCUSDT 3"]);
  assert.deepEqual(await ids("/api/v3/allOrders", { symbol: "BTCUSDT", limit: 2 }), ["BTCUSDT 2", "BTCUSDT 3"]);
  assert.deepEqual(await ids("/api/v3/allOrders", { symbol: "BTCUSDT", orderId: 2, startTime: 1, endTime: 0 }), [
    "BTCUSDT 2",
    "BTCUSDT 3",
  ]);
});

test("a symbol with coarse quote units is exact too", async () => {
  const venue = new TestVenue();
  await venue.order({ symbol: "BTCKRW", side: "SELL", price: "5000.5", quantity: "0.5" }, { key: venue.maker });
  const { json } = await venue.order({ symbol: "BTCKRW", price: "5000.5", quantity: "0.5" });
  assert.equal(json.cummulativeQuoteQty, "2500.25000000");
  assertRefused(await venue.order({ symbol: "BTCKRW", price: "5000.505", quantity: 1 }), 400, -1111);
});

const openOrders = (venue: TestVenue) => venue.engine.openOrders(venue.trader.accountId);

test("selfTradePreventionMode: every mode is accepted and journaled, other words are rejected", async () => {
  const venue = new TestVenue();
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: 10000, quantity: "0.01" };
  const oco = { symbol: "ETHBTC", side: "SELL", quantity: 1, price: "0.06", stopPrice: "0.04" };
  const legs = { aboveType: "LIMIT_MAKER", abovePrice: "0.06", belowType: "STOP_LOSS", belowStopPrice: "0.04" };
  const calls: readonly [path: string, parameters: Parameters, status: number][] = [
    ["order", order, 200],
    ["order/test", order, 200],
    ["order/cancelReplace", { ...order, cancelReplaceMode: "ALLOW_FAILURE", cancelOrderId: 999_999 }, 409],
    ["order/oco", oco, 200],
    ["orderList/oco", { symbol: "ETHBTC", side: "SELL", quantity: 1, ...legs }, 200],
  ];
  for (const [path, parameters, status] of calls) {
    const send = (selfTradePreventionMode: string) =>
      venue.signed("POST", `/api/v3/${path}`, { ...parameters, selfTradePreventionMode });
    const none = "Data sent for paramter 'selfTradePreventionMode' is not valid.";
    assertRefused(await send("SOMETIMES"), 400, -1130, none);
    const modes = ["NONE", "EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "DECREMENT", "TRANSFER"];
    for (const mode of modes) {
      const before = new Set(openOrders(venue).map(({ orderId }) => orderId));
      assert.equal((await send(mode)).status, status, `${path} ${mode}`);
      const opened = openOrders(venue).filter(({ orderId }) => !before.has(orderId));
      const isOk = opened.every(({ selfTradePrevention }) => selfTradePrevention === mode);
      assert.ok(
        isOk && opened.length === (path === "order/test" ? 0 : path.endsWith("oco") ? 2 : 1),
        `${path} ${mode}`,
      );
    }
  }
});

test("order/test returns the rates of the order with computeCommissionRates=true", async () => {
  const venue = new TestVenue();
  const test = (computeCommissionRates: string) =>
    venue.signed("POST", "/api/v3/order/test", {
      ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: 10000, quantity: "0.01" },
      computeCommissionRates,
    });
  assert.equal((await test("false")).body, "{}");
  const { standardCommissionForOrder, taxCommissionForOrder } = JSON.parse((await test("true")).body);
  const { body } = await venue.signed("GET", "/api/v3/account/commission", { symbol: "BTCUSDT" });
  const { standardCommission } = JSON.parse(body);
  assert.deepEqual(standardCommission, { ...standardCommissionForOrder, buyer: "0.00000000", seller: "0.00000000" });
  assert.match(standardCommissionForOrder.taker, /^0\.00[1-9]\d{5}$/);
  assert.deepEqual(taxCommissionForOrder, { maker: "0.00000000", taker: "0.00000000" });
  assertRefused(await test("1"), 400, -1130, "Data sent for paramter 'computeCommissionRates' is not valid.");
});

test("values that are not representable on a symbol without filters are not filter failures", async () => {
  const venue = new TestVenue();
  const huge = "99999999999";
  const order = { symbol: "ETHBTC", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "0.05", quantity: 1 };
  const place = (parameters: Parameters) => venue.order({ ...order, ...parameters });
  assertRefused(await place({ price: huge }), 400, -1108, "Parameter 'price' overflowed.");
  assertRefused(await place({ quantity: huge }), 400, -1108, "Parameter 'quantity' overflowed.");
  assertRefused(await place({ quantity: 9, icebergQty: huge }), 400, -1108, "Parameter 'icebergQty' overflowed.");
  const stop = { type: "STOP_LOSS_LIMIT", stopPrice: huge };
  assertRefused(await place(stop), 400, -1108, "Parameter 'stopPrice' overflowed.");
  const legs = { aboveType: "LIMIT_MAKER", abovePrice: huge, belowType: "STOP_LOSS", belowStopPrice: "0.04" };
  const list = await venue.signed("POST", "/api/v3/orderList/oco", {
    symbol: "ETHBTC",
    side: "SELL",
    quantity: 1,
    ...legs,
  });
  assertRefused(list, 400, -1108, "Parameter 'abovePrice' overflowed.");
  // With filters, they are filter failures.
  const own = { symbol: "BTCUSDT", price: "10000" };
  assertRefused(await place({ ...own, price: huge }), 400, -1013, "Filter failure: PRICE_FILTER");
  assertRefused(await place({ ...own, price: "10000.001" }), 400, -1013, "Filter failure: PRICE_FILTER");
  assertRefused(await place({ ...own, quantity: huge }), 400, -1013, "Filter failure: LOT_SIZE");
});

test("a scale coarser than the assets, on a symbol without filters: too many decimals", async () => {
  const venue = new TestVenue();
  venue.listSymbol("ETH/USDT", { priceFilter: { minPrice: "0", maxPrice: "0", tickSize: "0.01" } });
  venue.act({ type: "setSymbolFilters", by: "test", symbol: "ETHUSDT", filters: {} });
  const order = { symbol: "ETHUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1 };
  const fine = "Precision is over the maximum defined for this asset.";
  assertRefused(await venue.order({ ...order, price: "3000.001" }), 400, -1111, fine);
  assert.equal((await venue.order({ ...order, price: "3000.010000" })).status, 200);
});
