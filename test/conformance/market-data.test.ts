/** Interface 4.1 with 2.6 to 2.8: every field of every answer, on a market that has traded. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { type Fields, type Market, ok, openMarket, refused, SYMBOL, tradeABit } from "./market.ts";
import { assertShape, type Shape } from "./shape.ts";
import { AGG_TRADE, BOOK_TICKER, EXCHANGE_INFO, FILTERS, PRICE_TICKER, TICKER, TRADE } from "./shapes.ts";

let market: Market;
let client: Client;
before(async () => {
  market = await openMarket();
  client = new Client(market.exchange.rest);
  await tradeABit(market);
});
after(async () => {
  client.close();
  await market.close();
});

/** Asks, wants a 200 of the given shape, on /api/v3 and, unless told otherwise, on /api/v1 alike. */
async function get<T = Fields>(path: string, parameters: Parameters, shape: Shape): Promise<T> {
  const body = ok(await client.public<T>(`/api/v3/${path}`, parameters));
  assertShape(body, shape);
  return body;
}

test("ping and time, also under /api/v1", async () => {
  for (const version of ["v1", "v3"]) {
    assert.deepEqual(ok(await client.public(`/api/${version}/ping`)), {});
    assertShape(ok(await client.public(`/api/${version}/time`)), { serverTime: "time" });
  }
});

interface Info {
  readonly symbols: readonly { readonly symbol: string; readonly filters: readonly Fields[] }[];
}

test("exchangeInfo: symbols and filters", async () => {
  const info = await get<Info>("exchangeInfo", {}, EXCHANGE_INFO);
  const names = info.symbols.map((symbol) => symbol.symbol);
  for (const name of ["BTCUSDT", "ETHUSDT", "ETHBTC", "BNBUSDT"]) assert.ok(names.includes(name), name);
  for (const { symbol, filters } of info.symbols) {
    for (const { filterType = "", ...fields } of filters) {
      const shape = FILTERS[filterType];
      assert.ok(shape, `${symbol}: ${filterType}`);
      assertShape(fields, shape);
    }
  }
  const bitcoin = info.symbols.find((symbol) => symbol.symbol === SYMBOL)?.filters ?? [];
  const filter = (type: string): Fields | undefined => bitcoin.find((each) => each.filterType === type);
  assert.equal(filter("PRICE_FILTER")?.tickSize, "0.01000000");
  assert.equal(filter("LOT_SIZE")?.stepSize, "0.00000100");
  assert.equal(filter("MIN_NOTIONAL")?.minNotional, "10.00000000");
});

test("exchangeInfo of one symbol or several", async () => {
  const one = await get<Info>("exchangeInfo", { symbol: "ETHBTC" }, EXCHANGE_INFO);
  assert.deepEqual(
    one.symbols.map((each) => each.symbol),
    ["ETHBTC"],
  );
  const two = await get<Info>("exchangeInfo", { symbols: '["BTCUSDT","ETHBTC"]' }, EXCHANGE_INFO);
  assert.deepEqual(two.symbols.map((each) => each.symbol).sort(), ["BTCUSDT", "ETHBTC"]);
});

interface Depth {
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

test("depth: best first, pairs of decimals", async () => {
  const shape: Shape = { lastUpdateId: "integer", bids: [["decimal"]], asks: [["decimal"]] };
  const { bids, asks } = await get<Depth>("depth", { symbol: SYMBOL }, shape);
  assert.deepEqual(bids, [["49990.00000000", "1.50000000"]]);
  assert.deepEqual(asks, [["50020.00000000", "4.90000000"]]);
  for (const limit of [5, 10, 20, 50, 100, 500, 1000, 5000]) await get("depth", { symbol: SYMBOL, limit }, shape);
  refused(
    await client.public("/api/v3/depth", { symbol: SYMBOL, limit: 7 }),
    400,
    -1130,
    "Data sent for paramter 'limit' is not valid.",
  );
});

test("trades, ascending, ids without gaps", async () => {
  const trades = await get<Fields[]>("trades", { symbol: SYMBOL }, [TRADE]);
  assert.deepEqual(
    trades.map(({ id, price, qty, quoteQty, isBuyerMaker }) => [id, price, qty, quoteQty, isBuyerMaker]),
    [
      [1, "50000.00000000", "0.10000000", "5000.00000000", false],
      [2, "50000.00000000", "0.20000000", "10000.00000000", false],
      [3, "50010.00000000", "0.30000000", "15003.00000000", false],
      [4, "50020.00000000", "0.10000000", "5002.00000000", false],
      [5, "49990.00000000", "0.50000000", "24995.00000000", true],
    ],
  );
  const last = await get<Fields[]>("trades", { symbol: SYMBOL, limit: 2 }, [TRADE]);
  assert.deepEqual(
    last.map((trade) => trade.id),
    [4, 5],
  );
});

test("historicalTrades needs no key, checks one that is sent, and goes back from an id", async () => {
  assertShape(ok(await client.public("/api/v3/historicalTrades", { symbol: SYMBOL })), [TRADE]);
  const wrong = { query: `symbol=${SYMBOL}`, headers: { "X-MBX-APIKEY": "short" } };
  refused(await client.send("GET", "/api/v3/historicalTrades", wrong), 401, -2014, "API-key format invalid.");
  const answer = await market.taker.keyed<Fields[]>("GET", "/api/v3/historicalTrades", {
    symbol: SYMBOL,
    fromId: 2,
    limit: 2,
  });
  assertShape(ok(answer), [TRADE]);
  assert.deepEqual(
    answer.json.map((trade) => trade.id),
    [2, 3],
  );
});

test("aggTrades join the fills of one order at one price", async () => {
  const rows = await get<Fields[]>("aggTrades", { symbol: SYMBOL }, [AGG_TRADE]);
  assert.deepEqual(
    rows.map(({ a, p, q, f, l, m }) => [a, p, q, f, l, m]),
    [
      [1, "50000.00000000", "0.30000000", 1, 2, false],
      [2, "50010.00000000", "0.30000000", 3, 3, false],
      [3, "50020.00000000", "0.10000000", 4, 4, false],
      [4, "49990.00000000", "0.50000000", 5, 5, true],
    ],
  );
});

test("aggTrades: windows", async () => {
  const now = Date.now();
  const hour = 3_600_000;
  const ask = (more: Parameters): ReturnType<typeof client.public<Fields[]>> =>
    client.public<Fields[]>("/api/v3/aggTrades", { symbol: SYMBOL, ...more });
  const ids = async (more: Parameters): Promise<number[]> => ok(await ask(more)).map((row) => row.a ?? 0);
  assert.deepEqual(await ids({ fromId: 2 }), [2, 3, 4]);
  assert.deepEqual(await ids({ fromId: 2, limit: 1 }), [2]);
  assert.deepEqual(await ids({ startTime: now - hour + 10_000, endTime: now + 10_000, limit: 2 }), [1, 2]);
  assert.deepEqual(await ids({ startTime: now - hour }), [1, 2, 3, 4]);
  assert.deepEqual(await ids({ endTime: now + 10_000, limit: 2 }), [3, 4]);
  assert.deepEqual(await ids({ endTime: now - hour }), []);
  refused(
    await ask({ startTime: now - hour - 1, endTime: now }),
    400,
    -1127,
    "More than 1 hours between startTime and endTime.",
  );
});

test("klines of every interval hold the trades", async () => {
  const intervals = ["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"];
  for (const interval of intervals) {
    const rows = ok(await client.public<unknown[][]>("/api/v3/klines", { symbol: SYMBOL, interval }));
    const kline = rows.at(-1);
    assert.ok(kline, interval);
    assert.equal(kline.length, 12, interval);
    assertShape(kline.slice(1, 6), ["decimal"]);
    assertShape([kline[0], kline[6]], ["time"]);
    assertShape([kline[7], kline[9], kline[10]], ["decimal"]);
    assert.equal(typeof kline[11], "string");
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row[8]), 0),
      5,
      `${interval}: number of trades`,
    );
  }
});

test("klines: the day's numbers", async () => {
  const rows = ok(await client.public<unknown[][]>("/api/v3/klines", { symbol: SYMBOL, interval: "1M" }));
  assert.deepEqual(rows.at(-1)?.slice(1, 6), [
    "50000.00000000",
    "50020.00000000",
    "49990.00000000",
    "49990.00000000",
    "1.20000000",
  ]);
  assert.deepEqual(rows.at(-1)?.slice(7, 11), ["60000.00000000", 5, "0.70000000", "35005.00000000"]);
});

test("avgPrice weighs prices by quantity", async () => {
  const fields = { mins: "integer", price: "decimal", closeTime: "integer" } as const;
  const body = await get("avgPrice", { symbol: SYMBOL }, fields);
  assert.deepEqual([body.mins, body.price], [5, "50000.00000000"]);
  const [last] = ok(await client.public<{ readonly time: number }[]>("/api/v3/trades", { symbol: SYMBOL, limit: 1 }));
  assert.equal(body.closeTime, last?.time);
  const untraded = await get("avgPrice", { symbol: "ETHBTC" }, fields);
  assert.deepEqual([untraded.price, untraded.closeTime], ["0.00000000", 0]);
});

test("ticker/24hr of one, of all, of none traded", async () => {
  const ticker = await get("ticker/24hr", { symbol: SYMBOL }, TICKER);
  const wanted = {
    priceChange: "-10.00000000",
    priceChangePercent: "-0.020",
    weightedAvgPrice: "50000.00000000",
    lastPrice: "49990.00000000",
    lastQty: "0.50000000",
    bidPrice: "49990.00000000",
    askPrice: "50020.00000000",
    openPrice: "50000.00000000",
    highPrice: "50020.00000000",
    lowPrice: "49990.00000000",
    volume: "1.20000000",
    quoteVolume: "60000.00000000",
    firstId: 1,
    lastId: 5,
    count: 5,
  };
  assert.deepEqual({ ...ticker, ...wanted }, ticker);
  const all = await get<Fields[]>("ticker/24hr", {}, [TICKER]);
  assert.ok(all.length >= 4);
  const untraded = await get("ticker/24hr", { symbol: "ETHBTC" }, TICKER);
  assert.deepEqual([untraded.lastPrice, untraded.firstId, untraded.lastId, untraded.count], ["0.00000000", -1, -1, 0]);
});

test("ticker/price and ticker/bookTicker of one, of several, of all", async () => {
  assert.equal((await get("ticker/price", { symbol: SYMBOL }, PRICE_TICKER)).price, "49990.00000000");
  assert.ok((await get<Fields[]>("ticker/price", {}, [PRICE_TICKER])).length >= 4);
  const two = await get<Fields[]>("ticker/price", { symbols: '["BTCUSDT","ETHBTC"]' }, [PRICE_TICKER]);
  assert.equal(two.length, 2);
  const book = await get("ticker/bookTicker", { symbol: SYMBOL }, BOOK_TICKER);
  assert.deepEqual([book.bidQty, book.askQty], ["1.50000000", "4.90000000"]);
  assert.ok((await get<Fields[]>("ticker/bookTicker", {}, [BOOK_TICKER])).length >= 4);
});

test("the old addresses of 2019 answer the same", async () => {
  for (const path of ["depth", "trades", "aggTrades", "ticker/24hr", "ticker/price", "ticker/bookTicker"]) {
    const [old, now] = await Promise.all([
      client.public<Fields>(`/api/v1/${path}`, { symbol: SYMBOL }),
      client.public<Fields>(`/api/v3/${path}`, { symbol: SYMBOL }),
    ]);
    assert.deepEqual(Object.keys(ok(old)), Object.keys(ok(now)), path);
  }
  assertShape(ok(await client.public("/api/v1/ticker/allPrices")), [PRICE_TICKER]);
  assertShape(ok(await client.public("/api/v1/ticker/allBookTickers")), [BOOK_TICKER]);
});

test("bad symbols, limits and intervals", async () => {
  const PATTERN = "^[A-Z0-9-_.]{1,20}$";
  for (const path of ["depth", "trades", "aggTrades", "avgPrice", "ticker/24hr", "ticker/price", "ticker/bookTicker"]) {
    refused(await client.public(`/api/v3/${path}`, { symbol: "NOSUCH" }), 400, -1121, "Invalid symbol.");
    refused(
      await client.public(`/api/v3/${path}`, { symbol: "btcusdt" }),
      400,
      -1100,
      `Illegal characters found in parameter 'symbol'; legal range is '${PATTERN}'.`,
    );
  }
  refused(await client.public("/api/v3/klines", { symbol: SYMBOL, interval: "7m" }), 400, -1120, "Invalid interval.");
  refused(
    await client.public("/api/v3/klines", { symbol: SYMBOL }),
    400,
    -1102,
    "Mandatory parameter 'interval' was not sent, was empty/null, or malformed.",
  );
  refused(
    await client.public("/api/v3/trades", { symbol: SYMBOL, limit: 0 }),
    400,
    -1130,
    "Data sent for paramter 'limit' is not valid.",
  );
  assert.equal((await client.public("/api/v3/trades", { symbol: SYMBOL, limit: 5000 })).status, 200, "cut to 1000");
});
