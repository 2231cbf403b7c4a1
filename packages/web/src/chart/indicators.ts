/**
 * Computes indicators. Each is computed once over all candles. An update of the live candle then takes at most as long
 * as the indicator's window, regardless of the number of candles. Numbers are for drawing only.
 */
import { BollingerBands, EMA, RSI, SMA } from "trading-signals";
import type { Candle } from "../market/port.ts";

export type AverageForm = "SMA" | "EMA";

/** An indicator and its parameters. */
export type Indicator =
  | { readonly kind: "average"; readonly form: AverageForm; readonly length: number }
  | { readonly kind: "bollinger"; readonly length: number; readonly deviations: number }
  | { readonly kind: "vwap"; readonly anchor: Anchor }
  | { readonly kind: "rsi"; readonly length: number };

/** When the volume-weighted average price restarts: each day or each year, in UTC. */
export type Anchor = "day" | "year";

/** One value for each line of the indicator; null if there are not enough earlier candles. */
export type Values = readonly (number | null)[];

/** The computation of an indicator, candle by candle, oldest first. */
export interface IndicatorRun {
  /** Adds a candle and returns its values. With `isAgain`, the candle replaces the last one. */
  next(candle: Candle, isAgain: boolean): Values;
}

/** A library indicator computed from one price per candle. `replace` updates the last candle cheaply. */
interface PriceIndicator<Result> {
  update(price: number, replace: boolean): Result | null;
  readonly isStable: boolean;
}

function runOver<Result>(
  indicator: PriceIndicator<Result>,
  length: number,
  lines: number,
  valuesOf: (result: Result) => Values,
): IndicatorRun {
  const none = Array.from({ length: lines }, () => null);
  let taken = 0;
  return {
    next(candle, isAgain) {
      if (!isAgain) taken += 1;
      const result = indicator.update(candle.close, isAgain);
      return result === null || taken < length ? none : valuesOf(result);
    },
  };
}

const DAY_MS = 86_400_000;

function anchorOf(openTimeMs: number, anchor: Anchor): number {
  return anchor === "day" ? Math.floor(openTimeMs / DAY_MS) : new Date(openTimeMs).getUTCFullYear();
}

/** Whether a new day or year begins between two times. */
export function turnsAnchor(fromMs: number, toMs: number, anchor: Anchor): boolean {
  return anchorOf(fromMs, anchor) !== anchorOf(toMs, anchor);
}

/**
 * The volume-weighted average price. The library's version is not used, because it handles live candles without volume
 * incorrectly. `isWhole`: the first candle is the market's first. If it is not, the first day or year is incomplete and
 * has no values.
 */
function runVwap(anchor: Anchor, isWhole: boolean): IndicatorRun {
  let current: number | null = null;
  let isKnown = isWhole;
  let value = 0;
  let volume = 0;
  let last: Candle | null = null;
  return {
    next(candle, isAgain) {
      if (last !== null && !isAgain) {
        value += ((last.high + last.low + last.close) / 3) * last.volume;
        volume += last.volume;
      }
      last = candle;
      const at = anchorOf(candle.openTimeMs, anchor);
      if (at !== current) {
        isKnown ||= current !== null || turnsAnchor(candle.openTimeMs - 1, candle.openTimeMs, anchor);
        current = at;
        value = 0;
        volume = 0;
      }
      const total = volume + candle.volume;
      if (!isKnown || total <= 0) return [null];
      return [(value + ((candle.high + candle.low + candle.close) / 3) * candle.volume) / total];
    },
  };
}

const one = (value: number): Values => [value];

export function runOf(indicator: Indicator, isWhole: boolean): IndicatorRun {
  const { kind } = indicator;
  if (kind === "vwap") return runVwap(indicator.anchor, isWhole);
  const { length } = indicator;
  if (kind === "rsi") return runOver(new RSI(length), length + 1, 1, one);
  if (kind === "average") return runOver(new (indicator.form === "SMA" ? SMA : EMA)(length), length, 1, one);
  return runOver(new BollingerBands(length, indicator.deviations), length, 3, (bands) => [
    bands.upper,
    bands.middle,
    bands.lower,
  ]);
}

/** The number of lines of an indicator, which is the number of values that `runOf` computes per candle. */
export function lineCount(indicator: Indicator): number {
  return indicator.kind === "bollinger" ? 3 : 1;
}
