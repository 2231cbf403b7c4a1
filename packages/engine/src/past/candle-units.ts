/** Candles in coarser units: tickers and last prices are in units of the symbol, whatever its candles of before have. */
import { powerOfTen } from "../number/decimal.ts";
import type { CandleScale, PastCandle } from "../entry/past-candle.ts";

/** The candle in units of `to`, of which none is finer than in `from`: rounded to the nearest, prices to at least one. */
export function inUnitsOf(candle: PastCandle, from: CandleScale, to: CandleScale): PastCandle {
  const priceDigits = from.priceDecimals - to.priceDecimals;
  const lotDigits = from.quantityDecimals - to.quantityDecimals;
  const quoteDigits = from.quoteDecimals - to.quoteDecimals;
  if (priceDigits === 0 && lotDigits === 0 && quoteDigits === 0) return candle;
  const price = (ticks: number): number => Math.max(1, Number(rounded(BigInt(ticks), priceDigits)));
  return {
    openTimeMs: candle.openTimeMs,
    openTicks: price(candle.openTicks),
    highTicks: price(candle.highTicks),
    lowTicks: price(candle.lowTicks),
    closeTicks: price(candle.closeTicks),
    lots: rounded(candle.lots, lotDigits),
    quote: rounded(candle.quote, quoteDigits),
    count: candle.count,
    takerBuyLots: rounded(candle.takerBuyLots, lotDigits),
    takerBuyQuote: rounded(candle.takerBuyQuote, quoteDigits),
  };
}

function rounded(value: bigint, digits: number): bigint {
  const unit = powerOfTen(digits);
  return (value + unit / 2n) / unit;
}
