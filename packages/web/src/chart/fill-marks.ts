/** Own fills as marks at their candles: only those that can be seen are looked at. */
import type { Fill } from "../account/port.ts";
import type { Candle } from "../market/port.ts";
import { candleIndexAt } from "./candle-history.ts";

/** Fills of one candle, side and price: one mark. */
export interface FillMark {
  readonly candleIndex: number;
  readonly side: "BUY" | "SELL";
  /** For drawing only. */
  readonly price: number;
  readonly fills: readonly Fill[];
}

/** Those of one market, oldest first: made anew when fills come, not at each drawing. */
export function fillsOf(fills: readonly Fill[], symbol: string): readonly Fill[] {
  return fills
    .filter((fill) => fill.symbol === symbol)
    .sort((one, other) => one.timeMs - other.timeMs || one.tradeId - other.tradeId);
}

/** The first of `fills`, oldest first, at or after that time. */
function firstFrom(fills: readonly Fill[], timeMs: number): number {
  let low = 0;
  let high = fills.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((fills[middle]?.timeMs ?? 0) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Marks of the candles from one place to another, both included. `fills` as `fillsOf` gives them. */
export function fillMarks(
  fills: readonly Fill[],
  candles: readonly Candle[],
  fromIndex: number,
  toIndex: number,
): readonly FillMark[] {
  const from = Math.max(0, fromIndex);
  const to = Math.min(candles.length - 1, toIndex);
  const first = candles[from];
  if (first === undefined || to < from) return [];
  const endMs = candles[to + 1]?.openTimeMs ?? Infinity;
  const marks = new Map<string, { candleIndex: number; side: "BUY" | "SELL"; price: number; fills: Fill[] }>();
  for (let at = firstFrom(fills, first.openTimeMs); at < fills.length; at++) {
    const fill = fills[at] as Fill;
    if (fill.timeMs >= endMs) break;
    const candleIndex = candleIndexAt(candles, fill.timeMs);
    const key = `${candleIndex} ${fill.side} ${fill.price}`;
    const mark = marks.get(key);
    if (mark === undefined) {
      marks.set(key, { candleIndex, side: fill.side, price: Number(fill.price), fills: [fill] });
    } else mark.fills.push(fill);
  }
  return [...marks.values()];
}
