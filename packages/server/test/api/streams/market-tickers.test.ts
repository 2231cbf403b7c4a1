/** 24-hour tickers: every second, and only of markets that changed. Interface 10.3. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { History } from "../../../src/history/port.ts";
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

test("the ticker of a window equals GET ticker, also when a minute leaves the window", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue(1_700_000_040_000);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };
  const second = async (ms = 1000): Promise<void> => {
    venue.nowMs += ms;
    t.mock.timers.tick(1000);
    await turns();
  };
  const sizes = ["1h", "4h", "1d"] as const;
  await venue.limit("SELL", "100", "1");
  await venue.limit("BUY", "100", "0.5", venue.trader);
  const heard = sizes.map((size) => venue.record(`btcusdt@ticker_${size}`));
  const all = sizes.map((size) => venue.record(`!ticker_${size}@arr`));
  await second();
  assert.deepEqual([...heard, ...all].flat(), [], "nothing has changed since they were opened");
  await venue.limit("BUY", "99", "1");
  await second();
  assert.deepEqual([...heard, ...all].flat(), [], "the book is no part of it");
  await venue.limit("SELL", "99", "0.25", venue.trader);
  await second();
  for (const [at, size] of sizes.entries()) {
    const { json: window } = await venue.send("GET", "/api/v3/ticker", { query: `symbol=BTCUSDT&windowSize=${size}` });
    const message = {
      ...{ e: `${size}Ticker`, E: venue.nowMs, s: "BTCUSDT", p: window.priceChange, P: window.priceChangePercent },
      ...{ o: window.openPrice, h: window.highPrice, l: window.lowPrice, c: window.lastPrice },
      ...{ w: window.weightedAvgPrice, v: window.volume, q: window.quoteVolume, O: window.openTime },
      ...{ C: window.closeTime, F: window.firstId, L: window.lastId, n: window.count },
    };
    assert.deepEqual([message.p, message.n, message.C], ["-1.00000000", 2, venue.nowMs]);
    assert.deepEqual(heard[at], [message]);
    assert.deepEqual(all[at], [[message]], "only the market that changed");
    assert.deepEqual(Object.keys(heard[at]?.[0] ?? {}).join(""), "eEspPohlcwvqOCFLn");
  }
  await second();
  assert.deepEqual([heard[0]?.length, all[0]?.length], [1, 1]);
  await second(3_600_000);
  assert.deepEqual(
    [heard[0]?.length, heard[1]?.length, all[0]?.length],
    [1, 1, 1],
    "the first minute is in the window",
  );
  await second(60_000);
  assert.deepEqual([heard[0]?.length, heard[1]?.length, all[0]?.length], [2, 1, 2]);
  const { v, n, F, o, c } = heard[0]?.[1] ?? {};
  assert.deepEqual([v, n, F, o, c], ["0.00000000", 0, -1, "99.00000000", "99.00000000"]);
});

test("windows of many markets are read with few queries, and a failed one again", async (t) => {
  beatsByHand(t);
  const asked: number[] = [];
  let isFailing = true;
  class Counting extends MarketVenue {
    override history(): History {
      const history = super.history();
      return {
        seq: 0,
        query: async (seq, name, args) => {
          if (name === "windows") asked.push((args as { readonly symbolIds: readonly number[] }).symbolIds.length);
          if (isFailing && name === "windows") throw new Error("the disk is away");
          return history.query(seq, name, args);
        },
      };
    }
  }
  const venue = new Counting();
  for (const symbol of ["ETH/USDT", "ETH/KRW"]) venue.listSymbol(symbol);
  const names = venue.engine.markets().map(({ spec }) => `${spec.symbol.toLowerCase()}@ticker_1h`);
  for (const name of names) venue.record(name);
  const all = venue.record("!ticker_1h@arr");
  await venue.limit("SELL", "100", "1");
  await venue.limit("BUY", "100", "0.5", venue.trader);
  const beat = async (): Promise<void> => {
    t.mock.timers.tick(1000);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };
  await beat();
  assert.deepEqual([asked.splice(0), all.length], [[names.length], 0]);
  await beat();
  assert.deepEqual(asked.splice(0), [names.length], "it is read again");
  assert.equal(venue.bugs.splice(0).length, 1, "a failure is logged once, however long it lasts");
  isFailing = false;
  await beat();
  assert.deepEqual(asked.splice(0), [names.length]);
  assert.deepEqual(all.map(symbols), [["BTCUSDT"]]);
  await beat();
  assert.deepEqual(asked, []);
});

test("a trade that is made while its window is read is sent after the reading", async (t) => {
  beatsByHand(t);
  const slow = Promise.withResolvers<void>();
  let asked = 0;
  class Slow extends MarketVenue {
    override history(): History {
      const history = super.history();
      return {
        seq: 0,
        query: async (seq, name, args) => {
          const answer = await history.query(seq, name, args);
          if (name === "windows" && ++asked === 2) await slow.promise;
          return answer;
        },
      };
    }
  }
  const venue = new Slow();
  const second = async (): Promise<void> => {
    venue.nowMs += 1000;
    t.mock.timers.tick(1000);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  };
  const trade = (): Promise<number> => venue.limit("BUY", "100", "1", venue.trader);
  await venue.limit("SELL", "100", "5");
  const [one, all] = [venue.record("btcusdt@ticker_1h"), venue.record("!ticker_1h@arr")];
  await second();
  await trade();
  await second();
  await trade();
  await second();
  slow.resolve();
  await second();
  await second();
  assert.deepEqual(
    one.map(({ n }) => n),
    [1, 2],
  );
  assert.deepEqual(
    all.map((message) => (message as unknown as readonly { readonly n: number }[])[0]?.n),
    [1, 2],
  );
});

test("the average price and the time of the last trade, when they change", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  await venue.limit("SELL", "100", "1");
  await venue.limit("BUY", "100", "0.5", venue.trader);
  const tradeMs = venue.nowMs;
  venue.nowMs += 5000;
  const [heard, quiet] = [venue.record("btcusdt@avgPrice"), venue.record("ethbtc@avgPrice")];
  const second = async (ms = 1000): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    venue.nowMs += ms;
    t.mock.timers.tick(1000);
  };
  await second();
  const first = { e: "avgPrice", E: venue.nowMs, s: "BTCUSDT", i: "5m", w: "100.00000000", T: tradeMs };
  assert.deepEqual(heard, [first]);
  const zero = { e: "avgPrice", E: venue.nowMs, s: "ETHBTC", i: "5m", w: "0.00000000", T: 0 };
  assert.deepEqual(quiet, [zero]);
  await second();
  assert.equal(heard.length, 1);
  await venue.limit("SELL", "102", "1");
  await venue.limit("BUY", "102", "1", venue.trader);
  const laterMs = venue.nowMs;
  await second();
  assert.deepEqual([heard.length, heard[1]?.["w"], heard[1]?.["T"]], [2, "100.66666666", laterMs]);
  const { json } = await venue.send("GET", "/api/v3/avgPrice", { query: "symbol=BTCUSDT" });
  assert.deepEqual(json, { mins: 5, price: "100.66666666", closeTime: laterMs });
  await second(300_000);
  assert.deepEqual([heard.length, heard[2]?.["w"], quiet.length], [3, "102.00000000", 1]);
});

test("the reference price of a symbol with a price range, when it changes", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  const [heard, none] = [venue.record("btcusdt@referencePrice"), venue.record("ethbtc@referencePrice")];
  const second = (ms = 1000): void => {
    venue.nowMs += ms;
    t.mock.timers.tick(1000);
  };
  const priceRange = { askLimitMultDown: "0.9", bucketCount: 10, bucketWidthMs: 1000 };
  venue.act({ type: "setPriceRange", by: "test", symbol: "BTCUSDT", priceRange });
  second();
  const sent = (r: string | null) => ({ e: "referencePrice", s: "BTCUSDT", r, t: venue.nowMs });
  assert.deepEqual(heard, [sent(null)]);
  await venue.limit("SELL", "100", "1");
  await venue.limit("BUY", "100", "0.5", venue.trader);
  second();
  assert.deepEqual(heard.slice(1), [sent("100.00000000")]);
  second();
  second(20_000);
  assert.deepEqual(heard.slice(2), [sent(null)]);
  venue.act({ type: "setPriceRange", by: "test", symbol: "BTCUSDT", priceRange: null });
  second();
  assert.deepEqual([heard.length, none.length], [3, 0]);

  // A range that is removed while there is a price: null, once; then the same price again with a new range.
  const set = (range: typeof priceRange | null): void => {
    venue.act({ type: "setPriceRange", by: "test", symbol: "BTCUSDT", priceRange: range });
    second();
  };
  const trade = async (): Promise<void> => {
    await venue.limit("SELL", "100", "1");
    await venue.limit("BUY", "100", "0.5", venue.trader);
    second();
  };
  set(priceRange);
  assert.equal(heard.length, 3);
  await trade();
  assert.deepEqual(heard.slice(3), [sent("100.00000000")]);
  set(null);
  assert.deepEqual(heard.slice(4), [sent(null)]);
  second();
  set(priceRange);
  assert.equal(heard.length, 5);
  await trade();
  assert.deepEqual(heard.slice(5), [sent("100.00000000")]);
});

function symbols(message: unknown): string[] {
  return (message as { readonly s: string }[]).map(({ s }) => s);
}
