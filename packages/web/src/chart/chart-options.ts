/** Options of the chart library: appearance and behavior. */
import {
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  type PriceFormat,
} from "lightweight-charts";
import { showFloat } from "../exact/shown.ts";
import type { Interval } from "../market/port.ts";
import type { TimeZone } from "../preferences.ts";
import { isIntraday } from "./chart-settings.ts";
import type { Look } from "./look.ts";
import { crosshairFormatter, markFormatter } from "./time-scale.ts";

/**
 * The width of the price axis: enough for most markets, so that the layout does not change when the first candles
 * arrive.
 */
const AXIS_WIDTH_PX = 88;

/** The free space between the newest candle and the axis, unless labels of orders need more. */
export const END_PX = 56;

/** The chart options that depend on the theme. */
export function lookOptions(look: Look): DeepPartial<ChartOptions> {
  const crosshair = {
    color: look.muted,
    labelBackgroundColor: look.strongLine,
    width: 1,
    style: LineStyle.Dashed,
  } as const;
  return {
    layout: {
      background: { type: ColorType.Solid, color: look.panel },
      textColor: look.muted,
      fontFamily: look.fontFamily,
      panes: { separatorColor: look.line, separatorHoverColor: look.strongLine },
    },
    grid: { vertLines: { color: look.line }, horzLines: { color: look.line } },
    crosshair: { vertLine: crosshair, horzLine: crosshair },
    rightPriceScale: { borderColor: look.line },
    timeScale: { borderColor: look.line },
  };
}

export function chartOptions(look: Look, interval: Interval, zone: TimeZone): DeepPartial<ChartOptions> {
  const themed = lookOptions(look);
  return {
    ...themed,
    autoSize: true,
    // The library's logo uses inline markup and styles, which the content security policy forbids. The page credits the
    // authors in text.
    layout: { ...themed.layout, fontSize: 11, attributionLogo: false },
    crosshair: { ...themed.crosshair, mode: CrosshairMode.Normal },
    rightPriceScale: {
      ...themed.rightPriceScale,
      scaleMargins: { top: 0.12, bottom: 0.2 },
      minimumWidth: AXIS_WIDTH_PX,
      entireTextOnly: true,
    },
    timeScale: {
      ...themed.timeScale,
      timeVisible: isIntraday(interval),
      secondsVisible: false,
      rightOffsetPixels: END_PX,
      barSpacing: 7,
      tickMarkFormatter: markFormatter(zone),
    },
    localization: { timeFormatter: crosshairFormatter(zone, isIntraday(interval)) },
    // Vertical swipes scroll the page.
    handleScroll: { vertTouchDrag: false },
  };
}

/** Formats prices as in the other panels: thousands separated, with the market's digits. */
export function priceFormat(digits: number, minMove = 10 ** -digits): PriceFormat {
  return { type: "custom", formatter: (price: number) => showFloat(price, digits), minMove };
}
