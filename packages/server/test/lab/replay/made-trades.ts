/** Synthetic trades, where a recording may not be stored. */
import type { Side } from "@pricetime/engine";

export type MadeTrade = readonly [price: number, quantity: number, takerSide: Side, timeMs: number];

/**
 * A random walk: single ticks, jumps, several trades of one taker, dust, several in one millisecond, pauses of up to
 * `maxPauseMs`.
 */
export function madeTrades(count: number, startMs: number, maxPauseMs: number): MadeTrade[] {
  const rows: MadeTrade[] = [];
  let [ticks, timeMs, draw] = [9_500_000, startMs, 12_345];
  const next = (below: number): number => {
    draw = (draw * 48_271) % 2_147_483_647;
    return draw % below;
  };
  while (rows.length < count) {
    const side = next(2) === 0 ? "BUY" : "SELL";
    const sign = side === "BUY" ? 1 : -1;
    ticks += next(20) === 0 ? (next(2) === 0 ? 1 : -1) * next(50_000) : sign * next(3);
    for (let fill = next(4); fill >= 0; fill--) {
      rows.push([ticks / 100, (1 + (next(3) === 0 ? next(3) : next(3_000_000))) / 1e6, side, timeMs]);
      ticks += sign * next(2) * next(4);
    }
    timeMs += next(3) === 0 ? 0 : next(maxPauseMs);
  }
  return rows.slice(0, count);
}
