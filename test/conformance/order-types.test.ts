/** Interface 4.2 and 4.3 from outside: every order type and the order list endpoints, field by field. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Answer, Parameters } from "@pricetime/testkit/client";
import { isOnTwoNodes } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { type Fields, limit, type Market, ok, openMarket, place, refused, SYMBOL } from "./market.ts";
import { assertShape } from "./shape.ts";
import { ACK, CANCEL, CANCELED_OCO, FULL, NEW_OCO, ORDER, ORDER_LIST, RESULT } from "./shapes.ts";

let market: Market;
before(async () => {
  market = await openMarket();
  await tradeAt("50000");
});
after(() => market.close());

async function tradeAt(price: string): Promise<void> {
  await place(market.maker, limit("SELL", "0.01", price));
  assert.equal((await place(market.maker, limit("BUY", "0.01", price))).status, "FILLED");
}

const sell = (type: string, more: Parameters): Parameters => ({
  symbol: SYMBOL,
  side: "SELL",
  type,
  quantity: "0.1",
  ...more,
});
const find = async (orderId: number): Promise<Fields> =>
  ok(await market.taker.signed<Fields>("GET", "/api/v3/order", { symbol: SYMBOL, orderId }));

test("4.2: the table of types, all listed, each with what it also requires", async () => {
  const { symbols } = ok(await market.taker.public<{ symbols: Fields[] }>("/api/v3/exchangeInfo"));
  for (const { symbol, orderTypes, icebergAllowed, ocoAllowed } of symbols) {
    assert.equal([...(orderTypes as unknown as string[])].length, 7, symbol);
    assert.deepEqual([icebergAllowed, ocoAllowed], [true, true], symbol);
  }
  const complete: readonly Parameters[] = [
    sell("STOP_LOSS", { stopPrice: "49000" }),
    sell("STOP_LOSS_LIMIT", { stopPrice: "49000", price: "48900", timeInForce: "GTC" }),
    sell("TAKE_PROFIT", { stopPrice: "51000" }),
    sell("TAKE_PROFIT_LIMIT", { stopPrice: "51000", price: "50900", timeInForce: "GTC" }),
  ];
  for (const parameters of complete) {
    for (const path of ["/api/v3/order/test", "/api/v3/order"]) {
      for (const name of ["stopPrice", "price", "timeInForce", "quantity"].filter((one) => one in parameters)) {
        const { [name]: _, ...rest } = parameters;
        const text = `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
        refused(await market.taker.signed("POST", path, rest), 400, -1102, text);
      }
    }
    const ack = await place(market.taker, parameters);
    assertShape(ack, ACK);
    const found = await find(ack.orderId ?? 0);
    assertShape(found, ORDER);
    assert.deepEqual([found.isWorking, found.status, found.type], [false, "NEW", parameters.type]);
    const canceled = await market.taker.signed<Fields>("DELETE", "/api/v3/order", {
      symbol: SYMBOL,
      orderId: ack.orderId ?? 0,
    });
    assertShape(ok(canceled), CANCEL);
    assert.equal(ok(canceled).stopPrice, found.stopPrice);
  }
});

test("4.2: on which side of the market each stop price may stand", async () => {
  const stands = async (type: string, side: string, stopPrice: string): Promise<boolean> => {
    const order = { ...sell(type, { stopPrice }), side };
    const answer = await market.taker.signed("POST", "/api/v3/order/test", order);
    if (answer.status === 200) return true;
    refused(answer, 400, -2010, "Order would trigger immediately.");
    return false;
  };
  for (const [type, side, isAbove] of [
    ["STOP_LOSS", "BUY", true],
    ["TAKE_PROFIT", "SELL", true],
    ["STOP_LOSS", "SELL", false],
    ["TAKE_PROFIT", "BUY", false],
  ] as const) {
    const got = [
      await stands(type, side, "50001"),
      await stands(type, side, "49999"),
      await stands(type, side, "50000"),
    ];
    assert.deepEqual(got, [isAbove, !isAbove, false], `${type} ${side}`);
  }
});

test("4.2: icebergs in each response and in the depth", async () => {
  const iceberg = limit("SELL", "0.5", "52000", { icebergQty: "0.1", newOrderRespType: "FULL" });
  const placed = await place(market.taker, iceberg);
  assertShape(placed, FULL);
  const asks = async (): Promise<string[][]> =>
    ok(await market.taker.public<{ asks: string[][] }>("/api/v3/depth", { symbol: SYMBOL })).asks;
  // A read that names no key may come to a node that has not heard of the order yet.
  const isThere = ({ length }: string[][]): boolean => length > 0 || !isOnTwoNodes;
  const seen = await untilAnswer("the iceberg is in the book", asks, isThere);
  assert.deepEqual(seen, [["52000.00000000", "0.10000000"]]);
  assert.equal((await find(placed.orderId ?? 0)).icebergQty, "0.10000000");
  ok(await market.taker.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL }));
});

const OCO: Parameters = { symbol: SYMBOL, side: "SELL", quantity: "0.1", price: "51000", stopPrice: "49000" };
const oco = (more: Parameters = {}): Promise<Answer<Fields>> =>
  market.taker.signed("POST", "/api/v3/order/oco", { ...OCO, ...more });

test("4.3: the six endpoints of order lists", async () => {
  const placed = ok(await oco({ stopLimitPrice: "48900", stopLimitTimeInForce: "GTC" }));
  assertShape(placed, NEW_OCO);
  const listId = { orderListId: placed.orderListId ?? 0 };
  const look = async (parameters: Parameters): Promise<Fields> =>
    ok(await market.taker.signed<Fields>("GET", "/api/v3/orderList", parameters));
  const { orderReports, ...list } = placed;
  assert.ok(orderReports);
  for (const parameters of [listId, { origClientOrderId: placed.listClientOrderId ?? "" }]) {
    const found = await look(parameters);
    assertShape(found, ORDER_LIST);
    assert.deepEqual(found, list);
  }
  for (const path of ["/api/v3/openOrderList", "/api/v3/allOrderList"]) {
    assert.deepEqual(ok(await market.taker.signed("GET", path)), [list], path);
  }
  const canceled = ok(await market.taker.signed<Fields>("DELETE", "/api/v3/orderList", { symbol: SYMBOL, ...listId }));
  assertShape(canceled, CANCELED_OCO);
  assert.deepEqual(await look(listId), { ...list, listStatusType: "ALL_DONE", listOrderStatus: "ALL_DONE" });
  assert.deepEqual(ok(await market.taker.signed("GET", "/api/v3/openOrderList")), []);

  const legs = { aboveType: "LIMIT_MAKER", abovePrice: "51000", belowType: "STOP_LOSS", belowStopPrice: "49000" };
  const pair = { symbol: SYMBOL, side: "SELL", quantity: "0.1", ...legs };
  const named = ok(await market.taker.signed<Fields>("POST", "/api/v3/orderList/oco", pair));
  assertShape(named, NEW_OCO);
  const [stop] = named.orders as unknown as Fields[];
  const byLeg = await market.taker.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId: stop?.orderId ?? 0 });
  assertShape(ok(byLeg), CANCELED_OCO);
});

test("4.3: price rules, and 7.5: what lists are refused for", async () => {
  const badPrices = "The relationship of the prices for the orders is not correct.";
  for (const more of [{ price: "50000" }, { stopPrice: "50000" }, { price: "49500" }, { side: "BUY" }]) {
    refused(await oco(more), 400, -2010, badPrices);
  }
  refused(
    await market.taker.signed("GET", "/api/v3/orderList", { orderListId: 999 }),
    400,
    -2013,
    "Order list does not exist.",
  );
  const cancel = market.taker.signed("DELETE", "/api/v3/orderList", { symbol: SYMBOL, orderListId: 999 });
  refused(await cancel, 400, -2011, "Unknown order sent.");
});

test("3: when the stop triggers, the limit leg ends and the stop leg runs", async () => {
  const placed = ok(await oco());
  const [stop, maker] = placed.orders as unknown as Fields[];
  await place(market.maker, limit("BUY", "0.1", "48900"));
  await tradeAt("49000");
  const ran = await find(stop?.orderId ?? 0);
  assert.deepEqual([ran.status, ran.isWorking, ran.cummulativeQuoteQty], ["FILLED", true, "4890.00000000"]);
  assert.equal((await find(maker?.orderId ?? 0)).status, "EXPIRED");
  await tradeAt("50000");
});

test("cancelReplace: done, partly failed, failed", async () => {
  const old = await place(market.taker, limit("SELL", "0.1", "51000"));
  const replace = (more: Parameters): Promise<Answer<Record<string, Fields>>> =>
    market.taker.signed("POST", "/api/v3/order/cancelReplace", {
      ...limit("SELL", "0.1", "52000"),
      cancelReplaceMode: "STOP_ON_FAILURE",
      cancelOrderId: old.orderId ?? 0,
      ...more,
    });
  const done = ok(await replace({ newOrderRespType: "RESULT" }));
  assertShape(done.cancelResponse, CANCEL);
  assertShape(done.newOrderResponse, RESULT);
  const failed = await replace({});
  assert.deepEqual([failed.status, failed.json.code], [400, -2022]);
  const partly = await replace({ cancelReplaceMode: "ALLOW_FAILURE" });
  assert.deepEqual([partly.status, partly.json.code], [409, -2021]);
  assert.equal(ok(await market.taker.signed<[]>("DELETE", "/api/v3/openOrders", { symbol: SYMBOL })).length, 2);
});
