/** Candles of one width without a gap, as columns of numbers: a tenth of what objects take. */
import type { PastCandle } from "@pricetime/engine";

const TWO_32 = 2n ** 32n;

export class PastColumns {
  readonly fromMs: number;
  readonly widthMs: number;
  readonly length: number;
  private readonly prices: Float64Array;
  /** Each in two halves, of 32 bits and what is above. */
  private readonly amounts: Float64Array;
  private readonly counts: Float64Array;

  /** `candles`: in the order of time, each `widthMs` after the one before. */
  constructor(candles: readonly PastCandle[], fromMs: number, widthMs: number) {
    this.fromMs = fromMs;
    this.widthMs = widthMs;
    this.length = candles.length;
    this.prices = Float64Array.from(candles.flatMap((c) => [c.openTicks, c.highTicks, c.lowTicks, c.closeTicks]));
    this.counts = Float64Array.from(candles, ({ count }) => count);
    this.amounts = Float64Array.from(
      candles.flatMap((c) => [c.lots, c.quote, c.takerBuyLots, c.takerBuyQuote].flatMap(halves)),
    );
  }

  /** Those that open at `fromMs` or later and before `toMs`. */
  between(fromMs: number, toMs: number): PastCandle[] {
    const place = (timeMs: number): number =>
      Math.min(this.length, Math.max(0, Math.ceil((timeMs - this.fromMs) / this.widthMs)));
    const candles: PastCandle[] = [];
    for (let at = place(fromMs), end = place(toMs); at < end; at++) candles.push(this.candle(at));
    return candles;
  }

  private candle(at: number): PastCandle {
    const price = (n: number): number => this.prices[4 * at + n] as number;
    const amount = (n: number): bigint =>
      BigInt(this.amounts[8 * at + 2 * n] as number) * TWO_32 + BigInt(this.amounts[8 * at + 2 * n + 1] as number);
    return {
      openTimeMs: this.fromMs + at * this.widthMs,
      ...{ openTicks: price(0), highTicks: price(1), lowTicks: price(2), closeTicks: price(3) },
      ...{ lots: amount(0), quote: amount(1), takerBuyLots: amount(2), takerBuyQuote: amount(3) },
      count: this.counts[at] as number,
    };
  }
}

function halves(amount: bigint): [number, number] {
  return [Number(amount / TWO_32), Number(amount % TWO_32)];
}
