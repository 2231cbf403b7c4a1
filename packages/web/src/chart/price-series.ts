/** The series that draws prices, by chart type: candles, bars, a line or an area. */
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  type IChartApiBase,
  type ISeriesApi,
  LineSeries,
  type Time,
} from "lightweight-charts";
import type { Candle, Market } from "../market/port.ts";
import { priceFormat } from "./chart-options.ts";
import type { ChartKind } from "./chart-settings.ts";
import type { Look } from "./look.ts";
import { chartTime } from "./time-scale.ts";

export type PriceSeries = ISeriesApi<"Candlestick" | "Bar" | "Line" | "Area">;

/** The colors of a chart type. */
function colours(kind: ChartKind, look: Look) {
  switch (kind) {
    case "candles":
      // Rising candles are hollow and falling ones filled, so that they can be distinguished without colors.
      return {
        ...{ upColor: look.panel, borderUpColor: look.up, wickUpColor: look.up },
        ...{ downColor: look.down, borderDownColor: look.down, wickDownColor: look.down },
      };
    case "bars":
      return { upColor: look.up, downColor: look.down };
    case "line":
      return { color: look.accent };
    case "area":
      return { lineColor: look.accent, topColor: look.accentArea, bottomColor: "transparent" };
  }
}

const DEFINITIONS = { candles: CandlestickSeries, bars: BarSeries, line: LineSeries, area: AreaSeries } as const;

export class PriceDrawing {
  readonly series: PriceSeries;
  readonly #kind: ChartKind;
  #look: Look;
  #last: Candle | null = null;

  constructor(chart: IChartApiBase<Time>, kind: ChartKind, look: Look, { priceDigits, tickSize }: Market) {
    this.#kind = kind;
    this.#look = look;
    const minMove = Number(tickSize) || 10 ** -priceDigits;
    const line = kind === "line" || kind === "area" ? { lineWidth: 2 as const } : {};
    this.series = chart.addSeries(DEFINITIONS[kind], {
      ...{ ...colours(kind, look), ...line },
      priceFormat: priceFormat(priceDigits, minMove),
    });
  }

  setLook(look: Look): void {
    this.#look = look;
    this.series.applyOptions(colours(this.#kind, look));
    this.#colourLast();
  }

  setCandles(candles: readonly Candle[]): void {
    this.series.setData(candles.map((candle) => this.#pointOf(candle)));
    this.#last = candles.at(-1) ?? null;
    this.#colourLast();
  }

  update(candle: Candle): void {
    this.series.update(this.#pointOf(candle));
    this.#last = candle;
    this.#colourLast();
  }

  /** The last price and its line would have the color of the candle's body, which a hollow one does not have. */
  #colourLast(): void {
    if (this.#kind !== "candles" || this.#last === null) return;
    const isUp = Number(this.#last.close) >= Number(this.#last.open);
    const priceLineColor = isUp ? this.#look.upFill : this.#look.downFill;
    if (this.series.options().priceLineColor !== priceLineColor) this.series.applyOptions({ priceLineColor });
  }

  #pointOf({ openTimeMs, open, high, low, close }: Candle) {
    const time = chartTime(openTimeMs);
    return this.#kind === "line" || this.#kind === "area" ? { time, value: close } : { time, open, high, low, close };
  }
}
