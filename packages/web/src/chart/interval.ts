/** Lengths of candles. */
import { KLINE_WIDTHS_MS, nextOpenTime } from "@pricetime/protocol";
import type { Interval } from "../market/port.ts";

/** The opening time of the candle after the one that opened at `openTimeMs`. */
export function nextOpenMs(openTimeMs: number, interval: Interval): number {
  return nextOpenTime(interval, openTimeMs);
}

/** Whether a day has several candles: their axis then shows times of day. */
export function isIntraday(interval: Interval): boolean {
  const [widthMs, dayMs] = [KLINE_WIDTHS_MS.get(interval), KLINE_WIDTHS_MS.get("1d")];
  return widthMs !== undefined && dayMs !== undefined && widthMs < dayMs;
}
