/** Lengths of candles. */
import type { Interval } from "../market/port.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A month as its average: for estimates only. */
const LENGTH_MS: Readonly<Record<Interval, number>> = {
  "1m": MINUTE_MS,
  "3m": 3 * MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "1h": HOUR_MS,
  "2h": 2 * HOUR_MS,
  "4h": 4 * HOUR_MS,
  "6h": 6 * HOUR_MS,
  "8h": 8 * HOUR_MS,
  "12h": 12 * HOUR_MS,
  "1d": DAY_MS,
  "3d": 3 * DAY_MS,
  "1w": 7 * DAY_MS,
  "1M": 30.44 * DAY_MS,
};

/** When the candle after the one that opened then opens. */
export function nextOpenMs(openTimeMs: number, interval: Interval): number {
  if (interval !== "1M") return openTimeMs + LENGTH_MS[interval];
  const open = new Date(openTimeMs);
  return Date.UTC(open.getUTCFullYear(), open.getUTCMonth() + 1, 1);
}

/** Whether a day has several candles: their axis shows times of day. */
export function isIntraday(interval: Interval): boolean {
  return LENGTH_MS[interval] < DAY_MS;
}
