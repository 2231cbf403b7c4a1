/** Stop orders, icebergs and FOK through the whole gateway. Interface 4.2, 3.2, 3.4. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ORDER_TYPES } from "@pricetime/engine";
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

const place = (venue: TestVenue, parameters: Parameters) =>
  venue.signed("POST", "/api/v3/order", { symbol: "BTCUSDT", side: "SELL", quantity: 1, ...parameters });
const status = async (venue: TestVenue, orderId: number) =>
  (await venue.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId })).json;
const locked = async (venue: TestVenue, asset: string): Promise<string> => {
  const { json } = await venue.signed("GET", "/api/v3/account");
  return json.balances.find((balance: { asset: string }) => balance.asset === asset).locked;
};

/** Each type: its stop price, what it locks, and the price that triggers it. */
const WAITING = [
  { type: "STOP_LOSS", side: "SELL", stopPrice: 19000, locks: ["BTC", "1.00000000"] },
  { type: "STOP_LOSS", side: "BUY", stopPrice: 21000, locks: ["USDT", "21000.00000000"] },
  { type: "STOP_LOSS_LIMIT", side: "SELL", stopPrice: 19000, price: 18900, locks: ["BTC", "1.00000000"] },
  { type: "STOP_LOSS_LIMIT", side: "BUY", stopPrice: 21000, price: 21100, locks: ["USDT", "21100.00000000"] },
  { type: "TAKE_PROFIT", side: "SELL", stopPrice: 21000, locks: ["BTC", "1.00000000"] },
  { type: "TAKE_PROFIT", side: "BUY", stopPrice: 19000, locks: ["USDT", "19000.00000000"] },
  { type: "TAKE_PROFIT_LIMIT", side: "SELL", stopPrice: 21000, price: 21500, locks: ["BTC", "1.00000000"] },
  { type: "TAKE_PROFIT_LIMIT", side: "BUY", stopPrice: 19000, price: 18500, locks: ["USDT", "18500.00000000"] },
] as const;

for (const { type, side, stopPrice, locks, ...more } of WAITING) {
  const price: Parameters = "price" in more ? { price: more.price, timeInForce: "GTC" } : {};
  test(`${type} ${side}: waits with its funds locked, and works from its stop price on`, async () => {
    const venue = await tradedVenue();
    const answer = await place(venue, { type, side, stopPrice, ...price });
    const keys = ["symbol", "orderId", "orderListId", "clientOrderId", "transactTime"];
    assert.deepEqual(Object.keys(answer.json), keys, "ACK unless asked otherwise");
    const { orderId } = answer.json;
    const waiting = await status(venue, orderId);
    const shown = { type, side, isWorking: false, status: "NEW", stopPrice: `${stopPrice}.00000000`, time: START_MS };
    for (const [name, value] of Object.entries(shown)) assert.equal(waiting[name], value, name);
    assert.equal(waiting.price, "price" in more ? `${more.price}.00000000` : "0.00000000");
    assert.equal(waiting.timeInForce, "GTC");
    assert.equal(await locked(venue, locks[0]), locks[1]);
    const depth = (await venue.public("/api/v3/depth", { symbol: "BTCUSDT" })).json;
    assert.deepEqual([depth.bids, depth.asks], [[], []], "what waits is not in the book");
    venue.nowMs += 5000;
    await tradeAt(venue, stopPrice);
    const triggered = await status(venue, orderId);
    const rests = "price" in more;
    assert.deepEqual(
      [triggered.isWorking, triggered.status, triggered.type, triggered.time, triggered.updateTime],
      [true, rests ? "NEW" : "EXPIRED", type, START_MS, START_MS + 5000],
    );
    assert.equal(await locked(venue, locks[0]), rests ? locks[1] : "0.00000000");
    venue.engine.checkInvariants();
  });

  test(`${type} ${side}: a stop price that is already reached is rejected, also by order/test`, async () => {
    const venue = await tradedVenue();
    const reached = { symbol: "BTCUSDT", quantity: 1, type, side, ...price, stopPrice: 20000 };
    for (const path of ["/api/v3/order", "/api/v3/order/test"]) {
      const answer = await venue.signed("POST", path, reached);
      assertRefused(answer, 400, -2010, "Order would trigger immediately.");
      assert.deepEqual((await venue.signed("POST", "/api/v3/order/test", { ...reached, stopPrice })).json, {});
    }
    assert.equal(await locked(venue, locks[0]), "0.00000000");
  });
}

test("RESULT and FULL of a waiting order, and of its cancel", async () => {
  const venue = await tradedVenue();
  const order = { type: "STOP_LOSS_LIMIT", price: 18900, stopPrice: 19000, icebergQty: "0.25", timeInForce: "GTC" };
  const { json } = await place(venue, { ...order, newClientOrderId: "s", newOrderRespType: "FULL" });
  const state = {
    symbol: "BTCUSDT",
    orderId: 3,
    orderListId: -1,
    price: "18900.00000000",
    origQty: "1.00000000",
    executedQty: "0.00000000",
    cummulativeQuoteQty: "0.00000000",
    origQuoteOrderQty: "0.00000000",
    timeInForce: "GTC",
    type: "STOP_LOSS_LIMIT",
    side: "SELL",
    stopPrice: "19000.00000000",
    icebergQty: "0.25000000",
    transactTime: START_MS,
    selfTradePreventionMode: "NONE",
  };
  const placed = { ...state, clientOrderId: "s", status: "NEW", commission: "0.00000000", commissionAsset: "USDT" };
  assert.deepEqual(json, { ...placed, workingTime: -1, fills: [] });
  const canceled = await venue.signed("DELETE", "/api/v3/order", {
    symbol: "BTCUSDT",
    orderId: 3,
    newClientOrderId: "c",
  });
  const ended = { ...state, status: "CANCELED", origClientOrderId: "s", clientOrderId: "c" };
  assert.deepEqual(canceled.json, ended);
  const { isWorking, status: now } = await status(venue, 3);
  assert.deepEqual([isWorking, now], [false, "CANCELED"], "it never worked");
  assert.equal(await locked(venue, "BTC"), "0.00000000");
});

test("without a last price a stop waits; the first trade decides", async () => {
  const venue = new TestVenue();
  await place(venue, { type: "STOP_LOSS", stopPrice: 20000 });
  assert.equal((await status(venue, 1)).status, "NEW");
  await tradeAt(venue, 20001);
  assert.equal((await status(venue, 1)).isWorking, false);
  await tradeAt(venue, 19999);
  assert.deepEqual([(await status(venue, 1)).isWorking, (await status(venue, 1)).status], [true, "EXPIRED"]);
});

test("a triggered stop sells to the book, and has its own trades", async () => {
  const venue = await tradedVenue();
  await place(venue, { type: "STOP_LOSS", stopPrice: 19500 });
  for (const price of [19400, 19300]) await venue.order({ price, quantity: "0.6" }, { key: venue.maker });
  await tradeAt(venue, 19500);
  const sold = await status(venue, 3);
  assert.deepEqual(
    [sold.status, sold.executedQty, sold.cummulativeQuoteQty, sold.price],
    ["FILLED", "1.00000000", "19360.00000000", "0.00000000"],
  );
  const trades = await venue.signed("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", orderId: 3 });
  assert.deepEqual(
    trades.json.map((trade: { qty: string; price: string; isMaker: boolean }) => [
      trade.qty,
      trade.price,
      trade.isMaker,
    ]),
    [
      ["0.60000000", "19400.00000000", false],
      ["0.40000000", "19300.00000000", false],
    ],
  );
});

test("an iceberg shows only its slice; filters and rules of its quantity", async () => {
  const venue = await tradedVenue();
  const iceberg = (parameters: Parameters) =>
    venue.order({ side: "SELL", price: 20000, quantity: 1, icebergQty: "0.25", ...parameters });
  const { json } = await iceberg({});
  assert.equal(json.icebergQty, "0.25000000");
  const asks = async () => (await venue.public("/api/v3/depth", { symbol: "BTCUSDT" })).json.asks;
  assert.deepEqual(await asks(), [["20000.00000000", "0.25000000"]]);
  await venue.order({ price: 20000, quantity: "0.6" }, { key: venue.maker });
  assert.deepEqual(await asks(), [["20000.00000000", "0.15000000"]]);
  const { executedQty, icebergQty } = await status(venue, json.orderId);
  assert.deepEqual([executedQty, icebergQty], ["0.60000000", "0.25000000"]);
  const table: readonly [Parameters, number, string][] = [
    [{ icebergQty: "0.09" }, -1013, "Filter failure: ICEBERG_PARTS"],
    [{ icebergQty: "0.0000001" }, -1013, "Filter failure: LOT_SIZE"],
    [{ icebergQty: 1 }, -2010, "IcebergQty exceeds QTY."],
    [{ timeInForce: "IOC" }, -1014, "Unsupported order combination."],
  ];
  for (const [parameters, code, msg] of table) assertRefused(await iceberg(parameters), 400, code, msg);
  const maker = { type: "LIMIT_MAKER", price: 21000, icebergQty: "0.5", newOrderRespType: "RESULT" };
  assert.equal((await place(venue, maker)).json.icebergQty, "0.50000000");
});

test("FOK fills completely at once, or not at all", async () => {
  const venue = await tradedVenue();
  await venue.order({ side: "SELL", price: 20000, quantity: 1 }, { key: venue.maker });
  const fok = (quantity: number) => venue.order({ price: 20000, quantity, timeInForce: "FOK" });
  assert.deepEqual(
    [(await fok(2)).json.status, (await fok(1)).json.status, (await fok(1)).json.status],
    ["EXPIRED", "FILLED", "EXPIRED"],
  );
});

test("a symbol accepts the types that it lists", async () => {
  const venue = new TestVenue();
  venue.listSymbol("ETH/USDT", {}, { orderTypes: ["LIMIT"], icebergAllowed: false, ocoAllowed: false });
  const order = { symbol: "ETHUSDT", side: "SELL", quantity: 1 };
  const shapes: Record<string, Parameters> = {
    MARKET: {},
    LIMIT_MAKER: { price: 10 },
    STOP_LOSS: { stopPrice: 10 },
    STOP_LOSS_LIMIT: { stopPrice: 10, price: 10, timeInForce: "GTC" },
    TAKE_PROFIT: { stopPrice: 10 },
    TAKE_PROFIT_LIMIT: { stopPrice: 10, price: 10, timeInForce: "GTC" },
  };
  assert.equal(Object.keys(shapes).length, ORDER_TYPES.length - 1);
  for (const [type, parameters] of Object.entries(shapes)) {
    const name = `${type[0]}${type.slice(1).toLowerCase().replaceAll("_", " ")}`;
    const answer = await venue.signed("POST", "/api/v3/order", { ...order, type, ...parameters });
    assertRefused(answer, 400, -2010, `${name} orders are not supported for this symbol.`);
  }
  const iceberg = { ...order, type: "LIMIT", price: 10, icebergQty: "0.5", timeInForce: "GTC" };
  const refused = await venue.signed("POST", "/api/v3/order", iceberg);
  assertRefused(refused, 400, -2010, "Iceberg orders are not supported for this symbol.");
});

test("algo orders are counted while they are open", async () => {
  const venue = await tradedVenue();
  const stop = { type: "STOP_LOSS", stopPrice: 19000, quantity: "0.01" };
  for (let i = 0; i < 5; i++) assert.equal((await place(venue, stop)).status, 200);
  assertRefused(await place(venue, stop), 400, -1013, "Filter failure: MAX_ALGO_ORDERS");
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: 3 });
  assert.equal((await place(venue, stop)).status, 200);
});

test("a STOP_LOSS BUY that slips past its stop price is paid from free funds, and the postings add up", async () => {
  const venue = await tradedVenue();
  const before = (await venue.signed("GET", "/api/v3/account")).json.balances;
  const free = (balances: { asset: string; free: string }[]) =>
    Number(balances.find(({ asset }) => asset === "USDT")?.free);
  const { json } = await place(venue, { type: "STOP_LOSS", side: "BUY", stopPrice: 21000 });
  await venue.order({ side: "SELL", price: 21000, quantity: "0.5" }, { key: venue.maker });
  await venue.order({ side: "SELL", price: 22000, quantity: "5" }, { key: venue.maker });
  const taker = venue.open("taker@example.org");
  await venue.order({ side: "BUY", price: 21000, quantity: "0.5" }, { key: taker });
  const filled = await status(venue, json.orderId);
  assert.deepEqual([filled.status, filled.executedQty], ["FILLED", "1.00000000"]);
  assert.equal(filled.cummulativeQuoteQty, "22000.00000000");
  assert.equal(await locked(venue, "USDT"), "0.00000000");
  const { balances } = (await venue.signed("GET", "/api/v3/account")).json;
  assert.equal(free(before) - free(balances), 22_000);
  const owner = venue.engine.accountByEmail("trader@example.org")?.accountId;
  const locks = venue.engine.postings.filter(
    ({ reason, fromAccountId }) => reason === "lock" && fromAccountId === owner,
  );
  const taken = locks.map(({ amount }) => amount);
  assert.deepEqual(taken, [1_000n * 10n ** 8n], "what was missing, in the entry that set it off");
  venue.engine.checkInvariants();
});
