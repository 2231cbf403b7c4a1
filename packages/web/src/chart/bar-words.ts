/** Describes a candle in words, for the legend, the keyboard cursor and the table. */
import type { Fill } from "../account/port.ts";
import { BLANK, showBrief, showDecimal, showFloat, signed } from "../exact/shown.ts";
import { numberStyle } from "../exact/number-style.ts";
import type { Candle, Interval, Market } from "../market/port.ts";
import type { TimeZone } from "../preferences.ts";
import { barSpoken, type BarWords, fillSpoken, INDICATORS, numbers } from "../words/words.ts";
import { fillMarks } from "./fills.ts";
import type { Indicator } from "./indicators.ts";
import { isIntraday } from "./chart-settings.ts";
import { timeWords } from "./time-scale.ts";

/** The number of trades in a candle that are described one by one. */
const FILLS_MAX = 3;

/** The data from which a candle is described. */
export interface BarContext {
  readonly candles: readonly Candle[];
  /** The account's fills in the market, as returned by `fillsOf`. */
  readonly fills: readonly Fill[];
  readonly market: Market;
  readonly interval: Interval;
  readonly zone: TimeZone;
}

/** The change from open to close. It has a sign, so that the direction is not shown by color alone. */
export function changeWords({ open, close }: Pick<Candle, "open" | "close">): string {
  if (open === 0) return BLANK;
  return numbers.percent(signed(((close - open) / open) * 100, 2));
}

/** Describes the candle at an index. Returns null if there is no candle. */
export function barWords(index: number, { candles, fills, market, interval, zone }: BarContext): BarWords | null {
  const candle = candles[index];
  if (candle === undefined) return null;
  const price = (value: number): string => showFloat(value, market.priceDigits);
  return {
    time: timeWords(candle.openTimeMs, isIntraday(interval), zone),
    open: price(candle.open),
    high: price(candle.high),
    low: price(candle.low),
    close: price(candle.close),
    volume: showFloat(candle.volume, market.quantityDigits),
    change: changeWords(candle),
    fills: fillsText(
      fillMarks(fills, candles, index, index).flatMap((mark) => mark.fills),
      market,
    ),
  };
}

/** The trades of a candle, or their totals if there are many, as of a market order that took many prices. */
function fillsText(fills: readonly Fill[], { quantityDigits, priceDigits }: Market): string[] {
  if (fills.length <= FILLS_MAX)
    return fills.map(({ side, quantity, price }) =>
      fillSpoken(side, showBrief(quantity, quantityDigits), showDecimal(price, priceDigits)),
    );
  return (["BUY", "SELL"] as const).flatMap((side) => {
    const own = fills.filter((fill) => fill.side === side);
    const total = own.reduce((sum, { quantity }) => sum + Number(quantity), 0);
    const paid = own.reduce((sum, { quantity, price }) => sum + Number(quantity) * Number(price), 0);
    const text = fillSpoken(
      side,
      showBrief(total.toFixed(8), quantityDigits),
      showFloat(paid / total, priceDigits),
      true,
    );
    return own.length === 0 ? [] : [text];
  });
}

/** A candle as screen readers read it: without separators of thousands, at which they pause. */
export function spokenBar(bar: BarWords): string {
  const { group } = numberStyle.value;
  const plain = (number: string): string => number.replaceAll(group, "");
  return barSpoken({
    ...bar,
    open: plain(bar.open),
    high: plain(bar.high),
    low: plain(bar.low),
    close: plain(bar.close),
    volume: plain(bar.volume),
    change: plain(bar.change),
  });
}

/** The indicator's name in the legend. */
export function indicatorName(indicator: Indicator): string {
  const { kind, ...values } = indicator;
  if (indicator.kind === "vwap") return INDICATORS.kinds.vwap;
  if (indicator.kind === "average") return `${indicator.form} ${indicator.length}`;
  return [INDICATORS.kinds[kind], ...Object.values(values)].join(" ");
}
