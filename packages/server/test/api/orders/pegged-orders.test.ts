/** Pegged orders through the whole gateway. Interface 4.2, 4.3, decision 107. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, TestVenue } from "@pricetime/testkit/gateway-venue";

const symbol = "BTCUSDT";
const SECOND = { pegOffsetType: "PRICE_LEVEL", pegOffsetValue: 1 };
const LIMIT = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1 };

/** An exchange with the last price 20000, bids at 19900 and 19700, and asks at 20100 and 20300. */
async function quotedVenue(options = {}): Promise<TestVenue> {
  const venue = new TestVenue(options);
  const made = async (side: string, price: number): Promise<void> => {
    const { status, json } = await venue.order({ side, price, quantity: "0.5" }, { key: venue.maker });
    assert.equal(status, 200, JSON.stringify(json));
  };
  await made("SELL", 20000);
  await made("BUY", 20000);
  for (const price of [19900, 19700]) await made("BUY", price);
  for (const price of [20100, 20300]) await made("SELL", price);
  return venue;
}

const place = (venue: TestVenue, parameters: Parameters) =>
  venue.signed("POST", "/api/v3/order", { ...LIMIT, newOrderRespType: "RESULT", ...parameters });
const get = async (venue: TestVenue, path: string, parameters: Parameters) =>
  (await venue.signed("GET", `/api/v3/${path}`, { symbol, ...parameters })).json;
const pegOf = (order: Parameters): unknown[] =>
  ["price", "pegPriceType", "pegOffsetType", "pegOffsetValue", "peggedPrice"].map((name) => order[name]);

test("the order takes the price of a level of the book, which every answer shows", async () => {
  const venue = await quotedVenue();
  const { json } = await place(venue, { pegPriceType: "PRIMARY_PEG", ...SECOND });
  const fields = ["0.00000000", "PRIMARY_PEG", "PRICE_LEVEL", 1, "19700.00000000"];
  assert.deepEqual([json.status, ...pegOf(json)], ["NEW", ...fields]);
  const { orderId } = json;
  assert.deepEqual(pegOf(await get(venue, "order", { orderId })), fields);
  assert.deepEqual((await get(venue, "openOrders", {})).map(pegOf), [fields]);
  assert.deepEqual(pegOf((await get(venue, "allOrders", {})).at(-1)), fields);
  const { bids } = (await venue.public("/api/v3/depth", { symbol })).json;
  assert.deepEqual(bids[1], ["19700.00000000", "1.50000000"]);
  const amended = await venue.signed("PUT", "/api/v3/order/amend/keepPriority", { symbol, orderId, newQty: "0.5" });
  assert.deepEqual(pegOf(amended.json.amendedOrder), fields);
  const canceled = await venue.signed("DELETE", "/api/v3/order", { symbol, orderId });
  assert.deepEqual([canceled.json.status, ...pegOf(canceled.json)], ["CANCELED", ...fields]);
  assert.deepEqual(pegOf(await get(venue, "order", { orderId })), fields);
  venue.engine.checkInvariants();
});

test("at the best price of the other side it trades; its own price bounds it", async () => {
  const venue = await quotedVenue();
  const { json: taken } = await place(venue, {
    pegPriceType: "MARKET_PEG",
    timeInForce: "IOC",
    newOrderRespType: "FULL",
  });
  assert.deepEqual([taken.status, taken.executedQty], ["EXPIRED", "0.50000000"]);
  assert.deepEqual(pegOf(taken), ["0.00000000", "MARKET_PEG", undefined, undefined, "20100.00000000"]);
  assert.equal(taken.fills[0].price, "20100.00000000");
  const { json: rests } = await place(venue, { pegPriceType: "MARKET_PEG", price: 20200 });
  assert.deepEqual(pegOf(rests), ["20200.00000000", "MARKET_PEG", undefined, undefined, "20300.00000000"]);
  const { bids } = (await venue.public("/api/v3/depth", { symbol })).json;
  assert.deepEqual(bids[0], ["20200.00000000", "1.00000000"]);
});

test("a stop order takes its price when it is triggered, and is rejected or expires without one", async () => {
  const venue = await quotedVenue();
  const stop = { side: "SELL", type: "STOP_LOSS_LIMIT", stopPrice: 19900, quantity: "0.1" };
  const { json } = await place(venue, { ...stop, pegPriceType: "PRIMARY_PEG" });
  assert.deepEqual(pegOf(json), ["0.00000000", "PRIMARY_PEG", undefined, undefined, undefined]);
  const { json: deep } = await place(venue, { ...stop, pegPriceType: "PRIMARY_PEG", ...SECOND, pegOffsetValue: 100 });
  await venue.order({ side: "SELL", price: 19900, quantity: "0.1" }, { key: venue.maker });
  const triggered = await get(venue, "order", { orderId: json.orderId });
  assert.deepEqual([triggered.isWorking, triggered.peggedPrice], [true, "20100.00000000"]);
  const expired = await get(venue, "order", { orderId: deep.orderId });
  assert.deepEqual([expired.status, expired.expiryReason, expired.peggedPrice], ["EXPIRED", "REJECTED", undefined]);
  venue.engine.checkInvariants();
});

test("orders that cannot be pegged", async () => {
  const venue = await quotedVenue();
  const refused = async (parameters: Parameters, msg: string, code = -2010): Promise<void> =>
    assertRefused(await place(venue, parameters), 400, code, msg);
  const [own, other] = [{ pegPriceType: "PRIMARY_PEG" }, { pegPriceType: "MARKET_PEG" }];
  const { timeInForce: _, ...plain } = LIMIT;
  const typeless = "This order type may not use pegged price.";
  for (const type of ["MARKET", "STOP_LOSS", "TAKE_PROFIT"]) {
    const order = { ...plain, type, ...(type === "MARKET" ? {} : { stopPrice: 21000 }), ...other };
    assertRefused(await venue.signed("POST", "/api/v3/order", order), 400, -2010, typeless);
    assertRefused(await venue.signed("POST", "/api/v3/order/test", order), 400, -2010, typeless);
  }
  const peg = "This price peg cannot be used with this order type.";
  await refused({ ...own, timeInForce: "IOC" }, peg);
  await refused({ ...own, timeInForce: "FOK" }, peg);
  assertRefused(
    await venue.signed("POST", "/api/v3/order", { ...plain, type: "LIMIT_MAKER", ...other }),
    400,
    -2010,
    peg,
  );
  await refused({ ...own, ...SECOND, pegOffsetValue: 2 }, "Order book liquidity is too low for this pegged order.");
  await refused({ pegPriceType: "X" }, "Invalid pegPriceType.", -1210);
  await refused({ ...own, ...SECOND, pegOffsetType: "X" }, "Invalid pegOffsetType.", -1211);
  const together = "Fields [pegOffsetType, pegOffsetValue] must be sent together or omitted entirely.";
  await refused({ ...own, pegOffsetValue: 1 }, together, -1128);
  await refused({ ...own, pegOffsetType: "PRICE_LEVEL" }, together, -1128);
  await refused({ price: 19000, ...SECOND }, "Parameter 'pegOffsetType' sent when not required.", -1106);
  await refused(
    { ...own, ...SECOND, pegOffsetValue: 101 },
    "Data sent for paramter 'pegOffsetValue' is not valid.",
    -1130,
  );
});

test("lists and replacements: each order has its own peg", async () => {
  const venue = await quotedVenue();
  const legs = { aboveType: "LIMIT_MAKER", abovePegPriceType: "PRIMARY_PEG", abovePegOffsetType: "PRICE_LEVEL" };
  const below = {
    belowType: "STOP_LOSS_LIMIT",
    belowTimeInForce: "GTC",
    belowStopPrice: 19500,
    belowPegPriceType: "MARKET_PEG",
  };
  const { json: list } = await venue.signed("POST", "/api/v3/orderList/oco", {
    ...{ symbol, side: "SELL", quantity: 1, abovePegOffsetValue: 1, ...legs, ...below },
  });
  assert.deepEqual(list.orderReports?.map(pegOf), [
    ["0.00000000", "MARKET_PEG", undefined, undefined, undefined],
    ["0.00000000", "PRIMARY_PEG", "PRICE_LEVEL", 1, "20300.00000000"],
  ]);
  const [, maker] = list.orderReports;
  const { json } = await venue.signed("POST", "/api/v3/order/cancelReplace", {
    ...{ ...LIMIT, pegPriceType: "PRIMARY_PEG", cancelReplaceMode: "STOP_ON_FAILURE", newOrderRespType: "RESULT" },
    cancelOrderId: maker.orderId,
  });
  assert.equal(json.newOrderResponse?.peggedPrice, "19900.00000000", JSON.stringify(json));
  const { json: oto } = await venue.signed("POST", "/api/v3/orderList/oto", {
    ...{ symbol, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingQuantity: "0.1" },
    ...{ workingPegPriceType: "PRIMARY_PEG", pendingSide: "SELL", pendingQuantity: "0.1", pendingType: "LIMIT_MAKER" },
    pendingPegPriceType: "PRIMARY_PEG",
  });
  assert.deepEqual(oto.orderReports?.map(pegOf), [
    ["0.00000000", "PRIMARY_PEG", undefined, undefined, "19900.00000000"],
    ["0.00000000", "PRIMARY_PEG", undefined, undefined, undefined],
  ]);
  // The replacement and the maker's orders are filled before the working order, and those further away after it.
  await venue.order({ side: "SELL", price: 19900, quantity: "1.6" }, { key: venue.maker });
  const released = await get(venue, "order", { orderId: oto.orders[1].orderId });
  assert.deepEqual([released.status, released.peggedPrice], ["NEW", "20100.00000000"]);
  venue.engine.checkInvariants();
});

test("exchangeInfo says whether a symbol allows pegged orders", async () => {
  const venue = await quotedVenue();
  const { symbols } = (await venue.public("/api/v3/exchangeInfo")).json;
  assert.equal(symbols[0].pegInstructionsAllowed, true);
});
