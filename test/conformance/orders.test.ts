/** Interface 4.2 and 2.2, 2.3: placing, finding and cancelling orders. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Answer, Parameters } from "@pricetime/testkit/client";
import { type Fields, limit, type Market, ok, openMarket, place, PRICE, refused, SYMBOL } from "./market.ts";
import { assertShape } from "./shape.ts";
import { ACK, CANCEL, FULL, ORDER, RESULT } from "./shapes.ts";

let market: Market;
before(async () => {
  market = await openMarket();
});
after(() => market.close());

const post = (parameters: Parameters): Promise<Answer<Fields>> =>
  market.taker.signed<Fields>("POST", "/api/v3/order", parameters);
const find = (parameters: Parameters): Promise<Answer<Fields>> =>
  market.taker.signed<Fields>("GET", "/api/v3/order", { symbol: SYMBOL, ...parameters });
const cancel = (parameters: Parameters): Promise<Answer<Fields>> =>
  market.taker.signed<Fields>("DELETE", "/api/v3/order", { symbol: SYMBOL, ...parameters });
const without = (parameters: Parameters, name: string): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));

test("ACK, RESULT and FULL, and what each type answers by default", async () => {
  for (const [newOrderRespType, shape] of [
    ["ACK", ACK],
    ["RESULT", RESULT],
    ["FULL", FULL],
  ] as const) {
    const order = await place(market.taker, limit("BUY", "0.1", "40000", { newOrderRespType }));
    assertShape(order, shape);
    assert.equal(order.orderListId, -1);
    ok(await cancel({ orderId: order.orderId ?? 0 }));
  }
  const byDefault = await place(market.taker, limit("BUY", "0.1", "40000"));
  assertShape(byDefault, FULL);
  assert.match(String(byDefault.clientOrderId), /^[A-Za-z0-9]{22}$/, "a client id is made when none is sent");
  const resting = await place(
    market.taker,
    without(limit("BUY", "0.1", "40000", { type: "LIMIT_MAKER" }), "timeInForce"),
  );
  assertShape(resting, ACK);
  ok(await market.taker.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL }));
});

test("an order found by either id, then canceled, with its final state", async () => {
  const { orderId } = await place(market.taker, limit("BUY", "0.5", "40000", { newClientOrderId: "mine-1" }));
  for (const by of [{ orderId }, { origClientOrderId: "mine-1" }] as Parameters[]) {
    const order = ok(await find(by));
    assertShape(order, ORDER);
    assert.deepEqual(
      [order.orderId, order.clientOrderId, order.price, order.origQty, order.executedQty, order.status],
      [orderId, "mine-1", "40000.00000000", "0.50000000", "0.00000000", "NEW"],
    );
    assert.deepEqual([order.isWorking, order.stopPrice, order.time], [true, "0.00000000", order.updateTime]);
  }
  const gone = ok(await cancel({ origClientOrderId: "mine-1", newClientOrderId: "cancel-1" }));
  assertShape(gone, CANCEL);
  assert.deepEqual(
    [gone.status, gone.origClientOrderId, gone.clientOrderId, gone.orderId],
    ["CANCELED", "mine-1", "cancel-1", orderId],
  );
  const later = ok(await find({ origClientOrderId: "mine-1" }));
  assert.deepEqual([later.status, later.clientOrderId], ["CANCELED", "mine-1"]);
});

test("fills: maker prices, commissions from what is received", async () => {
  const maker = await place(market.maker, limit("SELL", "0.3", "50000"));
  const taken = await place(market.taker, limit("BUY", "0.1", "50100"));
  assertShape(taken, FULL);
  const [fill] = taken.fills as unknown as Fields[];
  assert.ok(fill);
  assert.deepEqual([fill.price, fill.qty, fill.commissionAsset], [PRICE, "0.10000000", "BTC"]);
  assert.deepEqual(
    [taken.status, taken.executedQty, taken.cummulativeQuoteQty],
    ["FILLED", "0.10000000", "5000.00000000"],
  );
  const account = ok(await market.taker.signed<Fields>("GET", "/api/v3/account"));
  const takerBps = account.takerCommission ?? 0;
  assert.equal(fill.commission, (0.1 * (takerBps / 10_000)).toFixed(8));
  const order = ok(await find({ orderId: taken.orderId ?? 0 }));
  assert.deepEqual([order.commission, order.commissionAsset], [fill.commission, "BTC"]);
  ok(await market.maker.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId: maker.orderId ?? 0 }));
});

test("MARKET by quantity and by cost; what is not there expires", async () => {
  await place(market.maker, limit("SELL", "0.3", "50000"));
  const byQuantity = await place(market.taker, { symbol: SYMBOL, side: "BUY", type: "MARKET", quantity: "0.1" });
  assertShape(byQuantity, FULL);
  assert.deepEqual([byQuantity.status, byQuantity.price, byQuantity.timeInForce], ["FILLED", "0.00000000", "GTC"]);
  const byCost = await place(market.taker, { symbol: SYMBOL, side: "BUY", type: "MARKET", quoteOrderQty: "5000" });
  assert.deepEqual([byCost.status, byCost.executedQty], ["FILLED", "0.10000000"]);
  const tooMuch = await place(market.taker, { symbol: SYMBOL, side: "BUY", type: "MARKET", quantity: "0.5" });
  assert.deepEqual([tooMuch.status, tooMuch.executedQty], ["EXPIRED", "0.10000000"]);
  await place(market.maker, limit("SELL", "0.10000000", "50000.00000000"));
  const costly = await place(market.taker, { symbol: SYMBOL, side: "BUY", type: "MARKET", quoteOrderQty: "9000" });
  assert.deepEqual([costly.status, costly.cummulativeQuoteQty], ["EXPIRED", "5000.00000000"]);
  const nothing = await place(market.taker, { symbol: SYMBOL, side: "BUY", type: "MARKET", quantity: "0.5" });
  assert.deepEqual([nothing.status, nothing.executedQty], ["EXPIRED", "0.00000000"]);
});

test("IOC takes what there is, FOK all or nothing, LIMIT_MAKER nothing", async () => {
  const { orderId = 0 } = await place(market.maker, limit("SELL", "0.3", "50000"));
  const fok = await place(market.taker, limit("BUY", "0.5", "50000", { timeInForce: "FOK" }));
  assert.deepEqual([fok.status, fok.executedQty], ["EXPIRED", "0.00000000"]);
  const maker = without(limit("BUY", "0.1", "50000", { type: "LIMIT_MAKER" }), "timeInForce");
  refused(await post(maker), 400, -2010, "Order would immediately match and take.");
  const ioc = await place(market.taker, limit("BUY", "0.5", "50000", { timeInForce: "IOC" }));
  assert.deepEqual([ioc.status, ioc.executedQty], ["EXPIRED", "0.30000000"]);
  const order = ok(await market.maker.signed<Fields>("GET", "/api/v3/order", { symbol: SYMBOL, orderId }));
  assert.equal(order.status, "FILLED");
});

test("order/test checks everything but funds and changes nothing", async () => {
  const test_ = (parameters: Parameters): Promise<Answer> =>
    market.taker.signed("POST", "/api/v3/order/test", parameters);
  assert.deepEqual(ok(await test_(limit("BUY", "0.5", "40000"))), {});
  assert.deepEqual(ok(await test_(limit("SELL", "8999", "50000"))), {}, "funds are not looked at");
  refused(await test_(limit("BUY", "0.5", "40000.001")), 400, -1013, "Filter failure: PRICE_FILTER");
  const open = ok(await market.taker.signed<unknown[]>("GET", "/api/v3/openOrders", { symbol: SYMBOL }));
  assert.deepEqual(open, []);
});

test("openOrders, allOrders and their windows", async () => {
  const ids: number[] = [];
  for (const price of ["40000", "40001", "40002"]) {
    ids.push((await place(market.taker, limit("BUY", "0.1", price))).orderId ?? 0);
  }
  const list = async (path: string, parameters: Parameters): Promise<number[]> => {
    const rows = ok(await market.taker.signed<Fields[]>("GET", path, parameters));
    assertShape(rows, [ORDER]);
    return rows.map((row) => row.orderId ?? 0);
  };
  assert.deepEqual(await list("/api/v3/openOrders", { symbol: SYMBOL }), ids);
  assert.deepEqual(await list("/api/v3/openOrders", {}), ids);
  assert.deepEqual(await list("/api/v3/openOrders", { symbol: "ETHBTC" }), []);
  assert.deepEqual(await list("/api/v3/allOrders", { symbol: SYMBOL, limit: 2 }), ids.slice(1));
  assert.deepEqual(
    await list("/api/v3/allOrders", { symbol: SYMBOL, orderId: ids[0] ?? 0, limit: 2 }),
    ids.slice(0, 2),
  );
  const now = Date.now();
  assert.deepEqual((await list("/api/v3/allOrders", { symbol: SYMBOL, endTime: now + 1000 })).slice(-3), ids);
  assert.deepEqual(await list("/api/v3/allOrders", { symbol: SYMBOL, startTime: now + 60_000 }), []);
  refused(
    await market.taker.signed("GET", "/api/v3/allOrders", {
      symbol: SYMBOL,
      startTime: now - 86_400_001,
      endTime: now,
    }),
    400,
    -1127,
    "More than 24 hours between startTime and endTime.",
  );
  const gone = ok(await market.taker.signed<Fields[]>("DELETE", "/api/v3/openOrders", { symbol: SYMBOL }));
  assertShape(gone, [CANCEL]);
  assert.equal(gone.length, 3);
  refused(
    await market.taker.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL }),
    400,
    -2011,
    "Unknown order sent.",
  );
});

test("refusals of the engine have the texts that clients know", async () => {
  const { orderId = 0 } = await place(market.taker, limit("BUY", "0.1", "40000", { newClientOrderId: "twice" }));
  refused(await post(limit("BUY", "0.1", "40000", { newClientOrderId: "twice" })), 400, -2010, "Duplicate order sent.");
  ok(await cancel({ orderId }));
  refused(await cancel({ orderId }), 400, -2011, "Unknown order sent.");
  refused(await find({ orderId: 99_999_999 }), 400, -2013, "Order does not exist.");
  refused(
    await post(limit("SELL", "8999", "50000")),
    400,
    -2010,
    "Account has insufficient balance for requested action.",
  );
  ok(await post(limit("BUY", "0.1", "40000", { newClientOrderId: "twice" })));
  ok(await cancel({ origClientOrderId: "twice" }));
});

test("another's order is not there", async () => {
  const { orderId = 0 } = await place(market.maker, limit("SELL", "0.1", "60000"));
  refused(await find({ orderId }), 400, -2013, "Order does not exist.");
  refused(await cancel({ orderId }), 400, -2011, "Unknown order sent.");
  ok(await market.maker.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId }));
});

test("refusals of parameters, in the interface's words", async () => {
  const base = limit("BUY", "0.1", "40000");
  const mandatory = (name: string): string =>
    `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
  const DECIMAL = "^([0-9]{1,20})(\\.[0-9]{1,20})?$";
  const cases: readonly (readonly [Parameters, number, string])[] = [
    [without(base, "symbol"), -1102, mandatory("symbol")],
    [without(base, "side"), -1102, mandatory("side")],
    [without(base, "type"), -1102, mandatory("type")],
    [without(base, "timeInForce"), -1102, mandatory("timeInForce")],
    [without(base, "price"), -1102, mandatory("price")],
    [without(base, "quantity"), -1102, mandatory("quantity")],
    [{ ...base, symbol: "NOSUCH" }, -1121, "Invalid symbol."],
    [{ ...base, side: "buy" }, -1117, "Invalid side."],
    [{ ...base, type: "ODD" }, -1116, "Invalid orderType."],
    [{ ...base, timeInForce: "ODD" }, -1115, "Invalid timeInForce."],
    [{ ...base, price: "-1" }, -1100, `Illegal characters found in parameter 'price'; legal range is '${DECIMAL}'.`],
    [{ ...base, price: "0.000000001" }, -1111, "Precision is over the maximum defined for this asset."],
    [{ ...base, price: "0" }, -1013, "Invalid price."],
    [{ ...base, quantity: "0" }, -1013, "Invalid quantity."],
    [{ ...base, newClientOrderId: "" }, -1105, "Parameter 'newClientOrderId' was empty."],
    [{ ...base, stopPrice: "1" }, -1106, "Parameter 'stopPrice' sent when not required."],
    [{ ...base, recvWindow: 60_001 }, -1131, "recvWindow must be less than 60000"],
    [{ ...base, quantity: "0.0000001" }, -1013, "Filter failure: LOT_SIZE"],
    [{ ...base, price: "40000.001" }, -1013, "Filter failure: PRICE_FILTER"],
    [{ ...base, quantity: "0.0001" }, -1013, "Filter failure: MIN_NOTIONAL"],
  ];
  for (const [parameters, code, msg] of cases) refused(await post(parameters), 400, code, msg);
  refused(await find({}), 400, -1102, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!");
  refused(
    await post({ ...base, unknown: 1 }),
    400,
    -1104,
    "Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
  );
});
