/** Draws indicators as lines over the price or in a pane below it. */
import {
  type IChartApiBase,
  type ISeriesApi,
  type LineData,
  LineSeries,
  LineStyle,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import type { Candle, Interval, Market } from "../market/port.ts";
import { priceFormat } from "./chart-options.ts";
import { type Indicator, type IndicatorRun, lineCount, runOf, turnsAnchor } from "./indicators.ts";
import { nextOpenMs } from "./chart-settings.ts";
import type { Look } from "./look.ts";
import { chartTime } from "./time-scale.ts";

type Series = ISeriesApi<"Line">;

interface Drawn {
  readonly indicator: Indicator;
  readonly series: readonly Series[];
  run: IndicatorRun;
}

/** An indicator's values for the legend. */
export interface IndicatorReading {
  readonly indicator: Indicator;
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

/** The height of the price pane, relative to the pane below it. */
const PRICE_STRETCH = 3;
const [RSI_LOW, RSI_HIGH] = [30, 70];

type Point = LineData | WhitespaceData;

function pointOf(
  indicator: Indicator,
  interval: Interval,
  { openTimeMs }: Candle,
  value: number | null | undefined,
): Point {
  const time = chartTime(openTimeMs);
  if (value === null || value === undefined) return { time };
  // If a line restarts, the segment before the restart is transparent. A point's color applies to the segment after it.
  const isLast =
    indicator.kind === "vwap" && turnsAnchor(openTimeMs, nextOpenMs(openTimeMs, interval), indicator.anchor);
  return isLast ? { time, value, color: "transparent" } : { time, value };
}

export class IndicatorLines {
  readonly #chart: IChartApiBase<Time>;
  readonly #interval: Interval;
  readonly #precision: number;
  #look: Look;
  #drawn: readonly Drawn[] = [];

  constructor(chart: IChartApiBase<Time>, look: Look, { priceDigits }: Market, interval: Interval) {
    this.#chart = chart;
    this.#look = look;
    this.#precision = priceDigits;
    this.#interval = interval;
  }

  get lines(): readonly Series[] {
    return this.#drawn.flatMap(({ series }) => series);
  }

  /**
   * Sets the indicators and recomputes them over all candles. If the indicators have changed, their lines are created
   * again.
   */
  setIndicators(indicators: readonly Indicator[], candles: readonly Candle[], isWhole: boolean): void {
    for (const { series } of this.#drawn) for (const line of series) this.#chart.removeSeries(line);
    this.#drawn = indicators.map((indicator) => ({
      indicator,
      series: Array.from({ length: lineCount(indicator) }, () => this.#addSeries(indicator)),
      run: runOf(indicator, isWhole),
    }));
    this.#chart.panes()[0]?.setStretchFactor(PRICE_STRETCH);
    this.setLook(this.#look);
    this.setCandles(candles, isWhole);
  }

  setLook(look: Look): void {
    this.#look = look;
    this.#drawn.forEach(({ series }, at) => {
      series.forEach((line, of) => {
        // The middle line of a band is dashed, so that the edges stand out.
        const lineStyle = series.length === 3 && of === 1 ? LineStyle.Dashed : LineStyle.Solid;
        line.applyOptions({ color: this.#colour(at), lineStyle });
        for (const level of line.priceLines()) level.applyOptions({ color: look.strongLine });
      });
    });
  }

  setCandles(candles: readonly Candle[], isWhole: boolean): void {
    for (const one of this.#drawn) {
      one.run = runOf(one.indicator, isWhole);
      const points: Point[][] = one.series.map(() => []);
      for (const candle of candles) {
        const values = one.run.next(candle, false);
        for (let line = 0; line < points.length; line++)
          points[line]?.push(pointOf(one.indicator, this.#interval, candle, values[line]));
      }
      one.series.forEach((series, line) => series.setData(points[line] ?? []));
    }
  }

  updateNewest(candle: Candle, isNew: boolean): void {
    for (const { indicator, run, series } of this.#drawn) {
      const values = run.next(candle, !isNew);
      series.forEach((line, at) => line.update(pointOf(indicator, this.#interval, candle, values[at])));
    }
  }

  /** The values of each indicator at the candle with this index. */
  readings(index: number): readonly IndicatorReading[] {
    return this.#drawn.map(({ indicator, series }, at) => ({
      indicator,
      colour: this.#colour(at),
      values: series.map((line) => {
        const data = line.dataByIndex(index);
        return data !== null && "value" in data ? data.value : null;
      }),
    }));
  }

  #colour(at: number): string {
    return this.#look.series[at % this.#look.series.length] ?? this.#look.text;
  }

  #addSeries(indicator: Indicator): Series {
    const isBelow = indicator.kind === "rsi";
    const series = this.#chart.addSeries(
      LineSeries,
      {
        lineWidth: 1,
        priceLineVisible: false,
        lastValueVisible: isBelow,
        crosshairMarkerVisible: false,
        priceFormat: isBelow ? { type: "price", precision: 1, minMove: 0.1 } : priceFormat(this.#precision),
        ...(isBelow ? { autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }) } : {}),
      },
      isBelow ? 1 : 0,
    );
    if (isBelow) {
      for (const price of [RSI_LOW, RSI_HIGH]) {
        series.createPriceLine({
          price,
          lineWidth: 1,
          lineStyle: LineStyle.Dashed,
          axisLabelVisible: false,
          title: "",
        });
      }
    }
    return series;
  }
}
