import assert from "node:assert/strict";
import { test } from "node:test";
import { CandleHistory, CANDLES_MAX, candleIndexAt } from "../../src/chart/candles.ts";
import { PAGE_CANDLES } from "../../src/market/port.ts";
import { nextOpenMs } from "../../src/chart/chart-settings.ts";
import { STORED_INTERVALS } from "@pricetime/protocol";
import { DAY_START_MS, flatCandle, flatCandles, MINUTE_MS } from "./candles.ts";

test("older pages are added at the front, without the candles that are already there", () => {
  const history = new CandleHistory("1m");
  const all = flatCandles(30, DAY_START_MS);
  assert.equal(history.addOlder(all.slice(20), false), 10);
  assert.equal(history.addOlder(all.slice(5, 22), false), 15);
  assert.equal(history.isWhole, false);
  assert.equal(history.addOlder(all.slice(0, 5), true), 5);
  assert.equal(history.isWhole, true);
  assert.deepEqual(history.candles, all);
});

test("a page without new candles ends the requests", () => {
  const history = new CandleHistory("1m");
  const all = flatCandles(30, DAY_START_MS);
  history.addOlder(all, false);
  assert.equal(history.addOlder(all, false), 0);
  assert.equal(history.isWhole, true);
});

test("a newer first page keeps older candles if both have its first candle", () => {
  const history = new CandleHistory("1m");
  const all = flatCandles(40, DAY_START_MS);
  history.addOlder(all.slice(0, 30), true);
  history.renew(all.slice(20), false);
  assert.deepEqual(history.candles, all);
  assert.equal(history.isWhole, true, "there is still none before the first");

  const changed = [flatCandle(DAY_START_MS + 20 * MINUTE_MS, 9), ...all.slice(21)];
  history.renew(changed, false);
  assert.deepEqual(history.candles, changed, "a past that was changed meanwhile is not kept");
  assert.equal(history.isWhole, false);
});

test("a newer first page replaces all candles if it begins after them or is empty", () => {
  const history = new CandleHistory("1m");
  const all = flatCandles(40, DAY_START_MS);
  history.addOlder(all.slice(0, 10), true);
  history.renew(all.slice(20), false);
  assert.deepEqual(history.candles, all.slice(20), "no gap");
  assert.equal(history.isWhole, false);
  history.renew([], false);
  assert.deepEqual(history.candles, []);
  assert.equal(history.isWhole, true);
});

test("the newest candle is updated, followed by the next one, and a gap is detected", () => {
  const history = new CandleHistory("1m");
  history.addOlder(flatCandles(3, DAY_START_MS), true);
  const last = DAY_START_MS + 2 * MINUTE_MS;
  assert.equal(history.addNewest(flatCandle(last, 7)), "replaced");
  assert.equal(history.candles.at(-1)?.close, 7);
  assert.equal(history.addNewest(flatCandle(last - MINUTE_MS, 9)), "late");
  assert.equal(history.addNewest(flatCandle(last + 2 * MINUTE_MS)), "gap");
  assert.equal(history.candles.length, 3);
  assert.equal(history.addNewest(flatCandle(last + MINUTE_MS)), "appended");
  assert.equal(history.candles.length, 4);
});

test("candles above the limit are excess, until a block is dropped from the left", () => {
  const history = new CandleHistory("1m");
  history.addOlder(flatCandles(CANDLES_MAX, DAY_START_MS), true);
  assert.ok(history.isFull);
  assert.ok(!history.isOver);
  const next = DAY_START_MS + CANDLES_MAX * MINUTE_MS;
  assert.equal(history.addNewest(flatCandle(next)), "appended");
  assert.ok(history.isOver);
  history.dropOldest();
  assert.ok(!history.isOver);
  assert.equal(history.candles.length, CANDLES_MAX + 1 - PAGE_CANDLES);
  assert.equal(history.candles[0]?.openTimeMs, DAY_START_MS + PAGE_CANDLES * MINUTE_MS);
  assert.equal(history.candles.at(-1)?.openTimeMs, next);
  assert.equal(history.isWhole, false);
});

test("the candles of each interval are contiguous, and months have their own length", () => {
  for (const interval of STORED_INTERVALS) assert.ok(nextOpenMs(DAY_START_MS, interval) > DAY_START_MS, interval);
  assert.equal(nextOpenMs(Date.UTC(2026, 1, 1), "1M"), Date.UTC(2026, 2, 1));
  assert.equal(nextOpenMs(Date.UTC(2026, 11, 1), "1M"), Date.UTC(2027, 0, 1));
  assert.equal(nextOpenMs(DAY_START_MS, "4h"), DAY_START_MS + 240 * MINUTE_MS);
});

test("the candle of a time is the last that opened before or at that time", () => {
  const candles = flatCandles(5, DAY_START_MS);
  assert.equal(candleIndexAt(candles, DAY_START_MS - 1), -1);
  assert.equal(candleIndexAt(candles, DAY_START_MS), 0);
  assert.equal(candleIndexAt(candles, DAY_START_MS + 2.5 * MINUTE_MS), 2);
  assert.equal(candleIndexAt(candles, DAY_START_MS + 99 * MINUTE_MS), 4);
  assert.equal(candleIndexAt([], DAY_START_MS), -1);
});
