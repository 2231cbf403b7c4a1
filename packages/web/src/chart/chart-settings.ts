/** What a person has chosen for the chart, remembered by the browser: the interval, the scale and the indicators. */
import type { Signal } from "@preact/signals";
import { KLINE_INTERVALS } from "@pricetime/protocol";
import type { Interval } from "../market/port.ts";
import { oneOf, type Preferences } from "../preferences.ts";
import { FIRST_SETTINGS, type IndicatorSettings, isIndicatorSettings } from "./indicator-settings.ts";

// The settings.

export interface ChartSettings {
  readonly interval: Signal<Interval>;
  readonly indicators: Signal<IndicatorSettings>;
  readonly isLogarithmic: Signal<boolean>;
}

const known = new WeakMap<Preferences, ChartSettings>();

/** Always the same signals for the same preferences, however often the chart is mounted. */
export function chartSettings(preferences: Preferences): ChartSettings {
  const before = known.get(preferences);
  if (before !== undefined) return before;
  const settings: ChartSettings = {
    interval: preferences.remember<Interval>("chart.interval", "15m", oneOf(...KLINE_INTERVALS)),
    indicators: preferences.remember("chart.indicators", FIRST_SETTINGS, isIndicatorSettings),
    isLogarithmic: preferences.remember("chart.isLogarithmic", false, (value) => typeof value === "boolean"),
  };
  known.set(preferences, settings);
  return settings;
}
