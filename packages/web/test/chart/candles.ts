/** Candles for tests of the chart. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Candle } from "../../src/market/port.ts";

export const MINUTE_MS = 60_000;
/** The start of a day in UTC. */
export const DAY_START_MS = Date.UTC(2026, 2, 1);

export function flatCandle(openTimeMs: number, price = 100, volume = 1): Candle {
  return { openTimeMs, open: price, high: price, low: price, close: price, volume };
}

/** The given number of one-minute candles from that time on. */
export function flatCandles(count: number, fromMs: number): readonly Candle[] {
  return Array.from({ length: count }, (_, at) => flatCandle(fromMs + at * MINUTE_MS, at + 1));
}

/** A random walk; some of its candles have no volume. */
export function walk(dice: Dice, count: number, fromMs: number): readonly Candle[] {
  let close = 1_000;
  return Array.from({ length: count }, (_, at) => {
    const open = close;
    close = open + dice.below(41) - 20;
    const volume = dice.below(4) === 0 ? 0 : dice.below(1_000) / 10;
    const high = Math.max(open, close) + dice.below(5);
    return {
      openTimeMs: fromMs + at * MINUTE_MS,
      open,
      high,
      low: Math.min(open, close) - dice.below(5),
      close,
      volume,
    };
  });
}
