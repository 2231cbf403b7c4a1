import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fill } from "../../src/account/port.ts";
import { type BarContext, barWords, changeWords, indicatorName, spokenBar } from "../../src/chart/bar-words.ts";
import { axisWords, markWeight, momentOf, timeWords } from "../../src/chart/time-scale.ts";
import { numberStyle } from "../../src/exact/number-style.ts";
import type { Market } from "../../src/market/port.ts";

// A time zone with half hours and daylight saving time, set before any time is read.
process.env["TZ"] = "Australia/Adelaide";

const market = { symbol: "BTCUSDT", priceDigits: 2, quantityDigits: 6 } as unknown as Market;
const openTimeMs = Date.UTC(2026, 10, 22, 14, 5);
const candle = { openTimeMs, open: 100, high: 103.5, low: 99, close: 98.75, volume: 12.345678 };
const fills = [{ symbol: "BTCUSDT", side: "SELL", price: "99.50000000", quantity: "0.50000000", timeMs: openTimeMs }];
const context: BarContext = {
  candles: [candle],
  fills: fills as unknown as readonly Fill[],
  market,
  interval: "5m",
  zone: "utc",
};

test("the text of a candle has the market's digits, the sign of its change, and the account's fills", () => {
  const words = barWords(0, context);
  assert.ok(words !== null);
  assert.equal(
    spokenBar(words),
    "2026-11-22 14:05: open 100.00, high 103.50, low 99.00, close 98.75, −1.25 %, volume 12.345678. Your trades: sold 0.5 at 99.50.",
  );
  const many = [...fills, ...fills, ...fills, { ...fills[0], price: "99.9" }] as unknown as readonly Fill[];
  const shown = [0, 1, -1].map((at) => barWords(at, { ...context, fills: many })?.fills);
  assert.deepEqual(shown, [["sold 2 at an average of 99.60"], undefined, undefined]);
});

test("numbers are formatted as in the book: grouped thousands and the market's digits", () => {
  const words = barWords(0, { ...context, candles: [{ ...candle, open: 60_117.2, volume: 1234.5 }] });
  assert.deepEqual([words?.open, words?.volume], ["60,117.20", "1,234.500000"]);
});

test("spoken numbers have no separators of thousands, and keep the decimal separator of the page", () => {
  const english = numberStyle.value;
  const spoken = (): string => {
    const words = barWords(0, { ...context, fills: [], candles: [{ ...candle, open: 60_117.2 }] });
    return words === null ? "" : spokenBar(words);
  };
  assert.match(spoken(), / open 60117\.20, high 103\.50,/);
  numberStyle.value = { decimal: ",", group: "." };
  assert.match(spoken(), / open 60117,20, high 103,50,/);
  numberStyle.value = english;
});

test("a change that rounds to zero has no sign", () => {
  assert.equal(changeWords({ open: 100, close: 99.9999 }), "0.00%");
  assert.equal(changeWords({ open: 100, close: 101 }), "+1.00%");
  assert.equal(changeWords({ open: 0, close: 0 }), "—");
});

test("times are in the selected zone", () => {
  assert.equal(timeWords(openTimeMs, true, "utc"), "2026-11-22 14:05");
  assert.equal(timeWords(openTimeMs, true, "local"), "2026-11-23 00:35");
  assert.equal(timeWords(openTimeMs, false, "utc"), "2026-11-22");
  assert.equal(axisWords(openTimeMs, "month", "local"), "Nov");
  assert.equal(axisWords(openTimeMs, "time", "local"), "00:35");
});

test("a day of the selected zone is marked where it begins in that zone", () => {
  const weight = (beforeMs: number, atMs: number, zone: "utc" | "local"): number =>
    markWeight(momentOf(beforeMs, zone), momentOf(atMs, zone));
  const midnight = Date.UTC(2026, 10, 22);
  const hourMs = 3_600_000;
  assert.equal(weight(midnight - hourMs, midnight, "utc"), 50);
  assert.equal(weight(midnight - hourMs, midnight, "local"), 30);
  const localMidnight = Date.UTC(2026, 10, 22, 13, 30);
  assert.equal(weight(localMidnight - 1, localMidnight, "local"), 50);
  assert.equal(weight(localMidnight - 1, localMidnight, "utc"), 22);
  assert.equal(weight(Date.UTC(2026, 11, 31, 23), Date.UTC(2027, 0, 1), "utc"), 70);
  assert.equal(weight(Date.UTC(2026, 9, 31, 23), Date.UTC(2026, 10, 1), "utc"), 60);
  assert.equal(weight(midnight + 11 * hourMs, midnight + 12 * hourMs, "utc"), 33);
});

test("indicators are named by their parameters", () => {
  assert.equal(indicatorName({ kind: "average", form: "EMA", length: 99 }), "EMA 99");
  assert.equal(indicatorName({ kind: "bollinger", length: 20, deviations: 2 }), "BB 20 2");
});
