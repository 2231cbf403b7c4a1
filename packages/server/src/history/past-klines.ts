/** From the candles of a past to klines of all intervals: every longer one is what the shorter ones add up to. */
import { type GeneratedPast, generatePast, levelsOf, type PastCandle, PAST_WIDTHS_MS } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { type Kline, mergeKline } from "./kline.ts";
import type { KlineInterval } from "./port.ts";

/** In the order of the table's key. */
const INTERVALS_BY_KEY: readonly KlineInterval[] = [...KLINE_INTERVALS].sort();

export interface PastKline {
  readonly interval: KlineInterval;
  readonly kline: Kline;
}

/** Of a generated past, in the order of the table's key: each interval as far back as candles of it or finer ones reach. */
export function klinesOfPast(symbolId: number, past: GeneratedPast): PastKline[] {
  const candles = generatePast(past);
  const levels = levelsOf(past.endMs);
  return INTERVALS_BY_KEY.flatMap((interval) => {
    const reached = levels.filter(({ widthMs }) => widthMs <= widthOf(interval));
    const fromMs = Math.min(...reached.map((level) => level.fromMs));
    const from = candles.findIndex(({ openTimeMs }) => openTimeMs >= fromMs);
    return foldKlines(symbolId, interval, candles.slice(from)).map((kline) => ({ interval, kline }));
  });
}

/** Intervals that candles of one add up to, that one first. */
export function intervalsFrom(interval: keyof typeof PAST_WIDTHS_MS): readonly KlineInterval[] {
  const widthMs = PAST_WIDTHS_MS[interval];
  const longer = KLINE_INTERVALS.filter((each) => widthOf(each) > widthMs && widthOf(each) % widthMs === 0);
  return [interval, ...longer];
}

/** `candles`: in the order of time, none longer than the interval. */
export function foldKlines(symbolId: number, interval: KlineInterval, candles: readonly PastCandle[]): Kline[] {
  const klines: Kline[] = [];
  let nextMs = 0;
  for (const candle of candles) {
    const last = klines.at(-1);
    if (last !== undefined && candle.openTimeMs < nextMs) {
      mergeKline(last, candle);
      continue;
    }
    const openTimeMs = openTimeOf(interval, candle.openTimeMs);
    nextMs = nextOpenTime(interval, openTimeMs);
    klines.push({ ...candle, symbolId, openTimeMs });
  }
  return klines;
}

/** Of a month as of its shortest: it is whole days. */
function widthOf(interval: KlineInterval): number {
  return interval === "1M" ? 28 * PAST_WIDTHS_MS["1d"] : nextOpenTime(interval, 0) - openTimeOf(interval, 0);
}
