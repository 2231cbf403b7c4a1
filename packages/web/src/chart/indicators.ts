/**
 * Computes indicators. Each is computed once over all candles. An update of the live candle then takes at most as long
 * as the indicator's window, regardless of the number of candles. Numbers are for drawing only.
 */
import { ATR, BollingerBands, EMA, MACD, RSI, SMA, StochasticOscillator } from "trading-signals";
import type { Candle } from "../market/port.ts";

export type AverageForm = "SMA" | "EMA";

/** An indicator and its parameters. */
export type Indicator =
  | { readonly kind: "average"; readonly form: AverageForm; readonly length: number }
  | { readonly kind: "bollinger"; readonly length: number; readonly deviations: number }
  | { readonly kind: "vwap"; readonly anchor: Anchor }
  | { readonly kind: "rsi"; readonly length: number }
  | { readonly kind: "macd"; readonly fast: number; readonly slow: number; readonly signal: number }
  | { readonly kind: "atr"; readonly length: number }
  | { readonly kind: "stochastic"; readonly length: number; readonly smoothing: number; readonly signal: number };

/** The period at whose beginning the volume-weighted average price restarts, in UTC. Weeks begin on Mondays. */
export type Anchor = "day" | "week" | "month" | "year";

/** One value for each line of the indicator; null if there are not enough earlier candles. */
export type Values = readonly (number | null)[];

/** The computation of an indicator, candle by candle, oldest first. */
export interface IndicatorRun {
  /** Adds a candle and returns its values. With `isAgain`, the candle replaces the last one. */
  next(candle: Candle, isAgain: boolean): Values;
}

/** A library indicator. `replace` updates the last candle cheaply. */
interface LibraryIndicator<Input, Result> {
  update(input: Input, replace: boolean): Result | null;
}

/** Runs an indicator that has its first values at the candle number `length`, and `none` before. */
function runOver<Input, Result>(
  indicator: LibraryIndicator<Input, Result>,
  inputOf: (candle: Candle) => Input,
  none: Values,
  length: number,
  valuesOf: (result: Result, taken: number) => Values,
): IndicatorRun {
  let taken = 0;
  return {
    next(candle, isAgain) {
      if (!isAgain) taken += 1;
      const result = indicator.update(inputOf(candle), isAgain);
      return result === null || taken < length ? none : valuesOf(result, taken);
    },
  };
}

const closeOf = ({ close }: Candle): number => close;
const rangeOf = ({ high, low, close }: Candle) => ({ high, low, close });

const DAY_MS = 86_400_000;

/** The first Monday after the beginning of Unix time was its fifth day. */
const MONDAY = 4;

/** A number that is the same for all times of one period. */
function anchorOf(openTimeMs: number, anchor: Anchor): number {
  const day = Math.floor(openTimeMs / DAY_MS);
  if (anchor === "day") return day;
  if (anchor === "week") return Math.floor((day - MONDAY) / 7);
  const date = new Date(openTimeMs);
  return date.getUTCFullYear() * 12 + (anchor === "month" ? date.getUTCMonth() : 0);
}

/** Whether a new period begins between two times. */
export function turnsAnchor(fromMs: number, toMs: number, anchor: Anchor): boolean {
  return anchorOf(fromMs, anchor) !== anchorOf(toMs, anchor);
}

/**
 * The volume-weighted average price. The library's version is not used, because it handles live candles without volume
 * incorrectly. `isWhole`: the first candle is the market's first. If it is not, the first period is incomplete and has
 * no values.
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

function runMacd({ fast, slow, signal }: Extract<Indicator, { kind: "macd" }>): IndicatorRun {
  const macd = new MACD(new EMA(fast), new EMA(slow), new EMA(signal));
  return runOver(macd, closeOf, [null, null, null], slow, ({ macd: line, signal: smoothed, histogram }, taken) =>
    // The signal line is an average of the first one, and is complete later.
    taken < slow + signal - 1 ? [line, null, null] : [line, smoothed, histogram],
  );
}

export function runOf(indicator: Indicator, isWhole: boolean): IndicatorRun {
  switch (indicator.kind) {
    case "vwap":
      return runVwap(indicator.anchor, isWhole);
    case "average": {
      const { form, length } = indicator;
      return runOver(new (form === "SMA" ? SMA : EMA)(length), closeOf, [null], length, one);
    }
    case "bollinger": {
      const { length, deviations } = indicator;
      const bands = new BollingerBands(length, deviations);
      return runOver(bands, closeOf, [null, null, null], length, ({ upper, middle, lower }) => [upper, middle, lower]);
    }
    case "rsi":
      return runOver(new RSI(indicator.length), closeOf, [null], indicator.length + 1, one);
    case "macd":
      return runMacd(indicator);
    case "atr":
      return runOver(new ATR(indicator.length), rangeOf, [null], indicator.length, one);
    case "stochastic": {
      const { length: kPeriod, smoothing: kSlowingPeriod, signal: dPeriod } = indicator;
      const oscillator = new StochasticOscillator({ kPeriod, kSlowingPeriod, dPeriod });
      return runOver(oscillator, rangeOf, [null, null], kPeriod, ({ stochK, stochD }) => [stochK, stochD]);
    }
  }
}

/** How an indicator is drawn. */
export interface IndicatorShape {
  /** A line for each value that `runOf` computes per candle. */
  readonly lines: readonly ("solid" | "dashed" | "second" | "bars")[];
  /** Whether the indicator has a pane below the price. */
  readonly isBelow: boolean;
  /** The levels of an indicator whose values are from 0 to 100; null if they are prices. */
  readonly levels: readonly [low: number, high: number] | null;
}

const OVER_PRICE = { isBelow: false, levels: null } as const;

export const SHAPES: Readonly<Record<Indicator["kind"], IndicatorShape>> = {
  average: { ...OVER_PRICE, lines: ["solid"] },
  // The middle line of a band is dashed, so that the edges stand out.
  bollinger: { ...OVER_PRICE, lines: ["solid", "dashed", "solid"] },
  vwap: { ...OVER_PRICE, lines: ["solid"] },
  rsi: { isBelow: true, levels: [30, 70], lines: ["solid"] },
  macd: { isBelow: true, levels: null, lines: ["solid", "second", "bars"] },
  atr: { isBelow: true, levels: null, lines: ["solid"] },
  stochastic: { isBelow: true, levels: [20, 80], lines: ["solid", "second"] },
};
