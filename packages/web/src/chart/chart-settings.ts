/** The user's chart settings, stored by the browser: chart type, interval, scale, indicators, and layouts of them. */
import { KLINE_WIDTHS_MS, nextOpenTime, STORED_INTERVALS } from "@pricetime/protocol";
import type { Interval } from "../market/port.ts";
import type { Anchor, AverageForm, Indicator } from "./indicators.ts";
import { batch, type ReadonlySignal, type Signal } from "@preact/signals";
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

// The indicators that users can switch on, and their parameters.

/** A parameter of an indicator: a number, or one of some words. */
export type Parameter =
  | { readonly min: number; readonly max: number; readonly step: number }
  | { readonly options: readonly string[] };

/** The limits of parameters, by name. Lengths are in candles. */
const LENGTH = { min: 2, max: 500, step: 1 } as const;
const SMOOTHING = { min: 1, max: 100, step: 1 } as const;
export const PARAMETERS = {
  form: { options: ["SMA", "EMA"] satisfies AverageForm[] },
  length: LENGTH,
  fast: LENGTH,
  slow: LENGTH,
  signal: SMOOTHING,
  smoothing: SMOOTHING,
  deviations: { min: 0.1, max: 10, step: 0.1 },
  anchor: { options: ["day", "week", "month", "year"] satisfies Anchor[] },
} as const satisfies Readonly<Record<string, Parameter>>;
export type ParameterName = keyof typeof PARAMETERS;

export type ParameterValue = number | string;

/** Whether an indicator is switched on, and its parameters. */
export interface IndicatorSetting {
  readonly isOn: boolean;
  readonly values: Readonly<Partial<Record<ParameterName, ParameterValue>>>;
}

interface Slot extends IndicatorSetting {
  readonly kind: Indicator["kind"];
}

/** The indicators in drawing order, with their first settings. There are three moving averages. */
const SLOTS = {
  bollinger: { kind: "bollinger", isOn: false, values: { length: 20, deviations: 2 } },
  average1: { kind: "average", isOn: true, values: { form: "SMA", length: 7 } },
  average2: { kind: "average", isOn: true, values: { form: "SMA", length: 25 } },
  average3: { kind: "average", isOn: false, values: { form: "EMA", length: 99 } },
  vwap: { kind: "vwap", isOn: false, values: { anchor: "day" } },
  rsi: { kind: "rsi", isOn: false, values: { length: 14 } },
  macd: { kind: "macd", isOn: false, values: { fast: 12, slow: 26, signal: 9 } },
  stochastic: { kind: "stochastic", isOn: false, values: { length: 14, smoothing: 3, signal: 3 } },
  atr: { kind: "atr", isOn: false, values: { length: 14 } },
} as const satisfies Readonly<Record<string, Slot>>;
export type SlotName = keyof typeof SLOTS;
export const SLOT_NAMES = Object.keys(SLOTS) as readonly SlotName[];

/** The settings of all indicators, in the format in which the browser stores them. */
export type IndicatorSettings = Readonly<Record<SlotName, IndicatorSetting>>;

export const FIRST_SETTINGS = Object.fromEntries(
  SLOT_NAMES.map((name) => [name, { isOn: SLOTS[name].isOn, values: SLOTS[name].values }]),
) as IndicatorSettings;

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Whether a value is valid for a parameter. */
export function isValid(name: ParameterName, value: unknown): value is ParameterValue {
  const parameter: Parameter = PARAMETERS[name];
  if ("options" in parameter) return parameter.options.some((option) => option === value);
  const isWhole = parameter.step < 1 || Number.isInteger(value);
  return typeof value === "number" && isWhole && value >= parameter.min && value <= parameter.max;
}

/** Whether a stored value contains valid settings of all indicators. */
export function isIndicatorSettings(value: unknown): value is IndicatorSettings {
  return SLOT_NAMES.every((slot) => {
    const setting = field(value, slot);
    const names = Object.keys(SLOTS[slot].values) as readonly ParameterName[];
    const areValid = names.every((name) => isValid(name, field(field(setting, "values"), name)));
    return typeof field(setting, "isOn") === "boolean" && areValid;
  });
}

/** The indicators that are switched on, in drawing order. */
export function indicatorsOf(settings: IndicatorSettings, interval: Interval): readonly Indicator[] {
  return SLOT_NAMES.filter((slot) => settings[slot].isOn).map((slot) => {
    // The settings have the parameters of their slot, which are those of its kind.
    const indicator = { kind: SLOTS[slot].kind, ...settings[slot].values } as Indicator;
    // A candle of a day or more contains whole days, so that an average of a day would be that of one candle.
    const isTooShort = indicator.kind === "vwap" && indicator.anchor === "day" && !isIntraday(interval);
    return isTooShort ? { kind: "vwap", anchor: "year" } : indicator;
  });
}

// The chart's settings, and named layouts of them.

/** How prices are drawn. */
export const CHART_KINDS = ["candles", "bars", "line", "area"] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** The settings that a layout stores. */
export interface ChartLook {
  readonly kind: ChartKind;
  readonly interval: Interval;
  readonly isLogarithmic: boolean;
  readonly indicators: IndicatorSettings;
}

export interface ChartLayout extends ChartLook {
  readonly name: string;
}

/** The most layouts that the browser stores, and the longest name. */
export const LAYOUTS_MAX = 12;
export const NAME_MAX = 40;

export interface ChartSettings {
  readonly kind: Signal<ChartKind>;
  readonly interval: Signal<Interval>;
  readonly indicators: Signal<IndicatorSettings>;
  readonly isLogarithmic: Signal<boolean>;
  readonly layouts: Signal<readonly ChartLayout[]>;
}

const isKind = oneOf(...CHART_KINDS);
const isInterval = oneOf<Interval>(...STORED_INTERVALS);
const isSwitch = (value: unknown): value is boolean => typeof value === "boolean";

function isLayout(value: unknown): value is ChartLayout {
  const name = field(value, "name");
  return (
    typeof name === "string" &&
    name !== "" &&
    name.length <= NAME_MAX &&
    isKind(field(value, "kind")) &&
    isInterval(field(value, "interval")) &&
    isSwitch(field(value, "isLogarithmic")) &&
    isIndicatorSettings(field(value, "indicators"))
  );
}

export function areLayouts(value: unknown): value is readonly ChartLayout[] {
  return Array.isArray(value) && value.length <= LAYOUTS_MAX && value.every(isLayout);
}

const settingsByPreferences = new WeakMap<Preferences, ChartSettings>();

/** The chart settings. Returns the same signals for the same preferences each time the chart is mounted. */
export function chartSettings(preferences: Preferences): ChartSettings {
  const before = settingsByPreferences.get(preferences);
  if (before !== undefined) return before;
  const settings: ChartSettings = {
    kind: preferences.remember<ChartKind>("chart.kind", "candles", isKind),
    interval: preferences.remember<Interval>("chart.interval", "15m", isInterval),
    indicators: preferences.remember("chart.indicators", FIRST_SETTINGS, isIndicatorSettings),
    isLogarithmic: preferences.remember("chart.isLogarithmic", false, isSwitch),
    layouts: preferences.remember<readonly ChartLayout[]>("chart.layouts", [], areLayouts, { isShared: true }),
  };
  settingsByPreferences.set(preferences, settings);
  return settings;
}

/** Stores the current settings under a name. A layout of the same name is replaced. */
export function saveLayout({ kind, interval, isLogarithmic, indicators, layouts }: ChartSettings, name: string): void {
  const layout: ChartLayout = {
    ...{ name, kind: kind.peek(), interval: interval.peek() },
    ...{ isLogarithmic: isLogarithmic.peek(), indicators: indicators.peek() },
  };
  const at = layouts.peek().findIndex((one) => one.name === name);
  layouts.value = at < 0 ? [...layouts.peek(), layout] : layouts.peek().with(at, layout);
}

export function applyLayout(settings: ChartSettings, layout: ChartLook): void {
  batch(() => {
    settings.kind.value = layout.kind;
    settings.interval.value = layout.interval;
    settings.isLogarithmic.value = layout.isLogarithmic;
    settings.indicators.value = layout.indicators;
  });
}

/** Subscribes the calling component or effect to the signals. */
export function track(...signals: readonly ReadonlySignal<unknown>[]): void {
  for (const signal of signals) Reflect.get(signal, "value");
}
