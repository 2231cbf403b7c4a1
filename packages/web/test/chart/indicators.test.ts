/** Indicators are compared with their formulas, and the live candle with a calculation over all candles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import {
  FIRST_SETTINGS,
  type IndicatorSettings,
  indicatorsOf,
  isIndicatorSettings,
} from "../../src/chart/chart-settings.ts";
import { type Indicator, lineCount, runOf, type Values } from "../../src/chart/indicators.ts";
import type { Candle } from "../../src/market/port.ts";
import { DAY_START_MS, flatCandle, MINUTE_MS, walk } from "./candles.ts";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
process.stdout.write(`# SEED=${seed}\n`);

const INDICATORS: readonly Indicator[] = [
  { kind: "average", form: "SMA", length: 7 },
  { kind: "average", form: "EMA", length: 12 },
  { kind: "bollinger", length: 20, deviations: 2 },
  { kind: "vwap", anchor: "day" },
  { kind: "rsi", length: 14 },
];

const closes = (candles: readonly Candle[]): readonly number[] => candles.map(({ close }) => close);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The last value by the textbook formula, over all candles. */
function byFormula(indicator: Indicator, candles: readonly Candle[]): Values {
  if (indicator.kind === "vwap") return [vwap(candles)];
  const { length } = indicator;
  const prices = closes(candles);
  const window = prices.slice(-length);
  if (indicator.kind === "rsi") return [rsi(prices, length)];
  if (prices.length < length) return indicator.kind === "bollinger" ? [null, null, null] : [null];
  if (indicator.kind === "bollinger") {
    const middle = mean(window);
    const deviation = Math.sqrt(mean(window.map((price) => (price - middle) ** 2)));
    return [middle + indicator.deviations * deviation, middle, middle - indicator.deviations * deviation];
  }
  if (indicator.form === "SMA") return [mean(window)];
  const weight = 2 / (length + 1);
  return [prices.slice(1).reduce((average, price) => average + weight * (price - average), prices[0] as number)];
}

function vwap(candles: readonly Candle[]): number | null {
  const day = Math.floor((candles.at(-1)?.openTimeMs ?? 0) / 86_400_000);
  const ofDay = candles.filter(({ openTimeMs }) => Math.floor(openTimeMs / 86_400_000) === day);
  const volume = ofDay.reduce((sum, candle) => sum + candle.volume, 0);
  const value = ofDay.reduce((sum, { high, low, close, volume: of }) => sum + ((high + low + close) / 3) * of, 0);
  return volume === 0 ? null : value / volume;
}

function rsi(prices: readonly number[], length: number): number | null {
  if (prices.length <= length) return null;
  const moves = prices.slice(1).map((price, at) => price - (prices[at] as number));
  const smoothed = (parts: readonly number[]): number =>
    parts
      .slice(length)
      .reduce((average, part) => (average * (length - 1) + part) / length, mean(parts.slice(0, length)));
  const gain = smoothed(moves.map((move) => Math.max(move, 0)));
  const loss = smoothed(moves.map((move) => Math.max(-move, 0)));
  return loss === 0 ? 100 : 100 - 100 / (1 + gain / loss);
}

function assertClose(actual: Values, expected: Values, what: string): void {
  assert.equal(actual.length, expected.length, what);
  expected.forEach((value, at) => {
    const got = actual[at] as number | null;
    if (value === null || got === null) assert.equal(got, value, what);
    else assert.ok(Math.abs(got - value) < 1e-6 * Math.max(1, Math.abs(value)), `${what}: ${got} is not ${value}`);
  });
}

for (const indicator of INDICATORS) {
  test(`${JSON.stringify(indicator)} equals its formula at every candle, however often the live candle changed`, () => {
    const dice = new Dice(seed);
    // Across midnight UTC, where the volume-weighted average starts again.
    const candles = walk(dice, 120, DAY_START_MS - 50 * MINUTE_MS);
    const run = runOf(indicator, true);
    candles.forEach((candle, at) => {
      let values: Values = [];
      const changes = dice.below(4);
      for (let change = 0; change <= changes; change++) {
        const isLast = change === changes;
        const shown = isLast ? candle : { ...candle, close: candle.open + dice.below(9), volume: dice.below(3) };
        values = run.next(shown, change > 0);
      }
      assert.equal(values.length, lineCount(indicator));
      assertClose(values, byFormula(indicator, candles.slice(0, at + 1)), `candle ${at}`);
    });
  });
}

test("a day whose beginning is not loaded has no volume-weighted average, the next day has one", () => {
  const noon = DAY_START_MS + 720 * MINUTE_MS;
  const run = runOf({ kind: "vwap", anchor: "day" }, false);
  assert.deepEqual(run.next(flatCandle(noon, 10), false), [null]);
  assert.deepEqual(run.next(flatCandle(DAY_START_MS + 1440 * MINUTE_MS, 20), false), [20]);
  const whole = runOf({ kind: "vwap", anchor: "day" }, false);
  assert.deepEqual(whole.next(flatCandle(DAY_START_MS, 30), false), [30]);
});

test("invalid stored settings are ignored", () => {
  assert.ok(isIndicatorSettings(structuredClone(FIRST_SETTINGS)));
  const wrong: readonly unknown[] = [
    null,
    "on",
    {},
    { ...FIRST_SETTINGS, averages: [] },
    { ...FIRST_SETTINGS, rsi: { isOn: true, length: 1e9 } },
    { ...FIRST_SETTINGS, rsi: { isOn: true, length: 2.5 } },
    { ...FIRST_SETTINGS, bollinger: { isOn: true, length: 20, deviations: -1 } },
    { ...FIRST_SETTINGS, vwap: { isOn: "yes" } },
    { ...FIRST_SETTINGS, averages: FIRST_SETTINGS.averages.map((one) => ({ ...one, form: "WMA" })) },
  ];
  for (const value of wrong) assert.equal(isIndicatorSettings(value), false, JSON.stringify(value));
});

test("only enabled indicators are drawn, anchored to the day or, for long candles, to the year", () => {
  const all: IndicatorSettings = {
    averages: FIRST_SETTINGS.averages.map((one) => ({ ...one, isOn: true })),
    bollinger: { ...FIRST_SETTINGS.bollinger, isOn: true },
    vwap: { isOn: true },
    rsi: { ...FIRST_SETTINGS.rsi, isOn: true },
  };
  assert.equal(indicatorsOf(all, "1m").length, 6);
  assert.deepEqual(indicatorsOf({ ...FIRST_SETTINGS, vwap: { isOn: true } }, "1h").at(-1), {
    kind: "vwap",
    anchor: "day",
  });
  assert.deepEqual(indicatorsOf({ ...FIRST_SETTINGS, vwap: { isOn: true } }, "1d").at(-1), {
    kind: "vwap",
    anchor: "year",
  });
});
