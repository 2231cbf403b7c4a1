/** The user's chart settings, stored by the browser: interval, scale and indicators. */
import { KLINE_INTERVALS, KLINE_WIDTHS_MS, nextOpenTime } from "@pricetime/protocol";
import type { Interval } from "../market/port.ts";
import type { AverageForm, Indicator } from "./indicators.ts";
import type { ReadonlySignal, Signal } from "@preact/signals";
import { oneOf, type Preferences } from "../preferences.ts";

// Candle intervals.

/** The opening time of the candle after the one that opened at `openTimeMs`. */
export function nextOpenMs(openTimeMs: number, interval: Interval): number {
  return nextOpenTime(interval, openTimeMs);
}

/** Whether a day has several candles, so that the axis shows times of day. */
export function isIntraday(interval: Interval): boolean {
  const [widthMs, dayMs] = [KLINE_WIDTHS_MS.get(interval), KLINE_WIDTHS_MS.get("1d")];
  return widthMs !== undefined && dayMs !== undefined && widthMs < dayMs;
}

// The indicator settings, in the format in which the browser stores them.

export interface AverageSetting {
  readonly isOn: boolean;
  readonly form: AverageForm;
  readonly length: number;
}

export interface IndicatorSettings {
  readonly averages: readonly AverageSetting[];
  readonly bollinger: { readonly isOn: boolean; readonly length: number; readonly deviations: number };
  readonly vwap: { readonly isOn: boolean };
  readonly rsi: { readonly isOn: boolean; readonly length: number };
}

/** Minimum and maximum length of an indicator, in candles. */
export const LENGTH_MIN = 2;
export const LENGTH_MAX = 500;
export const DEVIATIONS_MAX = 10;

export const FIRST_SETTINGS: IndicatorSettings = {
  averages: [
    { isOn: true, form: "SMA", length: 7 },
    { isOn: true, form: "SMA", length: 25 },
    { isOn: false, form: "EMA", length: 99 },
  ],
  bollinger: { isOn: false, length: 20, deviations: 2 },
  vwap: { isOn: false },
  rsi: { isOn: false, length: 14 },
};

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

export function isLength(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= LENGTH_MIN && value <= LENGTH_MAX;
}

export function isDeviations(value: unknown): value is number {
  return typeof value === "number" && value > 0 && value <= DEVIATIONS_MAX;
}

const isSwitch = (value: unknown): boolean => typeof field(value, "isOn") === "boolean";

function isAverage(value: unknown): boolean {
  const form = field(value, "form");
  return isSwitch(value) && (form === "SMA" || form === "EMA") && isLength(field(value, "length"));
}

/** Whether a stored value contains valid indicator settings. */
export function isIndicatorSettings(value: unknown): value is IndicatorSettings {
  const averages = field(value, "averages");
  const bollinger = field(value, "bollinger");
  const rsi = field(value, "rsi");
  return (
    Array.isArray(averages) &&
    averages.length === FIRST_SETTINGS.averages.length &&
    averages.every(isAverage) &&
    isSwitch(bollinger) &&
    isLength(field(bollinger, "length")) &&
    isDeviations(field(bollinger, "deviations")) &&
    isSwitch(field(value, "vwap")) &&
    isSwitch(rsi) &&
    isLength(field(rsi, "length"))
  );
}

/** The indicators that are switched on, in drawing order. */
export function indicatorsOf(settings: IndicatorSettings, interval: Interval): readonly Indicator[] {
  const { averages, bollinger, vwap, rsi } = settings;
  const on: Indicator[] = [];
  if (bollinger.isOn) on.push({ kind: "bollinger", length: bollinger.length, deviations: bollinger.deviations });
  for (const { isOn, form, length } of averages) if (isOn) on.push({ kind: "average", form, length });
  if (vwap.isOn) on.push({ kind: "vwap", anchor: isIntraday(interval) ? "day" : "year" });
  if (rsi.isOn) on.push({ kind: "rsi", length: rsi.length });
  return on;
}

// The chart's settings.

export interface ChartSettings {
  readonly interval: Signal<Interval>;
  readonly indicators: Signal<IndicatorSettings>;
  readonly isLogarithmic: Signal<boolean>;
}

const settingsByPreferences = new WeakMap<Preferences, ChartSettings>();

/** The chart settings. Returns the same signals for the same preferences each time the chart is mounted. */
export function chartSettings(preferences: Preferences): ChartSettings {
  const before = settingsByPreferences.get(preferences);
  if (before !== undefined) return before;
  const settings: ChartSettings = {
    interval: preferences.remember<Interval>("chart.interval", "15m", oneOf(...KLINE_INTERVALS)),
    indicators: preferences.remember("chart.indicators", FIRST_SETTINGS, isIndicatorSettings),
    isLogarithmic: preferences.remember("chart.isLogarithmic", false, (value) => typeof value === "boolean"),
  };
  settingsByPreferences.set(preferences, settings);
  return settings;
}

/** Subscribes the calling component or effect to the signals. */
export function track(...signals: readonly ReadonlySignal<unknown>[]): void {
  for (const signal of signals) Reflect.get(signal, "value");
}
