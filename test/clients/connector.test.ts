/** `@binance/connector` with only `baseURL` changed. It throws what axios throws: the answer is in `response`. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

type Fields = Record<string, string | number | boolean | readonly unknown[]>;
type Call = (...input: readonly unknown[]) => Promise<{ readonly status: number; readonly data: Fields }>;
type SpotClient = Readonly<Record<string, Call>>;
const { Spot } = createRequire(import.meta.url)("@binance/connector") as {
  Spot: new (apiKey: string, secretKey: string, options: object) => SpotClient;
};

let exchange: Exchange;
let client: SpotClient;
const connect = (apiKey: string, secretKey: string): SpotClient =>
  new Spot(apiKey, secretKey, { baseURL: exchange.rest });

before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  const [account] = exchange.accounts;
  assert.ok(account);
  client = connect(account.apiKey, account.secretKey);
});
after(() => exchange.stop());

async function call<T = Fields>(method: string, ...input: readonly unknown[]): Promise<T> {
  const run = client[method];
  assert.ok(run, `the connector has no ${method}`);
  return (await run.apply(client, [...input])).data as T;
}

interface Refusal {
  readonly response?: { readonly status: number; readonly data: { readonly code: number; readonly msg: string } };
}
async function refused(calling: Promise<unknown>): Promise<[status: number, code: number, msg: string]> {
  const error = await calling.then(
    () => assert.fail("was not refused"),
    (reason: Refusal) => reason,
  );
  assert.ok(error.response, String(error));
  const { status, data } = error.response;
  return [status, data.code, data.msg];
}

const LIMIT = { timeInForce: "GTC", quantity: 0.5, price: 50000 };

test("market data and exchange information", async () => {
  assert.deepEqual(await call("ping"), {});
  assert.equal(typeof (await call("time")).serverTime, "number");
  const { symbols } = await call<{ symbols: { symbol: string }[] }>("exchangeInfo", { symbol: "BTCUSDT" });
  assert.deepEqual(
    symbols.map((found) => found.symbol),
    ["BTCUSDT"],
  );
});

test("a LIMIT order takes one that rests", async () => {
  await call("newOrder", "ETHUSDT", "SELL", "LIMIT", { ...LIMIT, price: 3000 });
  const taken = await call("newOrder", "ETHUSDT", "BUY", "LIMIT", { ...LIMIT, price: 3000 });
  assert.equal(taken.status, "FILLED");
});

test("an order's life: placed, found, traded, canceled", async () => {
  const placed = await call("newOrder", "BTCUSDT", "SELL", "LIMIT", LIMIT);
  assert.equal(placed.status, "NEW");
  assert.equal((await call("getOrder", "BTCUSDT", { orderId: placed.orderId })).origQty, "0.50000000");

  const taken = await call("newOrder", "BTCUSDT", "BUY", "LIMIT", { ...LIMIT, quantity: 0.1 });
  assert.equal(taken.status, "FILLED");
  const trades = await call<Fields[]>("myTrades", "BTCUSDT");
  assert.deepEqual(
    trades.map((trade) => [trade.qty, trade.isBuyer, trade.isMaker]),
    [
      ["0.10000000", true, false],
      ["0.10000000", false, true],
    ],
    "both sides of a trade with oneself",
  );

  const open = await call<Fields[]>("openOrders", { symbol: "BTCUSDT" });
  assert.equal(open.length, 1);
  const canceled = await call("cancelOrder", "BTCUSDT", { orderId: placed.orderId });
  assert.equal(canceled.status, "CANCELED");
  assert.equal(canceled.executedQty, "0.10000000");
  assert.equal((await call<Fields[]>("allOrders", "BTCUSDT")).length, 2);
});

test("MARKET, by quantity and by cost", async () => {
  await call("newOrder", "ETHUSDT", "SELL", "LIMIT", { ...LIMIT, price: 3000 });
  for (const much of [{ quantity: 0.1 }, { quoteOrderQty: 300 }]) {
    const taken = await call("newOrder", "ETHUSDT", "BUY", "MARKET", much);
    assert.deepEqual([taken.status, taken.executedQty], ["FILLED", "0.10000000"]);
  }
});

test("LIMIT_MAKER, order test, cancel all", async () => {
  assert.deepEqual(await call("newOrderTest", "BTCUSDT", "BUY", "LIMIT", { ...LIMIT, price: 49000 }), {});
  await call("newOrder", "BTCUSDT", "BUY", "LIMIT_MAKER", { quantity: 0.1, price: 49000 });
  assert.equal((await call<Fields[]>("cancelOpenOrders", "BTCUSDT")).length, 1);
});

test("data of the market after a trade", async () => {
  assert.equal((await call("ticker24hr", "BTCUSDT")).lastPrice, "50000.00000000");
  assert.equal((await call("tickerPrice", "BTCUSDT")).price, "50000.00000000");
  assert.equal((await call("avgPrice", "BTCUSDT")).price, "50000.00000000");
  assert.equal((await call<Fields[]>("trades", "BTCUSDT")).length, 1);
  assert.equal((await call<Fields[]>("aggTrades", "BTCUSDT")).length, 1);
  assert.equal((await call<Fields[]>("historicalTrades", "BTCUSDT")).length, 1);
  assert.equal((await call<unknown[][]>("klines", "BTCUSDT", "1m")).at(-1)?.[4], "50000.00000000");
  assert.equal((await call<unknown[][]>("klines", "BTCUSDT", "1s")).at(-1)?.[4], "50000.00000000");
  assert.equal((await call("rollingWindowTicker", "BTCUSDT", [], { windowSize: "4h" })).lastPrice, "50000.00000000");
  assert.equal((await call<Fields[]>("rollingWindowTicker", "", ["BTCUSDT", "ETHUSDT"])).length, 2);
  assert.equal((await call<unknown[][]>("uiklines", "BTCUSDT", "1d", { timeZone: "8" })).at(-1)?.[8], 1);
  assert.equal(typeof (await call("depth", "BTCUSDT", { limit: 5 })).lastUpdateId, "number");
  assert.equal((await call("bookTicker", "BTCUSDT")).symbol, "BTCUSDT");
});

test("account and listen key", async () => {
  const account = await call<{ balances: Fields[] }>("account");
  assert.ok(account.balances.some((balance) => balance.asset === "BTC"));
  const { listenKey } = await call("createListenKey");
  assert.match(String(listenKey), /^[A-Za-z0-9]{64}$/);
  assert.deepEqual(await call("renewListenKey", listenKey), {});
  assert.deepEqual(await call("closeListenKey", listenKey), {});
  assert.deepEqual(await refused(call("renewListenKey", listenKey)), [400, -1125, "This listenKey does not exist."]);
});

test("errors arrive as status, code and message", async () => {
  const limit = (more: object): Promise<unknown> => call("newOrder", "BTCUSDT", "SELL", "LIMIT", { ...LIMIT, ...more });
  assert.deepEqual(await refused(limit({ quantity: 8000 })), [
    400,
    -2010,
    "Account has insufficient balance for requested action.",
  ]);
  assert.deepEqual(await refused(limit({ price: 50000.001 })), [400, -1013, "Filter failure: PRICE_FILTER"]);
  assert.deepEqual(await refused(limit({ quantity: "0.00000001" })), [400, -1013, "Filter failure: LOT_SIZE"]);
  assert.deepEqual(await refused(limit({ quantity: "0.0001" })), [400, -1013, "Filter failure: MIN_NOTIONAL"]);
  assert.deepEqual(await refused(call("cancelOrder", "BTCUSDT", { orderId: 999999 })), [
    400,
    -2011,
    "Unknown order sent.",
  ]);
  assert.deepEqual(await refused(call("getOrder", "BTCUSDT", { orderId: 999999 })), [
    400,
    -2013,
    "Order does not exist.",
  ]);
  assert.deepEqual(await refused(call("depth", "NOSUCH")), [400, -1121, "Invalid symbol."]);
});

test("a wrong secret and an unknown key are refused", async () => {
  const [account] = exchange.accounts;
  assert.ok(account);
  client = connect(account.apiKey, "A".repeat(64));
  assert.deepEqual(await refused(call("account")), [400, -1022, "Signature for this request is not valid."]);
  client = connect("A".repeat(64), account.secretKey);
  assert.deepEqual(await refused(call("account")), [401, -2015, "Invalid API-key, IP, or permissions for action."]);
});
