/** Draws the candles of one market and interval from a `CandleFeed`. Created for one element and removed with it. */
import { type ReadonlySignal, signal } from "@preact/signals";
import {
  createChartEx,
  HistogramSeries,
  type IChartApiBase,
  type IHorzScaleBehavior,
  type ISeriesApi,
  type Logical,
  type LogicalRange,
  type MouseEventParams,
  PriceScaleMode,
  type Time,
} from "lightweight-charts";
import type { Fill } from "../account/port.ts";
import type { Candle, CandleFeed, Interval, Market } from "../market/port.ts";
import type { TimeZone } from "../preferences.ts";
import { CandlePages, type Change, type Cuttable, OldestDrop, type PagesState } from "./candles.ts";
import { chartOptions, lookOptions } from "./chart-options.ts";
import type { ChartKind } from "./chart-settings.ts";
import { FillsPrimitive } from "./fills.ts";
import { IndicatorLines, type IndicatorReading } from "./indicator-lines.ts";
import type { Indicator } from "./indicators.ts";
import { type Look, readLook, watchLook } from "./look.ts";
import type { PlacedLine } from "./label-layout.ts";
import { type DrawnLine, OrderLinesPrimitive } from "./order-lines.ts";
import { PriceDrawing } from "./price-series.ts";
import { chartTime, ZonedTimeScale } from "./time-scale.ts";

/** The next page of older candles is requested when fewer candles than this are left of the view. */
const ASK_OLDER_AT = 80;
/** The interval at which prices are drawn. More than ten a second cannot be read. */
const FOLLOW_EVERY_MS = 100;
/** The top of the volume bars, as a fraction of the pane's height. */
const VOLUME_TOP = 0.84;

/** The indexes of the first and the last candle in view. */
export interface InView {
  readonly from: number;
  readonly to: number;
}

/** The area of the price pane in which order lines are drawn, and their positions. */
export interface Layout {
  readonly lines: readonly PlacedLine[];
  readonly paneHeightPx: number;
  readonly paneWidthPx: number;
  readonly axisWidthPx: number;
  /** The width of the free space between the newest candle and the axis, up to `END_MAX_PX`. */
  readonly endPx: number;
}

/** A wider space at the end of the chart makes no difference. */
const END_MAX_PX = 200;

function isSameLayout(one: Layout, other: Layout): boolean {
  return (
    one.paneHeightPx === other.paneHeightPx &&
    one.paneWidthPx === other.paneWidthPx &&
    one.axisWidthPx === other.axisWidthPx &&
    one.endPx === other.endPx &&
    one.lines.length === other.lines.length &&
    one.lines.every(({ key, y }, at) => key === other.lines[at]?.key && y === other.lines[at]?.y)
  );
}

export interface ViewOptions {
  readonly market: Market;
  readonly interval: Interval;
  readonly zone: TimeZone;
  readonly kind: ChartKind;
}

export class ChartView {
  readonly #chart: IChartApiBase<Time>;
  readonly #prices: PriceDrawing;
  readonly #volume: ISeriesApi<"Histogram">;
  readonly #indicators: IndicatorLines;
  readonly #orders: OrderLinesPrimitive;
  readonly #fills: FillsPrimitive;
  readonly #pages: CandlePages;
  readonly #oldest: OldestDrop;
  readonly #unwatch: () => void;
  readonly #look;
  readonly #version = signal(0);
  /** Increases when candles change. */
  readonly version: ReadonlySignal<number> = this.#version;
  readonly #pointed = signal<number | null>(null);
  /** The index of the candle under the pointer or the keyboard cursor; null if none. */
  readonly pointed: ReadonlySignal<number | null> = this.#pointed;
  readonly #inView = signal<InView>({ from: 0, to: -1 });
  readonly inView: ReadonlySignal<InView> = this.#inView;
  readonly #isAtLatest = signal(true);
  readonly isAtLatest: ReadonlySignal<boolean> = this.#isAtLatest;
  readonly #layout = signal<Layout>({ lines: [], paneHeightPx: 0, paneWidthPx: 0, axisWidthPx: 0, endPx: 0 });
  readonly layout: ReadonlySignal<Layout> = this.#layout;
  readonly #crosshair = signal<{ readonly y: number; readonly price: number } | null>(null);
  /** The crosshair in the price pane, with its price for drawing only; null if it is elsewhere. */
  readonly crosshair: ReadonlySignal<{ readonly y: number; readonly price: number } | null> = this.#crosshair;
  #placed: readonly PlacedLine[] = [];
  #frame = 0;
  #isChanged = false;
  #trade: { readonly price: number; readonly timeMs: number } | null = null;
  #tradeTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(place: HTMLElement, feed: CandleFeed, { market, interval, zone, kind }: ViewOptions) {
    const look = readLook(place);
    this.#look = signal(look);
    const behavior = new ZonedTimeScale(zone) as IHorzScaleBehavior<Time>;
    this.#chart = createChartEx<Time, IHorzScaleBehavior<Time>>(place, behavior, chartOptions(look, interval, zone));
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      priceLineVisible: false,
      lastValueVisible: false,
    });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });
    this.#prices = new PriceDrawing(this.#chart, kind, look, market);
    this.#indicators = new IndicatorLines(this.#chart, look, market, interval);
    this.#orders = new OrderLinesPrimitive(
      (lines) => {
        this.#placed = lines;
        this.#inNextFrame();
      },
      () => this.#pages.candles.at(-1)?.close ?? null,
    );
    this.#fills = new FillsPrimitive(() => this.#pages.candles, look);
    this.#prices.series.attachPrimitive(this.#fills);
    this.#prices.series.attachPrimitive(this.#orders);
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(this.#onRange);
    this.#chart.subscribeCrosshairMove(this.#onCrosshair);
    this.#unwatch = watchLook(() => this.#setLook(readLook(place)));
    this.#pages = new CandlePages(feed, interval, (change) => this.#draw(change));
    this.#oldest = new OldestDrop(this.#pages, () => this.#series, this.#dropped);
  }

  get state(): ReadonlySignal<PagesState> {
    return this.#pages.state;
  }

  get look(): ReadonlySignal<Look> {
    return this.#look;
  }

  get candles(): readonly Candle[] {
    return this.#pages.candles;
  }

  readings(index: number): readonly IndicatorReading[] {
    return this.#indicators.readings(index);
  }

  setIndicators(indicators: readonly Indicator[]): void {
    this.#indicators.setIndicators(indicators, this.#pages.candles, this.#pages.isWhole);
    this.#changed();
  }

  setLogarithmic(isLogarithmic: boolean): void {
    const mode = isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.#prices.series.priceScale().applyOptions({ mode });
  }

  setFills(fills: readonly Fill[]): void {
    this.#fills.setFills(fills);
  }

  setLines(lines: readonly DrawnLine[]): void {
    this.#orders.setLines(lines);
  }

  /**
   * Keeps a width free between the newest candle and the axis. While the user reads older candles, the chart does not
   * move.
   */
  setEnd(widthPx: number): void {
    if (this.#isAtLatest.peek()) this.#chart.timeScale().applyOptions({ rightOffsetPixels: widthPx });
  }

  /** Draws the market's newest trade. Trades are drawn at most every `FOLLOW_EVERY_MS`, and the last one always. */
  follow(price: number, timeMs: number): void {
    this.#trade = { price, timeMs };
    if (this.#tradeTimer === null) this.#followNow();
  }

  /** The price at a height of the price pane, for drawing only; null if there is none. */
  priceAt(y: number): number | null {
    return this.#prices.series.coordinateToPrice(y);
  }

  /**
   * Moves the keyboard cursor, which starts at the last candle in view. Returns the candle's index; null if there are
   * no candles.
   */
  walk(to: number | "first" | "last"): number | null {
    const { from, to: end } = this.#inView.peek();
    const most = this.#pages.candles.length - 1;
    if (most < 0) return null;
    const at = this.#pointed.peek();
    const wanted = to === "first" ? from : to === "last" ? end : at === null ? end : at + to;
    const index = Math.max(0, Math.min(wanted, most));
    const candle = this.#pages.candles[index] as Candle;
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (range !== null && (index < from || index > end)) {
      const by = index < from ? index - from : index - end;
      scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
    }
    this.#chart.setCrosshairPosition(candle.close, chartTime(candle.openTimeMs), this.#prices.series);
    this.#pointed.value = index;
    return index;
  }

  stopWalking(): void {
    this.#chart.clearCrosshairPosition();
    this.#pointed.value = null;
  }

  zoom(by: number): void {
    const scale = this.#chart.timeScale();
    scale.applyOptions({ barSpacing: Math.max(0.5, Math.min(scale.options().barSpacing * by, 60)) });
  }

  goToLatest(): void {
    // Does not animate, because the library's animation is slow and its last step is not drawn.
    const scale = this.#chart.timeScale();
    const { rightOffsetPixels = 0, barSpacing } = scale.options();
    scale.scrollToPosition(rightOffsetPixels / barSpacing, false);
  }

  retry(): void {
    this.#pages.reload();
  }

  retryFailed(): void {
    if (this.#pages.state.peek().step === "failed") this.#pages.reload();
  }

  retryOlder(): void {
    this.#pages.loadOlder({ isAgain: true });
  }

  remove(): void {
    cancelAnimationFrame(this.#frame);
    if (this.#tradeTimer !== null) clearTimeout(this.#tradeTimer);
    this.#unwatch();
    this.#oldest.close();
    this.#pages.close();
    this.#chart.remove();
  }

  #draw(change: Change): void {
    if (change.kind === "newest") {
      this.#prices.update(change.candle);
      this.#volume.update(this.#volumeBar(change.candle));
      this.#indicators.updateNewest(change.candle, change.isNew);
      this.#oldest.begin();
    } else this.#drawAll();
    this.#changed();
  }

  #followNow(): void {
    const trade = this.#trade;
    this.#trade = null;
    this.#tradeTimer = null;
    if (trade === null) return;
    this.#pages.follow(trade.price, trade.timeMs);
    this.#tradeTimer = setTimeout(() => this.#followNow(), FOLLOW_EVERY_MS);
  }

  #drawAll(): void {
    const { candles, isWhole } = this.#pages;
    this.#prices.setCandles(candles);
    this.#volume.setData(candles.map((candle) => this.#volumeBar(candle)));
    this.#indicators.setCandles(candles, isWhole);
    this.#oldest.again();
  }

  /** All series. The candle series is last, because candles in memory are removed together with the last series. */
  get #series(): readonly Cuttable[] {
    return [this.#volume, ...this.#indicators.lines, this.#prices.series] as readonly Cuttable[];
  }

  #volumeBar({ openTimeMs, open, close, volume }: Candle) {
    const { upArea, downArea } = this.#look.peek();
    return { time: chartTime(openTimeMs), value: volume, color: close < open ? downArea : upArea };
  }

  #setLook(look: Look): void {
    this.#look.value = look;
    this.#chart.applyOptions(lookOptions(look));
    this.#prices.setLook(look);
    this.#indicators.setLook(look);
    this.#fills.setLook(look);
    // Bars have individual colors, so all bars are set again.
    this.#indicators.setCandles(this.#pages.candles, this.#pages.isWhole);
    this.#volume.setData(this.#pages.candles.map((candle) => this.#volumeBar(candle)));
    this.#oldest.again();
    this.#changed();
  }

  /** Notifies components that describe candles in words, at most once a frame. */
  #changed(): void {
    this.#isChanged = true;
    this.#inNextFrame();
  }

  #inNextFrame(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#isChanged) this.#version.value += 1;
      this.#isChanged = false;
      const { width: paneWidthPx, height: paneHeightPx } = this.#chart.paneSize(0);
      const axisWidthPx = this.#prices.series.priceScale().width();
      const now: Layout = {
        lines: this.#placed,
        paneHeightPx,
        paneWidthPx,
        axisWidthPx,
        endPx: this.#endPx(paneWidthPx),
      };
      if (!isSameLayout(now, this.#layout.peek())) this.#layout.value = now;
    });
  }

  #endPx(paneWidthPx: number): number {
    const scale = this.#chart.timeScale();
    const newestX = scale.logicalToCoordinate((this.#pages.candles.length - 1) as Logical);
    if (newestX === null) return 0;
    const freePx = paneWidthPx - newestX - scale.options().barSpacing / 2;
    return Math.round(Math.max(0, Math.min(freePx, END_MAX_PX)));
  }

  readonly #onRange = (range: LogicalRange | null): void => {
    if (range === null) return;
    const most = this.#pages.candles.length - 1;
    this.#inView.value = { from: Math.max(0, Math.ceil(range.from)), to: Math.min(most, Math.floor(range.to)) };
    this.#isAtLatest.value = range.to >= most;
    if (range.from < ASK_OLDER_AT) this.#pages.loadOlder();
  };

  readonly #dropped = (): void => {
    this.#onRange(this.#chart.timeScale().getVisibleLogicalRange());
    this.#changed();
  };

  readonly #onCrosshair = ({ logical, point, paneIndex }: MouseEventParams<Time>): void => {
    const y = point === undefined || (paneIndex ?? 0) !== 0 ? null : point.y;
    this.#orders.setPointer(y);
    const price = y === null ? null : this.priceAt(y);
    this.#crosshair.value = y === null || price === null ? null : { y, price };
    const at = logical === undefined ? null : Math.round(logical);
    this.#pointed.value = at !== null && at >= 0 && at < this.#pages.candles.length ? at : null;
  };
}
