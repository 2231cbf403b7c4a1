/** Draws indicators as lines over the price or in panes below it. */
import {
  type HistogramData,
  HistogramSeries,
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
import { type Indicator, type IndicatorRun, runOf, SHAPES, turnsAnchor } from "./indicators.ts";
import { nextOpenMs } from "./chart-settings.ts";
import type { Look } from "./look.ts";
import { chartTime } from "./time-scale.ts";

type Series = ISeriesApi<"Line"> | ISeriesApi<"Histogram">;

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

/** The height of the price pane, relative to each pane below it. */
const PRICE_STRETCH = 3;

/** The distance of the second line's color from the first one's, among the colors of lines. */
const SECOND_COLOUR = 3;

type Point = LineData | HistogramData | WhitespaceData;

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
    let panes = 0;
    this.#drawn = indicators.map((indicator) => {
      const { lines, isBelow } = SHAPES[indicator.kind];
      const pane = isBelow ? ++panes : 0;
      const series = lines.map((_, at) => this.#addSeries(indicator, at, pane));
      return { indicator, series, run: runOf(indicator, isWhole) };
    });
    this.#chart.panes().forEach((pane, at) => pane.setStretchFactor(at === 0 ? PRICE_STRETCH : 1));
    this.setLook(this.#look);
    this.setCandles(candles, isWhole);
  }

  setLook(look: Look): void {
    this.#look = look;
    this.#drawn.forEach(({ indicator, series }, at) => {
      series.forEach((line, of) => {
        const form = SHAPES[indicator.kind].lines[of];
        if (line.seriesType() === "Line") {
          const lineStyle = form === "dashed" ? LineStyle.Dashed : LineStyle.Solid;
          line.applyOptions({ color: this.#colour(form === "second" ? at + SECOND_COLOUR : at), lineStyle });
        }
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
          points[line]?.push(this.#pointOf(one.indicator, line, candle, values[line]));
      }
      one.series.forEach((series, line) => series.setData(points[line] ?? []));
    }
  }

  updateNewest(candle: Candle, isNew: boolean): void {
    for (const { indicator, run, series } of this.#drawn) {
      const values = run.next(candle, !isNew);
      series.forEach((line, at) => line.update(this.#pointOf(indicator, at, candle, values[at])));
    }
  }

  /** The values of each indicator at the candle with this index. */
  readings(index: number): readonly IndicatorReading[] {
    return this.#drawn.map(({ indicator, series }, at) => ({
      indicator,
      colour: this.#colour(at),
      values: series.map((line) => {
        const value: unknown = Reflect.get(line.dataByIndex(index) ?? {}, "value");
        return typeof value === "number" ? value : null;
      }),
    }));
  }

  #colour(at: number): string {
    return this.#look.series[at % this.#look.series.length] ?? this.#look.text;
  }

  #pointOf(indicator: Indicator, line: number, { openTimeMs }: Candle, value: number | null | undefined): Point {
    const time = chartTime(openTimeMs);
    if (value === null || value === undefined) return { time };
    if (SHAPES[indicator.kind].lines[line] === "bars") {
      return { time, value, color: value < 0 ? this.#look.downArea : this.#look.upArea };
    }
    // If a line restarts, the segment before the restart is transparent. A point's color applies to the segment after
    // it.
    const isLast =
      indicator.kind === "vwap" && turnsAnchor(openTimeMs, nextOpenMs(openTimeMs, this.#interval), indicator.anchor);
    return isLast ? { time, value, color: "transparent" } : { time, value };
  }

  #addSeries({ kind }: Indicator, at: number, pane: number): Series {
    const { lines, isBelow, levels } = SHAPES[kind];
    const options = {
      priceLineVisible: false,
      lastValueVisible: isBelow && at === 0,
      priceFormat:
        levels === null ? priceFormat(this.#precision) : ({ type: "price", precision: 1, minMove: 0.1 } as const),
    };
    if (lines[at] === "bars") return this.#chart.addSeries(HistogramSeries, { ...options, base: 0 }, pane);
    const series = this.#chart.addSeries(
      LineSeries,
      {
        ...options,
        lineWidth: 1,
        crosshairMarkerVisible: false,
        ...(levels !== null && { autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }) }),
      },
      pane,
    );
    for (const price of at === 0 ? (levels ?? []) : []) {
      const dashed = { lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: false, title: "" } as const;
      series.createPriceLine({ price, ...dashed });
    }
    return series;
  }
}
