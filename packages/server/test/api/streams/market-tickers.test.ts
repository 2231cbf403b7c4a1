/** 24-hour tickers: every second, and only of markets that changed. Interface 10.3. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { beatsByHand, MarketVenue, untilHeard } from "./market-venue.ts";

test("a ticker equals GET ticker/24hr", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  await venue.limit("SELL", "100", "1");
  await venue.limit("SELL", "110", "1");
  await venue.limit("BUY", "110", "1.5", venue.trader);
  const full = venue.record("btcusdt@ticker");
  const mini = venue.record("btcusdt@miniTicker");
  const quiet = venue.record("ethbtc@ticker");
  await venue.limit("BUY", "99", "2");
  await venue.limit("SELL", "99", "0.5", venue.trader);
  t.mock.timers.tick(1000);
  const { json: day } = await venue.send("GET", "/api/v3/ticker/24hr", { query: "symbol=BTCUSDT" });
  assert.deepEqual(full, [
    {
      e: "24hrTicker",
      E: venue.nowMs,
      s: "BTCUSDT",
      p: day.priceChange,
      P: day.priceChangePercent,
      w: day.weightedAvgPrice,
      x: day.prevClosePrice,
      c: day.lastPrice,
      Q: day.lastQty,
      b: day.bidPrice,
      B: day.bidQty,
      a: day.askPrice,
      A: day.askQty,
      o: day.openPrice,
      h: day.highPrice,
      l: day.lowPrice,
      v: day.volume,
      q: day.quoteVolume,
      O: day.openTime,
      C: day.closeTime,
      F: day.firstId,
      L: day.lastId,
      n: day.count,
    },
  ]);
  assert.deepEqual([full[0]?.["c"], full[0]?.["p"], full[0]?.["n"]], ["99.00000000", "-1.00000000", 3]);
  const { c, o, h, l, v, q } = full[0] ?? {};
  assert.deepEqual(mini, [{ e: "24hrMiniTicker", E: venue.nowMs, s: "BTCUSDT", c, o, h, l, v, q }]);
  t.mock.timers.tick(5000);
  assert.deepEqual([full.length, mini.length, quiet.length], [1, 1, 0], "nothing changed");
});

test("a mini ticker is silent while orders only rest; a day later the window is empty", async () => {
  const venue = new MarketVenue();
  await venue.limit("SELL", "100", "1");
  await venue.limit("BUY", "100", "0.5", venue.trader);
  const full = venue.record("btcusdt@ticker");
  const mini = venue.record("btcusdt@miniTicker");
  await venue.limit("BUY", "99", "1");
  await untilHeard(full, 1);
  assert.deepEqual([full[0]?.["b"], mini.length], ["99.00000000", 0]);
  venue.nowMs += 25 * 3_600_000;
  await untilHeard(mini, 1);
  assert.deepEqual([mini[0]?.["v"], mini[0]?.["c"]], ["0.00000000", "100.00000000"]);
});

test("all tickers are sent as an array of those that changed", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  const full = venue.record("!ticker@arr");
  const mini = venue.record("!miniTicker@arr");
  const order = { side: "SELL", type: "LIMIT", timeInForce: "GTC", quantity: "1" };
  await venue.place({ ...order, symbol: "ETHBTC", price: "0.05" });
  t.mock.timers.tick(1000);
  assert.deepEqual(symbols(full[0]), ["ETHBTC"]);
  venue.listSymbol("ETH/USDT");
  await venue.place({ ...order, symbol: "ETHUSDT", price: "3000" });
  await venue.place({ ...order, symbol: "ETHUSDT", price: "3000", side: "BUY" }, venue.trader);
  await venue.place({ ...order, symbol: "BTCUSDT", price: "60000" });
  t.mock.timers.tick(1000);
  assert.deepEqual(symbols(full[1]).sort(), ["BTCUSDT", "ETHUSDT"]);
  assert.deepEqual([symbols(mini[0]), mini.length], [["ETHUSDT"], 1]);
});

function symbols(message: unknown): string[] {
  return (message as { readonly s: string }[]).map(({ s }) => s);
}
