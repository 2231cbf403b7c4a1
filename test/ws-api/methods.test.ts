/** Every method of the WebSocket API answers what its endpoint answers over HTTP: results, errors and weights. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type KnownEndpoint, METHODS, needsKey, needsSignature } from "@pricetime/protocol";
import {
  type Answer as RestAnswer,
  encode,
  hmacKey,
  type Parameters,
  sign,
  type SigningKey,
} from "@pricetime/testkit/client";
import { type Fields, limit, type Market, ok, openMarket, place, SYMBOL, tradeABit } from "../conformance/market.ts";
import { isOnTwoNodes } from "@pricetime/testkit/venue";
import { type Answer, ApiClient } from "@pricetime/testkit/ws-client";

let market: Market;
let api: ApiClient;
let key: SigningKey;
before(async () => {
  market = await openMarket();
  await tradeABit(market);
  api = await ApiClient.open(market.exchange.ws);
  const [, second] = market.exchange.accounts;
  assert.ok(second);
  key = hmacKey(second);
});
after(async () => {
  await api.close();
  await market.close();
});

/** What to ask, made anew for each of the two ways. */
type Case = Parameters | (() => Promise<Parameters>);

const order = limit("BUY", "0.01", "40000");
const oco = { symbol: SYMBOL, side: "SELL", quantity: "0.01" };
const working = {
  ...{ symbol: SYMBOL, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY" },
  ...{ workingPrice: "40000", workingQuantity: "0.01", pendingSide: "SELL" },
};
const pending = { pendingType: "LIMIT", pendingTimeInForce: "GTC", pendingPrice: "60000" };
const pendingPair = {
  ...{ pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: "60000" },
  ...{ pendingBelowType: "STOP_LOSS", pendingBelowStopPrice: "35000" },
};
let last = 0;
const fresh = (name: string): string => `${name}-${++last}`;

/** Parameters of a request before which the open stop orders are canceled, because the symbol limits their number. */
const cleared = (parameters: Parameters) => async (): Promise<Parameters> => {
  await cancelAll();
  return parameters;
};

async function open(): Promise<{ symbol: string; orderId: number }> {
  const { orderId } = await place(market.taker, order);
  return { symbol: SYMBOL, orderId: Number(orderId) };
}

async function cancelAll(): Promise<void> {
  await market.taker.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL });
}

/** There may be only so many stop orders: those of the tests before are taken away. */
async function openList(): Promise<{ symbol: string; orderListId: number }> {
  await cancelAll();
  const prices = { price: "60000", stopPrice: "40000" };
  const { orderListId } = ok(await market.taker.signed<Fields>("POST", "/api/v3/order/oco", { ...oco, ...prices }));
  return { symbol: SYMBOL, orderListId: Number(orderListId) };
}

async function listenKey(): Promise<{ listenKey: string }> {
  return { listenKey: String(ok(await market.taker.keyed<Fields>("POST", "/api/v3/userDataStream")).listenKey) };
}

const symbol = SYMBOL;
const CASES: Readonly<Record<string, readonly Case[]>> = {
  ping: [{}],
  time: [{}],
  exchangeInfo: [{}, { symbol }, { symbols: '["BTCUSDT","ETHUSDT"]' }],
  depth: [{ symbol }, { symbol, limit: 5 }, { symbol, limit: 5000 }],
  "trades.recent": [{ symbol }, { symbol, limit: 2 }],
  "trades.historical": [{ symbol }, { symbol, fromId: 2, limit: 1 }],
  "trades.aggregate": [{ symbol }, { symbol, fromId: 2 }],
  klines: [{ symbol, interval: "1d" }],
  uiKlines: [{ symbol, interval: "1d", timeZone: "8" }],
  "blockTrades.historical": [{ symbol, fromId: 0 }],
  executionRules: [{ symbol }, {}],
  referencePrice: [{ symbol }],
  "referencePrice.calculation": [{ symbol }],
  "ticker.tradingDay": [{ symbol }],
  ticker: [{ symbol, windowSize: "4h" }],
  avgPrice: [{ symbol }],
  "ticker.24hr": [{ symbol }, {}, { symbols: '["BTCUSDT"]' }],
  "ticker.price": [{ symbol }, {}],
  "ticker.book": [{ symbol }, {}],
  "order.place": [
    order,
    { symbol, side: "SELL", type: "MARKET", quantity: "0.001" },
    { ...order, newOrderRespType: "ACK" },
  ],
  "order.test": [order],
  "order.status": [async () => ({ symbol, orderId: Number((await open()).orderId) })],
  "order.cancel": [open],
  "order.cancelReplace": [
    async () => ({ ...order, cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: (await open()).orderId }),
    { ...order, cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: 999_999 },
    { ...order, cancelReplaceMode: "ALLOW_FAILURE", cancelOrderId: 999_999 },
  ],
  "openOrders.status": [{ symbol }, {}],
  "openOrders.cancelAll": [
    async () => {
      await cancelAll();
      await open();
      return { symbol };
    },
  ],
  allOrders: [{ symbol }, { symbol, limit: 3 }],
  "orderList.place": [{ ...oco, price: "60000", stopPrice: "40000" }],
  "orderList.place.oco": [
    { ...oco, aboveType: "LIMIT_MAKER", abovePrice: "60000", belowType: "STOP_LOSS", belowStopPrice: "40000" },
  ],
  "orderList.place.oto": [{ ...working, ...pending, pendingQuantity: "0.001" }],
  "orderList.place.otoco": [cleared({ ...working, ...pendingPair, pendingQuantity: "0.001" })],
  "orderList.place.opo": [{ ...working, ...pending }],
  "orderList.place.opoco": [cleared({ ...working, ...pendingPair })],
  "orderList.cancel": [openList],
  "orderList.status": [async () => ({ orderListId: (await openList()).orderListId })],
  allOrderLists: [{}, { limit: 2 }],
  "openOrderLists.status": [{}],
  "order.amend.keepPriority": [
    async () => ({ symbol, orderId: Number((await open()).orderId), newQty: "0.001" }),
    { symbol, orderId: 999_999, newQty: "0.001" },
  ],
  "order.amendments": [{ symbol, orderId: 1 }],
  "account.status": [{}],
  "account.commission": [{ symbol }],
  "account.rateLimits.orders": [{}],
  myFilters: [{ symbol }],
  myTrades: [{ symbol }, { symbol, limit: 1 }],
  myPreventedMatches: [
    { symbol, preventedMatchId: 0 },
    { symbol, orderId: 1, limit: 1 },
  ],
  "userDataStream.start": [{}],
  "userDataStream.ping": [listenKey],
  "userDataStream.stop": [listenKey],
};

/** What two requests cannot have in common: their times, and the ids of what each of them makes. */
const OWN = /^(serverTime|openTime|closeTime|transactTime|transactionTime|time|updateTime|workingTime|tradeId)$/;
const OWN_OF_WRITES = /(^|[a-z])(orderId|OrderId|orderListId|lientOrderId|listenKey|executionId)$/;

function comparable(body: unknown, isWrite: boolean): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) =>
    OWN.test(name) || (isWrite && OWN_OF_WRITES.test(name)) ? typeof value : value,
  );
}

/** As the method's way of signing has it. */
function ask(endpoint: KnownEndpoint, params: object): Promise<Answer> {
  if (needsSignature(endpoint)) return api.signed(endpoint.id, key, { ...params });
  return api.call(endpoint.id, { ...params, ...(needsKey(endpoint) ? { apiKey: key.apiKey } : {}) });
}

function askRest(endpoint: KnownEndpoint, parameters: Parameters): Promise<RestAnswer> {
  const [path = ""] = endpoint.paths;
  const { taker } = market;
  if (needsSignature(endpoint)) return taker.signed(endpoint.method, path, parameters);
  return needsKey(endpoint) ? taker.keyed(endpoint.method, path, parameters) : taker.public(path, parameters);
}

const weightOf = ({ headers }: RestAnswer<unknown>): number => Number(headers["x-mbx-used-weight-1m"]);
const countOf = ({ rateLimits }: Answer): number =>
  rateLimits.find(({ rateLimitType }) => rateLimitType === "REQUEST_WEIGHT")?.count ?? Number.NaN;

/** The address's weight so far, and that this was asked. */
async function usedWeight(): Promise<number> {
  return weightOf(await market.taker.public("/api/v3/ping"));
}

async function same(endpoint: KnownEndpoint, asked: Case): Promise<void> {
  const parametersOf = typeof asked === "function" ? asked : (): Promise<Parameters> => Promise.resolve(asked);
  const what = `${endpoint.id} ${JSON.stringify(asked)}`;
  const isWrite = endpoint.method !== "GET" || typeof asked === "function";
  const forRest = await parametersOf();
  const start = await usedWeight();
  const rest = await askRest(endpoint, forRest);
  const forWs = await parametersOf();
  const middle = await usedWeight();
  const ws = await ask(endpoint, forWs);
  assert.equal(ws.status, rest.status, `${what}: ${JSON.stringify(ws.error)}`);
  const body = rest.status === 200 ? ws.result : ws.error;
  assert.deepEqual(comparable(body, isWrite), comparable(rest.json, isWrite), what);
  // A minute that ends in between starts the count anew; of several nodes each counts for itself.
  const isOneCount = !isOnTwoNodes && weightOf(rest) > start && middle > weightOf(rest) && !(countOf(ws) < middle);
  if (isOneCount) assert.equal(countOf(ws) - middle, weightOf(rest) - start, `weight of ${what}`);
  const orders = Object.keys(rest.headers).filter((name) => name.startsWith("x-mbx-order-count"));
  const shown = ws.rateLimits.filter(({ rateLimitType }) => rateLimitType === "ORDERS");
  assert.equal(shown.length, orders.length, `order counts of ${what}`);
}

suite("the same over both", () => {
  for (const endpoint of METHODS.filter(({ paths }) => paths.length > 0)) {
    test(endpoint.id, async () => {
      const cases = CASES[endpoint.id];
      assert.ok(cases, "a method that is not tried");
      for (const asked of cases) await same(endpoint, asked);
    });

    test(`${endpoint.id}: what is refused`, async () => {
      const names = new Set(endpoint.parameters.map(({ name }) => name));
      const wrong: Parameters[] = [{}, { foreign: "1" }];
      if (names.has("symbol")) wrong.push({ symbol: "b c" }, { symbol: "NOSUCH" }, { symbol: "" });
      if (names.has("limit")) wrong.push({ symbol, limit: "0" }, { limit: "x", symbol });
      if (names.has("orderId")) wrong.push({ symbol, orderId: 999_999 });
      if (names.has("price")) wrong.push({ ...order, ...oco, price: "0" }, { ...order, ...oco, price: "-1" });
      for (const parameters of wrong) await same(endpoint, parameters);
    });
  }
});

test("keys and signatures are refused with the same words", async () => {
  const stranger = { ...key, apiKey: "A".repeat(64) };
  const cases: readonly (readonly [ws: SigningKey, timestamp: number | undefined])[] = [
    [stranger, undefined],
    [{ ...key, apiKey: "short" }, undefined],
    [{ ...key, sign: () => "0".repeat(64) }, undefined],
    [{ ...key, sign: () => "no signature" }, undefined],
    [key, 1],
    [key, Date.now() + 100_000],
  ];
  for (const [by, timestamp = Date.now()] of cases) {
    const payload = encode({ timestamp });
    const query = `${payload}&signature=${encodeURIComponent(by.sign(payload))}`;
    const rest = await market.taker.send("GET", "/api/v3/account", { query, headers: { "X-MBX-APIKEY": by.apiKey } });
    const ws = await api.signed("account.status", by, { timestamp });
    assert.equal(ws.status, rest.status);
    assert.deepEqual(ws.error, rest.json);
  }
  assert.equal(sign("secret", "").length, 64);
});

test("client ids and amounts may be numbers or texts, lists are JSON", async () => {
  const newClientOrderId = fresh("mine");
  const placed = await api.signed("order.place", key, { ...order, quantity: 0.01, price: 40_000, newClientOrderId });
  assert.deepEqual([placed.status, placed.result.clientOrderId], [200, newClientOrderId]);
  const byList = await api.call<unknown[]>("ticker.price", { symbols: ["BTCUSDT", "ETHUSDT"] });
  assert.equal(byList.result.length, 2);
});
