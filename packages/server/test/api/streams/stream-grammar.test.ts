/** Every accepted stream name sends messages once its market is active. Interface 10.3. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KLINE_INTERVALS } from "@pricetime/protocol";
import fc from "fast-check";
import { ALL_MARKETS } from "../../../src/api/streams/market/market-stream.ts";
import { beatsByHand, MarketVenue } from "./market-venue.ts";
import type { Message } from "./user-venue.ts";

/** Parts of names, valid and nearly valid. */
const PLAIN = [
  "trade",
  "aggTrade",
  "bookTicker",
  "miniTicker",
  "ticker",
  "depth",
  "kline",
  "avgPrice",
  "referencePrice",
  "nothing",
];
const SUFFIXES = ["", "5", "10", "20", "7", ...KLINE_INTERVALS.map((interval) => `_${interval}`), "_2s", "_2m"];
const SPEEDS = ["", "@100ms", "@250ms", "@1000ms", "@2000ms", "@3000ms", "@arr", "@+08:00"];
const ALL = [
  "!bookTicker",
  "!miniTicker",
  "!ticker",
  "!trade",
  "!depth",
  "!ticker_1h",
  "!ticker_4h",
  "!ticker_1d",
  "!ticker_2h",
  "!avgPrice",
  "!contractInfo",
];
const ARRAYS = ["", "@arr", "@arr@100ms", "@arr@1000ms", "@arr@2000ms", "@arr@3000ms", "@1000ms"];

const EVERY_NAME: readonly string[] = [
  ...PLAIN.flatMap((kind) => SUFFIXES.flatMap((suffix) => SPEEDS.map((speed) => `btcusdt@${kind}${suffix}${speed}`))),
  ...ALL.flatMap((kind) => ARRAYS.map((speed) => kind + speed)),
];

/** Trades, changes of the best prices, and passing time. */
async function bustle(venue: MarketVenue, tick: (ms: number) => void): Promise<void> {
  for (const price of ["100", "101"]) {
    await venue.limit("SELL", price, "1");
    await venue.limit("BUY", price, "1", venue.trader);
    await venue.limit("BUY", "99", "1");
    venue.nowMs += 3000;
    tick(3000);
  }
}

test("the whole grammar: each accepted name sends messages, all others are rejected", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  const priceRange = { bucketCount: 10, bucketWidthMs: 1000 };
  venue.act({ type: "setPriceRange", by: "test", symbol: "BTCUSDT", priceRange });
  const taken = EVERY_NAME.filter((name) => venue.streams.isStream(name));
  // 7 plain ones, 16 candles in two time zones, 4 depths at 3 speeds, 3 windows, and those of all markets.
  assert.equal(taken.length, 7 + 32 + 12 + 3 + Object.keys(ALL_MARKETS).length);
  const heard = new Map<string, Message[]>(taken.map((name) => [name, venue.record(name)]));
  // Candles start with a history query.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  await bustle(venue, (ms) => t.mock.timers.tick(ms));
  // Windows are read when a market has traded.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  const silent = [...heard].filter(([, messages]) => messages.length === 0).map(([name]) => name);
  assert.deepEqual(silent, []);
});

test("tickers of all markets are sent with the period in their name", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue();
  const names = ["!miniTicker@arr", "!miniTicker@arr@1000ms", "!miniTicker@arr@3000ms", "!ticker@arr@3000ms"];
  const [plain, fast, slow, full] = names.map((name) => venue.record(name));
  for (let second = 1; second <= 6; second++) {
    await venue.limit("SELL", `${100 + second}`, "1");
    await venue.limit("BUY", `${100 + second}`, "1", venue.trader);
    venue.nowMs += 1000;
    t.mock.timers.tick(1000);
  }
  assert.deepEqual([plain?.length, fast?.length, slow?.length, full?.length], [6, 6, 2, 2]);
  assert.deepEqual(fast, plain);
  const [one] = (slow?.[1] ?? []) as unknown as Message[];
  assert.deepEqual([one?.["e"], one?.["c"]], ["24hrMiniTicker", "106.00000000"], "as it stands by then");
});

test("only names that are read are accepted as streams", () => {
  const venue = new MarketVenue();
  const taken = new Set(EVERY_NAME.filter((name) => venue.streams.isStream(name)));
  const part = fc.constantFrom("btcusdt", "BTCUSDT", "btc", "!", "@", "arr", "_", "5", "ms", "1", ...PLAIN, ...SPEEDS);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const name = parts.join("");
      if (venue.streams.isStream(name)) assert.ok(taken.has(name), name);
    }),
    { numRuns: 5000 },
  );
});
