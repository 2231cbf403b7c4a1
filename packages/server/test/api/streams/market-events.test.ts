/** Streams in real time: trades, aggregate trades, best prices. Interface 10.3, field by field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MarketVenue } from "./market-venue.ts";

test("a trade has every field, with buyer and seller on either side", async () => {
  const venue = new MarketVenue();
  const trades = venue.record("btcusdt@trade");
  const ask = await venue.limit("SELL", "100", "1");
  venue.nowMs += 50;
  const buyer = await venue.limit("BUY", "101", "0.4", venue.trader);
  assert.deepEqual(trades, [
    {
      e: "trade",
      E: venue.nowMs,
      s: "BTCUSDT",
      t: 1,
      p: "100.00000000",
      q: "0.40000000",
      b: buyer,
      a: ask,
      T: venue.nowMs,
      m: false,
      M: true,
    },
  ]);
  const bid = await venue.limit("BUY", "99", "1");
  const seller = await venue.limit("SELL", "99", "0.5", venue.trader);
  assert.deepEqual([trades[1]?.["b"], trades[1]?.["a"], trades[1]?.["m"], trades[1]?.["t"]], [bid, seller, true, 2]);
});

test("an aggregate trade is that of one taker order at one price", async () => {
  const venue = new MarketVenue();
  for (const price of ["100", "100", "101"]) await venue.limit("SELL", price, "1");
  const trades = venue.record("btcusdt@trade");
  const aggregates = venue.record("btcusdt@aggTrade");
  await venue.limit("BUY", "101", "2.5", venue.trader);
  assert.equal(trades.length, 3);
  const common = { e: "aggTrade", E: venue.nowMs, s: "BTCUSDT", T: venue.nowMs, m: false, M: true };
  assert.deepEqual(aggregates, [
    { ...common, a: 1, p: "100.00000000", q: "2.00000000", f: 1, l: 2 },
    { ...common, a: 2, p: "101.00000000", q: "0.50000000", f: 3, l: 3 },
  ]);
  await venue.limit("BUY", "101", "0.5", venue.trader);
  assert.deepEqual([aggregates[2]?.["a"], aggregates[2]?.["f"], aggregates[2]?.["l"]], [3, 4, 4]);
});

test("the best prices are sent when they change, and only then", async () => {
  const venue = new MarketVenue();
  const one = venue.record("btcusdt@bookTicker");
  const all = venue.record("!bookTicker");
  const update = (): number => venue.engine.marketBySymbol("BTCUSDT")?.bookUpdateId ?? -1;
  await venue.limit("SELL", "100", "1");
  const first = update();
  await venue.limit("SELL", "102", "1");
  const bid = await venue.limit("BUY", "99", "2");
  const second = update();
  await venue.limit("BUY", "98", "2");
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: bid }, { key: venue.maker });
  await venue.limit("BUY", "100", "0.25", venue.trader);
  assert.deepEqual(one, [
    { u: first, s: "BTCUSDT", b: "0.00000000", B: "0.00000000", a: "100.00000000", A: "1.00000000" },
    { u: second, s: "BTCUSDT", b: "99.00000000", B: "2.00000000", a: "100.00000000", A: "1.00000000" },
    { u: update() - 1, s: "BTCUSDT", b: "98.00000000", B: "2.00000000", a: "100.00000000", A: "1.00000000" },
    { u: update(), s: "BTCUSDT", b: "98.00000000", B: "2.00000000", a: "100.00000000", A: "0.75000000" },
  ]);
  assert.deepEqual(all, one);
  await venue.place({
    symbol: "ETHBTC",
    side: "SELL",
    type: "LIMIT",
    timeInForce: "GTC",
    price: "0.05",
    quantity: "1",
  });
  assert.deepEqual([one.length, all.length, all[4]?.["s"]], [4, 5, "ETHBTC"]);
});

test("streams of all markets include those listed later; a stream of a market does not exist before", async () => {
  const venue = new MarketVenue();
  const tops = venue.record("!bookTicker");
  assert.equal(venue.streams.isStream("ethusdt@trade"), false);
  venue.listSymbol("ETH/USDT");
  assert.equal(venue.streams.isStream("ethusdt@trade"), true);
  const trades = venue.record("ethusdt@trade");
  const order = { symbol: "ETHUSDT", type: "LIMIT", timeInForce: "GTC", price: "3000", quantity: "1" };
  await venue.place({ ...order, side: "SELL" });
  await venue.place({ ...order, side: "BUY" }, venue.trader);
  assert.equal(trades.length, 1);
  assert.deepEqual(
    tops.map((top) => top["a"]),
    ["3000.00000000", "0.00000000"],
  );
});

test("streams without subscribers are not published", async () => {
  const venue = new MarketVenue();
  for (const name of [
    "btcusdt@trade",
    "btcusdt@bookTicker",
    "!bookTicker",
    "btcusdt@kline_1m",
    "btcusdt@depth@100ms",
  ]) {
    venue.record(name);
    venue.hush(name);
  }
  await venue.limit("SELL", "100", "1");
  await venue.limit("BUY", "100", "1", venue.trader);
  assert.equal(venue.published.size, 0);
});
