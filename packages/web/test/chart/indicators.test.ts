/** Indicators are compared with their formulas, and the live candle with a calculation over all candles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import {
  applyLayout,
  areLayouts,
  type ChartLayout,
  chartSettings,
  FIRST_SETTINGS,
  type IndicatorSettings,
  indicatorsOf,
  isIndicatorSettings,
  saveLayout,
  SLOT_NAMES,
  type SlotName,
} from "../../src/chart/chart-settings.ts";
import { openPreferences } from "../../src/preferences.ts";
import { type Indicator, runOf, SHAPES, turnsAnchor, type Values } from "../../src/chart/indicators.ts";
import type { Candle, Interval } from "../../src/market/port.ts";
import { DAY_START_MS, flatCandle, MINUTE_MS, walk } from "./candles.ts";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
process.stdout.write(`# SEED=${seed}\n`);

const INDICATORS: readonly Indicator[] = [
  { kind: "average", form: "SMA", length: 7 },
  { kind: "average", form: "EMA", length: 12 },
  { kind: "bollinger", length: 20, deviations: 2 },
  { kind: "vwap", anchor: "day" },
  { kind: "rsi", length: 14 },
  { kind: "macd", fast: 5, slow: 12, signal: 4 },
  { kind: "atr", length: 10 },
  { kind: "stochastic", length: 14, smoothing: 3, signal: 4 },
];

const closes = (candles: readonly Candle[]): readonly number[] => candles.map(({ close }) => close);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The last value by the textbook formula, over all candles. */
function byFormula(indicator: Indicator, candles: readonly Candle[]): Values {
  if (indicator.kind === "vwap") return [vwap(candles)];
  const prices = closes(candles);
  if (indicator.kind === "macd") return macd(prices, indicator);
  const { length } = indicator;
  if (indicator.kind === "atr") return [atr(candles, length)];
  if (indicator.kind === "stochastic") return stochastic(candles, indicator);
  const window = prices.slice(-length);
  if (indicator.kind === "rsi") return [rsi(prices, length)];
  if (prices.length < length) return indicator.kind === "bollinger" ? [null, null, null] : [null];
  if (indicator.kind === "bollinger") {
    const middle = mean(window);
    const deviation = Math.sqrt(mean(window.map((price) => (price - middle) ** 2)));
    return [middle + indicator.deviations * deviation, middle, middle - indicator.deviations * deviation];
  }
  if (indicator.form === "SMA") return [mean(window)];
  return [ema(prices, length)];
}

function ema(values: readonly number[], length: number): number {
  const weight = 2 / (length + 1);
  return values.slice(1).reduce((average, value) => average + weight * (value - average), values[0] as number);
}

type Of<Kind extends Indicator["kind"]> = Extract<Indicator, { kind: Kind }>;

function macd(prices: readonly number[], { fast, slow, signal }: Of<"macd">): Values {
  const lines = prices.flatMap((_, at) => {
    const until = prices.slice(0, at + 1);
    return until.length < slow ? [] : [ema(until, fast) - ema(until, slow)];
  });
  const line = lines.at(-1) ?? null;
  if (line === null || lines.length < signal) return [line, null, null];
  return [line, ema(lines, signal), line - ema(lines, signal)];
}

function atr(candles: readonly Candle[], length: number): number | null {
  const ranges = candles.map(({ high, low }, at) => {
    const before = candles[at - 1]?.close ?? null;
    return before === null ? high - low : Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
  if (ranges.length < length) return null;
  const first = mean(ranges.slice(0, length));
  return ranges.slice(length).reduce((average, range) => (average * (length - 1) + range) / length, first);
}

function stochastic(candles: readonly Candle[], { length, smoothing, signal }: Of<"stochastic">): Values {
  const fast = candles.flatMap(({ close }, at) => {
    const window = candles.slice(at + 1 - length, at + 1);
    if (at + 1 < length) return [];
    const [low, high] = [Math.min(...window.map((one) => one.low)), Math.max(...window.map((one) => one.high))];
    return [high === low ? 0 : ((close - low) / (high - low)) * 100];
  });
  const smooth = (values: readonly number[], over: number): readonly number[] =>
    values.flatMap((_, at) => (at + 1 < over ? [] : [mean(values.slice(at + 1 - over, at + 1))]));
  const k = smooth(fast, smoothing);
  const d = smooth(k, signal).at(-1);
  return d === undefined ? [null, null] : [k.at(-1) ?? null, d];
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
      assert.equal(values.length, SHAPES[indicator.kind].lines.length);
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

test("a week begins on Monday in UTC, and a month and a year on their first days", () => {
  const at = (text: string): number => Date.parse(`${text}Z`);
  const rows = [
    ["2026-03-01T23:59:59", "2026-03-02T00:00:00", ["day", "week"]],
    ["2026-03-02T00:00:00", "2026-03-08T23:00:00", ["day"]],
    ["2026-03-31T23:00:00", "2026-04-01T00:00:00", ["day", "month"]],
    ["2025-12-31T23:00:00", "2026-01-01T00:00:00", ["day", "month", "year"]],
  ] as const;
  for (const [from, to, turned] of rows) {
    const anchors = (["day", "week", "month", "year"] as const).filter((one) => turnsAnchor(at(from), at(to), one));
    assert.deepEqual(anchors, turned, to);
  }
});

/** The first settings with changes of one indicator. */
function settingsWith(slot: SlotName, change: object): unknown {
  return { ...FIRST_SETTINGS, [slot]: { ...FIRST_SETTINGS[slot], ...change } };
}

test("invalid stored settings are ignored", () => {
  assert.ok(isIndicatorSettings(structuredClone(FIRST_SETTINGS)));
  const wrong: readonly unknown[] = [
    null,
    "on",
    {},
    { ...FIRST_SETTINGS, average2: undefined },
    settingsWith("rsi", { values: { length: 1e9 } }),
    settingsWith("rsi", { values: { length: 2.5 } }),
    settingsWith("macd", { values: { fast: 12, slow: 26 } }),
    settingsWith("bollinger", { values: { length: 20, deviations: -1 } }),
    settingsWith("vwap", { isOn: "yes" }),
    settingsWith("average1", { values: { form: "WMA", length: 7 } }),
  ];
  for (const value of wrong) assert.equal(isIndicatorSettings(value), false, JSON.stringify(value));
});

test("only enabled indicators are drawn, and each with its parameters", () => {
  const all = Object.fromEntries(
    SLOT_NAMES.map((slot) => [slot, { ...FIRST_SETTINGS[slot], isOn: true }]),
  ) as IndicatorSettings;
  assert.equal(indicatorsOf(FIRST_SETTINGS, "1m").length, 2);
  assert.deepEqual(
    indicatorsOf(all, "1m").map(({ kind }) => kind),
    ["bollinger", "average", "average", "average", "vwap", "rsi", "macd", "stochastic", "atr"],
  );
  assert.deepEqual(
    indicatorsOf(all, "1m").find(({ kind }) => kind === "macd"),
    { kind: "macd", fast: 12, slow: 26, signal: 9 },
  );
  const anchor = (interval: Interval): unknown =>
    (indicatorsOf(all, interval).find(({ kind }) => kind === "vwap") as { anchor?: string }).anchor;
  assert.deepEqual([anchor("1h"), anchor("1d")], ["day", "year"]);
});

test("a layout is saved under its name, replaces one of the same name, and is applied", () => {
  const preferences = openPreferences(null);
  const settings = chartSettings(preferences);
  settings.interval.value = "4h";
  saveLayout(settings, "swing");
  settings.kind.value = "line";
  settings.interval.value = "1m";
  saveLayout(settings, "scalp");
  saveLayout(settings, "scalp");
  assert.deepEqual(
    settings.layouts.value.map(({ name, interval, kind }) => [name, interval, kind]),
    [
      ["swing", "4h", "candles"],
      ["scalp", "1m", "line"],
    ],
  );
  applyLayout(settings, settings.layouts.value[0] as ChartLayout);
  assert.deepEqual([settings.interval.value, settings.kind.value], ["4h", "candles"]);
  assert.ok(areLayouts(structuredClone(settings.layouts.value)));
  assert.equal(areLayouts([{ ...settings.layouts.value[0], kind: "pie" }]), false);
  assert.equal(areLayouts([{ ...settings.layouts.value[0], name: "" }]), false);
});
