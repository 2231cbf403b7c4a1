/** Public market data through the whole gateway. Interface 4.1, 2.6, also without trades. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ENDPOINTS, METHODS } from "@pricetime/protocol";
import { averageText, fixedText, percentText, weightedPriceText } from "../../../src/history/shapes/amounts.ts";
import { HANDLERS } from "../../../src/api/handlers.ts";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ZERO = "0.00000000";

/** BTCUSDT traded 1 at 10000, a minute later 3 at 11000; then 1 rests at 9000 and 2 at 12000. */
let venue: TestVenue;
before(async () => {
  venue = new TestVenue();
  const trade = async (price: number, quantity: number) => {
    await venue.order({ side: "SELL", price, quantity }, { key: venue.maker });
    await venue.order({ price, quantity });
  };
  await trade(10000, 1);
  venue.nowMs += MINUTE_MS;
  await trade(11000, 3);
  await venue.order({ price: 9000, quantity: 1 });
  await venue.order({ side: "SELL", price: 12000, quantity: 2 }, { key: venue.maker });
});

test("every endpoint of the table has a handler, and there are no others", () => {
  assert.deepEqual(
    Object.keys(HANDLERS).toSorted(),
    [...new Set([...ENDPOINTS, ...METHODS])].map(({ id }) => id).toSorted(),
  );
});

test("ping, time and endpoints without data", async () => {
  assert.deepEqual((await venue.public("/api/v3/ping")).json, {});
  assert.deepEqual((await venue.public("/api/v1/time")).json, { serverTime: venue.nowMs });
  assert.deepEqual((await venue.public("/fapi/v1/exchangeInfo")).json.symbols, []);
  assert.deepEqual((await venue.public("/sapi/v1/system/status")).json, { status: 0, msg: "normal" });
  const { apiKey } = venue.trader;
  const pairs = await venue.send("GET", "/sapi/v1/margin/allPairs", { headers: { "x-mbx-apikey": apiKey } });
  assert.deepEqual(pairs.json, []);
  assert.equal((await venue.public("/openapi.json")).json.openapi, "3.1.0");
});

test("paths: unknown 404, wrong method 405, invalid 403", async () => {
  const table: readonly [string, string, number, number][] = [
    ["GET", "/api/v3/nosuch", 404, -1099],
    ["GET", "/api/v1/order", 404, -1099],
    ["GET", "/api/v3/ping/", 404, -1099],
    ["GET", "/API/v3/ping", 404, -1099],
    ["GET", "/sapi/v1/nosuch", 404, -1099],
    ["POST", "/api/v3/ping", 405, -1020],
    ["PATCH", "/api/v3/order", 405, -1020],
    ["GET", "/api/v3/../v3/ping", 403, -1100],
    ["GET", "/api/./v3/ping", 403, -1100],
    ["GET", "/api/v3/%2e%2e/ping", 403, -1100],
    ["GET", "/api\\v3\\ping", 403, -1100],
    ["GET", "http://elsewhere/api/v3/ping", 403, -1100],
    ["GET", "", 403, -1100],
  ];
  for (const [method, path, status, code] of table) assertRefused(await venue.send(method, path), status, code);
  assert.equal((await venue.send("POST", "/api/v3/ping")).headers.get("allow"), "GET");
  const wallet = await venue.send("GET", "/wapi/v3/nosuch.html");
  assert.equal(wallet.status, 404);
  assert.deepEqual(wallet.json, { success: false, msg: "Not found, authenticated, or authorized", code: -1099 });
  assert.equal((await venue.send("HEAD", "/api/v3/ping")).status, 200);
});

test("a price range, its reference price, and an order that would trade beyond it", async () => {
  const own = new TestVenue();
  const symbol = "BTCUSDT";
  const read = (path: string, parameters: Parameters = {}) => own.public(`/api/v3/${path}`, parameters);
  const bounds = { bidLimitMultUp: "1.05", askLimitMultDown: "0.95" };
  const priceRange = { ...bounds, bucketCount: 10, bucketWidthMs: 1000 };
  own.act({ type: "setPriceRange", by: "test", symbol, priceRange });
  const none = { symbol, referencePrice: null, timestamp: own.nowMs };
  assert.deepEqual((await read("referencePrice", { symbol })).json, none);
  await own.order({ side: "SELL", price: "100", quantity: "1" }, { key: own.maker });
  await own.order({ price: "100", quantity: "1" });
  const price = { ...none, referencePrice: "100.00000000" };
  assert.deepEqual((await read("referencePrice", { symbol })).json, price);
  const rules = { symbolRules: [{ symbol, rules: [{ ruleType: "PRICE_RANGE", ...bounds }] }] };
  for (const asked of [{}, { symbol }, { symbols: '["ETHBTC","BTCUSDT"]' }, { symbolStatus: "TRADING" }]) {
    assert.deepEqual((await read("executionRules", asked)).json, rules);
  }
  assert.deepEqual((await read("executionRules", { symbolStatus: "HALT" })).json, { symbolRules: [] });
  assert.deepEqual((await read("referencePrice/calculation", { symbol })).json, {
    ...{ symbol, calculationType: "ARITHMETIC_MEAN", bucketCount: 10, bucketWidthMs: 1000 },
  });
  await own.order({ price: "50", quantity: "1" }, { key: own.maker });
  const { json } = await own.order({ side: "SELL", type: "MARKET", quantity: "1" });
  const reason = "EXECUTION_RULE_PRICE_RANGE_EXCEEDED";
  assert.deepEqual([json.status, json.executedQty, json.expiryReason], ["EXPIRED", "0.00000000", reason]);
  const { orderId } = json;
  const found = await own.signed("GET", "/api/v3/order", { symbol, orderId });
  assert.equal(found.json.expiryReason, reason);
});

test("block trades, execution rules and reference prices of symbols that have none", async () => {
  const read = (path: string, parameters: Parameters = {}) => venue.public(`/api/v3/${path}`, parameters);
  assert.deepEqual((await read("historicalBlockTrades", { symbol: "BTCUSDT", fromId: 0 })).json, []);
  assertRefused(await read("historicalBlockTrades", { symbol: "BTCUSDT" }), 400, -1102);
  assertRefused(await read("historicalBlockTrades", { symbol: "NOSUCH", fromId: 0 }), 400, -1121);
  for (const asked of [{}, { symbol: "BTCUSDT" }, { symbols: '["BTCUSDT"]' }, { symbolStatus: "HALT" }]) {
    assert.deepEqual((await read("executionRules", asked)).json, { symbolRules: [] });
  }
  assertRefused(await read("executionRules", { symbol: "NOSUCH" }), 400, -1121);
  assertRefused(await read("executionRules", { symbol: "BTCUSDT", symbolStatus: "TRADING" }), 400, -1128);
  for (const path of ["referencePrice", "referencePrice/calculation"]) {
    const text = "This symbol doesn't have a reference price.";
    assertRefused(await read(path, { symbol: "BTCUSDT" }), 400, -2043, text);
    assertRefused(await read(path, { symbol: "NOSUCH" }), 400, -1121);
  }
  const halted = { symbol: "BTCUSDT", symbolStatus: "HALT" };
  assertRefused(await read("referencePrice/calculation", halted), 400, -1220);
});

test("depth", async () => {
  const { json } = await venue.public("/api/v3/depth", { symbol: "BTCUSDT" });
  assert.deepEqual(json, {
    lastUpdateId: venue.engine.marketBySymbol("BTCUSDT")?.bookUpdateId,
    bids: [["9000.00000000", "1.00000000"]],
    asks: [["12000.00000000", "2.00000000"]],
  });
  for (let i = 1; i <= 7; i++) await venue.order({ symbol: "ETHBTC", price: `0.0${i}`, quantity: 1 });
  const five = await venue.public("/api/v3/depth", { symbol: "ETHBTC", limit: 5 });
  assert.deepEqual(
    five.json.bids.map(([price]: [string]) => price),
    ["0.07000000", "0.06000000", "0.05000000", "0.04000000", "0.03000000"],
  );
  assertRefused(await venue.public("/api/v3/depth", { symbol: "ETHBTC", limit: 7 }), 400, -1130);
  assertRefused(await venue.public("/api/v3/depth", { symbol: "NOSUCH" }), 400, -1121, "Invalid symbol.");
  await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "ETHBTC" });
});

test("the 24 h ticker", async () => {
  const { json } = await venue.public("/api/v3/ticker/24hr", { symbol: "BTCUSDT" });
  assert.deepEqual(json, {
    symbol: "BTCUSDT",
    priceChange: "1000.00000000",
    priceChangePercent: "10.000",
    weightedAvgPrice: "10750.00000000",
    prevClosePrice: ZERO,
    lastPrice: "11000.00000000",
    lastQty: "3.00000000",
    bidPrice: "9000.00000000",
    bidQty: "1.00000000",
    askPrice: "12000.00000000",
    askQty: "2.00000000",
    openPrice: "10000.00000000",
    highPrice: "11000.00000000",
    lowPrice: "10000.00000000",
    volume: "4.00000000",
    quoteVolume: "43000.00000000",
    openTime: venue.nowMs - 24 * HOUR_MS,
    closeTime: venue.nowMs,
    firstId: 1,
    lastId: 2,
    count: 2,
  });
});

test("statistics of a window and of a trading day", async () => {
  const { nowMs } = venue;
  const read = async (path: string, parameters: Parameters) =>
    (await venue.public(`/api/v3/${path}`, { symbol: "BTCUSDT", ...parameters })).json;
  const hour = {
    symbol: "BTCUSDT",
    priceChange: "1000.00000000",
    priceChangePercent: "10.000",
    weightedAvgPrice: "10750.00000000",
    openPrice: "10000.00000000",
    highPrice: "11000.00000000",
    lowPrice: "10000.00000000",
    lastPrice: "11000.00000000",
    volume: "4.00000000",
    quoteVolume: "43000.00000000",
    openTime: Math.floor((nowMs - HOUR_MS) / MINUTE_MS) * MINUTE_MS,
    closeTime: nowMs,
    firstId: 1,
    lastId: 2,
    count: 2,
  };
  assert.deepEqual(await read("ticker", { windowSize: "1h" }), hour);
  const day = { openTime: Math.floor((nowMs - 24 * HOUR_MS) / MINUTE_MS) * MINUTE_MS };
  assert.deepEqual(await read("ticker", {}), { ...hour, ...day }, "a day, if none is named");
  const { priceChange: _, priceChangePercent: __, weightedAvgPrice: ___, ...mini } = hour;
  assert.deepEqual(await read("ticker", { windowSize: "1h", type: "MINI" }), mini);
  for (const [timeZone, hours] of [["0", 0] as const, ["8", 8] as const, ["-3:30", -3.5] as const]) {
    const local = nowMs + hours * HOUR_MS;
    const openTime = local - (local % (24 * HOUR_MS)) - hours * HOUR_MS;
    const today = { ...hour, openTime, closeTime: openTime + 24 * HOUR_MS - 1 };
    assert.deepEqual(await read("ticker/tradingDay", { timeZone }), today);
  }
  venue.nowMs += 10 * MINUTE_MS;
  const quiet = await read("ticker", { windowSize: "5m" });
  venue.nowMs = nowMs;
  assert.deepEqual([quiet.openPrice, quiet.lastPrice, quiet.priceChange], ["11000.00000000", "11000.00000000", ZERO]);
  assert.deepEqual([quiet.volume, quiet.weightedAvgPrice, quiet.firstId, quiet.lastId], [ZERO, ZERO, -1, -1]);
});

test("statistics of windows of several symbols, and what is rejected", async () => {
  for (const path of ["ticker", "ticker/tradingDay"]) {
    const read = (parameters: Parameters) => venue.public(`/api/v3/${path}`, parameters);
    const symbols = async (list: string, more: Parameters = {}) =>
      (await read({ symbols: list, ...more })).json.map(({ symbol }: { symbol: string }) => symbol);
    assert.deepEqual(await symbols('["ETHBTC","BTCUSDT"]'), ["ETHBTC", "BTCUSDT"]);
    assert.deepEqual(await symbols('["ETHBTC"]'), ["ETHBTC"]);
    assert.deepEqual(await symbols('["ETHBTC"]', { symbolStatus: "HALT" }), []);
    const neither = "Param 'symbol' or 'symbols' must be sent, but both were empty/null!";
    assertRefused(await read({}), 400, -1102, neither);
    assertRefused(await read({ symbol: "ETHBTC", symbols: '["ETHBTC"]' }), 400, -1128);
    assertRefused(await read({ symbol: "NOSUCH" }), 400, -1121);
    assertRefused(await read({ symbol: "ETHBTC", symbolStatus: "HALT" }), 400, -1220);
    assertRefused(await read({ symbol: "ETHBTC", type: "mini" }), 400, -1139, "Invalid ticker type.");
    const many = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, at) => `S${at}`));
    const tooMany = "Too many values sent for parameter 'symbols', maximum allowed up to 100.";
    assertRefused(await read({ symbols: many(101) }), 400, -1101, tooMany);
    assertRefused(await read({ symbols: many(100) }), 400, -1121);
  }
  for (const windowSize of ["0m", "60m", "24h", "8d", "1w", "1", "m", "01m", "1H", "1.5h"]) {
    const wrong = await venue.public("/api/v3/ticker", { symbol: "BTCUSDT", windowSize });
    assertRefused(wrong, 400, -1130, "Data sent for paramter 'windowSize' is not valid.");
  }
  for (const windowSize of ["1m", "59m", "1h", "23h", "1d", "7d"]) {
    assert.equal((await venue.public("/api/v3/ticker", { symbol: "BTCUSDT", windowSize })).status, 200);
  }
  const zone = await venue.public("/api/v3/ticker/tradingDay", { symbol: "BTCUSDT", timeZone: "15" });
  assertRefused(zone, 400, -1130, "Data sent for paramter 'timeZone' is not valid.");
  const twice = { symbols: '["BTCUSDT","BTCUSDT"]' };
  for (const path of [
    "ticker",
    "ticker/tradingDay",
    "ticker/24hr",
    "ticker/price",
    "ticker/bookTicker",
    "exchangeInfo",
  ]) {
    const refused = await venue.public(`/api/v3/${path}`, twice);
    assertRefused(refused, 400, -1151, "Symbol is present multiple times in the list.");
  }
});

test("tickers of one, some and all symbols", async () => {
  for (const path of ["24hr", "price", "bookTicker"]) {
    const symbols = async (parameters: Record<string, string>) =>
      (await venue.public(`/api/v3/ticker/${path}`, parameters)).json.map(({ symbol }: { symbol: string }) => symbol);
    assert.deepEqual(await symbols({}), ["BTCUSDT", "ETHBTC", "BTCKRW"]);
    assert.deepEqual(await symbols({ symbols: '["ETHBTC","BTCUSDT"]' }), ["ETHBTC", "BTCUSDT"]);
    assertRefused(await venue.public(`/api/v3/ticker/${path}`, { symbols: '["NOSUCH"]' }), 400, -1121);
    const both = { symbol: "ETHBTC", symbols: '["ETHBTC"]' };
    assertRefused(await venue.public(`/api/v3/ticker/${path}`, both), 400, -1128);
  }
  assert.deepEqual((await venue.public("/api/v3/ticker/price", { symbol: "BTCUSDT" })).json, {
    symbol: "BTCUSDT",
    price: "11000.00000000",
  });
  assert.deepEqual((await venue.public("/api/v1/ticker/allPrices")).json.length, 3);
  assert.deepEqual((await venue.public("/api/v1/ticker/allBookTickers")).json[1], {
    symbol: "ETHBTC",
    bidPrice: ZERO,
    bidQty: ZERO,
    askPrice: ZERO,
    askQty: ZERO,
  });
});

test("a symbol without trades: zeros, -1 and an average of zero", async () => {
  const { json } = await venue.public("/api/v3/ticker/24hr", { symbol: "BTCKRW" });
  assert.deepEqual([json.lastPrice, json.priceChangePercent, json.firstId, json.count], [ZERO, "0.000", -1, 0]);
  assert.deepEqual((await venue.public("/api/v3/avgPrice", { symbol: "BTCKRW" })).json, {
    mins: 5,
    price: ZERO,
    closeTime: 0,
  });
  for (const path of ["trades", "aggTrades"]) {
    assert.deepEqual((await venue.public(`/api/v3/${path}`, { symbol: "BTCKRW" })).json, []);
  }
  assert.deepEqual((await venue.public("/api/v3/klines", { symbol: "BTCKRW", interval: "1h" })).json, []);
});

test("average price", async () => {
  const { json } = await venue.public("/api/v3/avgPrice", { symbol: "BTCUSDT" });
  assert.deepEqual(json, { mins: 5, price: "10750.00000000", closeTime: START_MS + MINUTE_MS });
});

test("trades and aggregate trades", async () => {
  const { json } = await venue.public("/api/v3/trades", { symbol: "BTCUSDT" });
  assert.deepEqual(json[0], {
    id: 1,
    price: "10000.00000000",
    qty: "1.00000000",
    quoteQty: "10000.00000000",
    time: START_MS,
    isBuyerMaker: false,
    isBestMatch: true,
  });
  assert.equal(json.length, 2);
  const aggregate = await venue.public("/api/v3/aggTrades", { symbol: "BTCUSDT", fromId: 2, startTime: 5, endTime: 1 });
  assert.deepEqual(aggregate.json, [
    {
      a: 2,
      p: "11000.00000000",
      q: "3.00000000",
      f: 2,
      l: 2,
      T: START_MS + MINUTE_MS,
      m: false,
      M: true,
    },
  ]);
  const headers = { "x-mbx-apikey": venue.trader.apiKey };
  const historical = await venue.send("GET", "/api/v3/historicalTrades", { query: "symbol=BTCUSDT&fromId=2", headers });
  assert.deepEqual(
    historical.json.map(({ id }: { id: number }) => id),
    [2],
  );
  for (const path of ["/api/v3/historicalTrades", "/api/v1/historicalTrades"]) {
    const open = (sent: Record<string, string>) =>
      venue.send("GET", path, { query: "symbol=BTCUSDT&fromId=2", headers: sent });
    assert.equal((await open({})).body, historical.body, "without a key");
    assert.equal((await open({ "x-mbx-apikey": "" })).body, historical.body, "with an empty one");
    assertRefused(await open({ "x-mbx-apikey": "short" }), 401, -2014, "API-key format invalid.");
    assertRefused(await open({ "x-mbx-apikey": "x".repeat(64) }), 401, -2015);
  }
});

test("24hr tickers of type MINI omit the book, change and average; other types are invalid", async () => {
  const venue = new TestVenue();
  await venue.order({ side: "SELL", price: 10000, quantity: 1 }, { key: venue.maker });
  await venue.order({ price: 10000, quantity: "0.5" });
  const ticker = async (parameters: Parameters) => (await venue.public("/api/v3/ticker/24hr", parameters)).json;
  const full = await ticker({ symbol: "BTCUSDT" });
  const mini = await ticker({ symbol: "BTCUSDT", type: "MINI" });
  const names = ["symbol", "openPrice", "highPrice", "lowPrice", "lastPrice", "volume", "quoteVolume", "openTime"];
  names.push("closeTime", "firstId", "lastId", "count");
  assert.deepEqual(mini, Object.fromEntries(names.map((name) => [name, full[name]])));
  assert.deepEqual(Object.keys(mini), names);
  assert.deepEqual(await ticker({ symbol: "BTCUSDT", type: "FULL" }), full);
  assert.deepEqual((await ticker({ type: "MINI" })).map(Object.keys), [names, names, names]);
  const wrong = await venue.public("/api/v3/ticker/24hr", { type: "HALF" });
  assertRefused(wrong, 400, -1139, "Invalid ticker type.");
});

test("symbolStatus filters symbols; a named symbol with another status is an error", async () => {
  const venue = new TestVenue();
  venue.act({ type: "setSymbolStatus", by: "test", symbol: "ETHBTC", status: "HALT" });
  const found = async (path: string, parameters: Parameters) => {
    const { json } = await venue.public(path, parameters);
    return (json.symbols ?? json).map(({ symbol }: { symbol: string }) => symbol);
  };
  for (const path of ["ticker/24hr", "ticker/price", "ticker/bookTicker", "exchangeInfo"]) {
    assert.deepEqual(await found(`/api/v3/${path}`, { symbolStatus: "HALT" }), ["ETHBTC"], path);
    assert.deepEqual(await found(`/api/v3/${path}`, { symbolStatus: "TRADING" }), ["BTCUSDT", "BTCKRW"], path);
    assert.deepEqual(await found(`/api/v3/${path}`, { symbolStatus: "BREAK" }), [], path);
  }
  const both = { symbols: '["ETHBTC","BTCUSDT"]', symbolStatus: "TRADING" };
  assert.deepEqual(await found("/api/v3/ticker/price", both), ["BTCUSDT"]);
  const other = "The symbol's status does not match the requested symbolStatus.";
  for (const path of ["ticker/24hr", "ticker/price", "ticker/bookTicker", "depth"]) {
    const asked = { symbol: "ETHBTC", symbolStatus: "TRADING" };
    assertRefused(await venue.public(`/api/v3/${path}`, asked), 400, -1220, other);
    assert.equal((await venue.public(`/api/v3/${path}`, { ...asked, symbolStatus: "HALT" })).status, 200);
    const wrong = await venue.public(`/api/v3/${path}`, { ...asked, symbolStatus: "OPEN" });
    assertRefused(wrong, 400, -1122, "Invalid symbolStatus.");
  }
});

test("exchangeInfo by permissions", async () => {
  const venue = new TestVenue();
  const symbols = async (permissions: string) =>
    (await venue.public("/api/v3/exchangeInfo", { permissions })).json.symbols.length;
  assert.deepEqual(await Promise.all(["SPOT", '["SPOT","MARGIN"]', "MARGIN", "[]"].map(symbols)), [3, 3, 0, 0]);
  assertRefused(await venue.public("/api/v3/exchangeInfo", { permissions: "SPOT", symbol: "BTCUSDT" }), 400, -1128);
});

test("time ranges: spans, backwards, either end only", async () => {
  const aggTrades = (parameters: Record<string, number>) =>
    venue.public("/api/v3/aggTrades", { symbol: "BTCUSDT", ...parameters });
  const ids = async (parameters: Record<string, number>) =>
    (await aggTrades(parameters)).json.map(({ a }: { a: number }) => a);
  assert.deepEqual(await ids({ startTime: START_MS, endTime: START_MS + HOUR_MS }), [1, 2]);
  const tooLong = await aggTrades({ startTime: START_MS, endTime: START_MS + HOUR_MS + 1 });
  assertRefused(tooLong, 400, -1127, "More than 1 hours between startTime and endTime.");
  assert.deepEqual(await ids({ startTime: START_MS + 1 }), [2]);
  assert.deepEqual(await ids({ endTime: START_MS }), [1]);
  assert.deepEqual(await ids({ startTime: START_MS, endTime: START_MS }), [1]);
  assert.deepEqual(await ids({ startTime: START_MS, endTime: START_MS - 1 }), []);
  for (const path of ["/api/v3/allOrders", "/api/v3/myTrades"]) {
    const list = (parameters: Record<string, number>) =>
      venue.signed("GET", path, { symbol: "BTCUSDT", ...parameters });
    assert.equal((await list({ startTime: START_MS, endTime: START_MS + 24 * HOUR_MS })).status, 200);
    const refused = await list({ startTime: START_MS, endTime: START_MS + 24 * HOUR_MS + 1 });
    assertRefused(refused, 400, -1127, "More than 24 hours between startTime and endTime.");
    assertRefused(await list({ startTime: START_MS, endTime: START_MS - 1 }), 400, -1128);
  }
});

test("klines", async () => {
  const { json } = await venue.public("/api/v3/klines", { symbol: "BTCUSDT", interval: "1m" });
  const openMs = Math.floor(START_MS / MINUTE_MS) * MINUTE_MS;
  const ten = "10000.00000000";
  const one = "1.00000000";
  assert.deepEqual(json[0], [openMs, ten, ten, ten, ten, one, openMs + MINUTE_MS - 1, ten, 1, one, ten, "0"]);
  assert.equal(json.length, 2);
  const backwards = { symbol: "BTCUSDT", interval: "1m", startTime: 2, endTime: 1 };
  assert.deepEqual((await venue.public("/api/v3/klines", backwards)).json, []);
  assertRefused(await venue.public("/api/v3/klines", { symbol: "BTCUSDT", interval: "7m" }), 400, -1120);
});

test("klines of seconds, of a time zone, and uiKlines", async () => {
  const klines = async (parameters: Parameters, path = "klines") =>
    (await venue.public(`/api/v3/${path}`, { symbol: "BTCUSDT", ...parameters })).json;
  const openMs = START_MS - (START_MS % 1000);
  const [ten, one] = ["10000.00000000", "1.00000000"];
  const seconds = await klines({ interval: "1s", limit: 1000 });
  assert.deepEqual(seconds[0], [openMs, ten, ten, ten, ten, one, openMs + 999, ten, 1, one, ten, "0"]);
  assert.deepEqual(seconds[1], [openMs + 1000, ten, ten, ten, ten, ZERO, openMs + 1999, ZERO, 0, ZERO, ZERO, "0"]);
  assert.equal(seconds.at(-1)[8], 1);
  assert.equal(seconds.length, 61);
  const before = await klines({ interval: "1s", startTime: START_MS - 10_000, endTime: START_MS - 1001 });
  assert.deepEqual(before, [], "before the first trade");
  const offsets = { "8": 8, "-1:00": -1, "+05:45": 5.75, "14:00": 14, "-12:00": -12 };
  for (const [timeZone, hours] of Object.entries(offsets)) {
    const [day] = await klines({ interval: "1d", timeZone });
    const dayMs = Math.floor((START_MS + hours * HOUR_MS) / (24 * HOUR_MS)) * 24 * HOUR_MS - hours * HOUR_MS;
    assert.deepEqual([day[0], day[4], day[6], day[8]], [dayMs, "11000.00000000", dayMs + 24 * HOUR_MS - 1, 2]);
    assert.deepEqual(await klines({ interval: "1d", timeZone }, "uiKlines"), [day]);
  }
  for (const timeZone of ["14:01", "-12:01", "8:60", "UTC"]) {
    const wrong = await venue.public("/api/v3/klines", { symbol: "BTCUSDT", interval: "1d", timeZone });
    assertRefused(wrong, 400, -1130, "Data sent for paramter 'timeZone' is not valid.");
  }
});

test("exchangeInfo: one, some or all symbols, and the shape of every filter", async () => {
  const { json } = await venue.public("/api/v3/exchangeInfo", { symbol: "BTCUSDT" });
  assert.equal(json.symbols.length, 1);
  const [symbol] = json.symbols;
  assert.equal(symbol.quoteAssetPrecision, 8);
  assert.deepEqual(symbol.permissions, ["SPOT"]);
  assert.deepEqual(symbol.filters, [
    { filterType: "PRICE_FILTER", minPrice: "0.01000000", maxPrice: "1000000.00000000", tickSize: "0.01000000" },
    { filterType: "PERCENT_PRICE", multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
    { filterType: "LOT_SIZE", minQty: "0.00000100", maxQty: "9000.00000000", stepSize: "0.00000100" },
    { filterType: "MIN_NOTIONAL", minNotional: "10.00000000", applyToMarket: true, avgPriceMins: 5 },
    { filterType: "ICEBERG_PARTS", limit: 10 },
    { filterType: "MARKET_LOT_SIZE", minQty: ZERO, maxQty: "100.00000000", stepSize: ZERO },
    { filterType: "MAX_NUM_ORDERS", maxNumOrders: 200, limit: 200 },
    { filterType: "MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: 5 },
  ]);
  const some = await venue.public("/api/v3/exchangeInfo", { symbols: '["BTCKRW","ETHBTC"]' });
  assert.deepEqual(
    some.json.symbols.map(({ symbol: name }: { symbol: string }) => name),
    ["BTCKRW", "ETHBTC"],
  );
  assert.deepEqual(some.json.symbols[1].filters, [], "a symbol may have none");
  venue.act({ type: "setExchangeFilters", by: "test", filters: { maxNumOrders: { maxNumOrders: 1000 } } });
  assert.deepEqual((await venue.public("/api/v3/exchangeInfo")).json.exchangeFilters, [
    { filterType: "EXCHANGE_MAX_NUM_ORDERS", maxNumOrders: 1000 },
  ]);
});

test("numbers: fixed decimals, exact, rounded half away from zero only in percentages", () => {
  assert.equal(fixedText("1"), "1.00000000");
  assert.equal(fixedText("0.01"), "0.01000000");
  assert.equal(percentText(3, 4), "33.333");
  assert.equal(percentText(3, 2), "-33.333");
  assert.equal(percentText(200_000, 200_001), "0.001");
  assert.equal(percentText(200_000, 199_999), "-0.001");
  assert.equal(percentText(0, 5), "0.000");
  const market = venue.engine.marketBySymbol("BTCKRW");
  assert.ok(market);
  assert.equal(averageText(market, { numerator: 0n, denominator: 0n }), ZERO);
  const perTick = 10 ** market.scale.priceDecimals;
  assert.equal(averageText(market, { numerator: 10n * BigInt(perTick), denominator: 3n }), "3.33333333");
  const lots = 10n ** BigInt(market.scale.quantityDecimals);
  assert.equal(weightedPriceText(venue.engine, market, 1000n, 3n * lots), "3.33333333");
  assert.equal(weightedPriceText(venue.engine, market, 1000n, 0n), ZERO);
});
