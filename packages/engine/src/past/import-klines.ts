/** Imports recorded candles for the time before a symbol's first trade. */
import type { Market } from "../state/market/market.ts";
import { MAX_MOVE_UNITS } from "../limits.ts";
import { decimalsNeeded, parseDecimal } from "../number/decimal.ts";
import { toScale } from "../number/scale.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { PAST_WIDTHS_MS, type PastCandle } from "../entry/past-candle.ts";
import type { ImportedCandle, ImportKlines } from "../entry/past-command.ts";
import { pastRefusal } from "./rules.ts";

export function importKlines(state: ExchangeState, command: ImportKlines): RejectReason | null {
  const { interval } = command;
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  const widthMs = PAST_WIDTHS_MS[interval];
  const candles: PastCandle[] = [];
  const quotePrecision = state.assetOf(market.quoteAssetId).spec.precision;
  for (const imported of command.candles) {
    const candle = readCandle(market, quotePrecision, imported);
    const last = candles.at(-1);
    const isInOrder = last === undefined || imported[0] >= last.openTimeMs + widthMs;
    if (candle === null || !isInOrder || candle.openTimeMs % widthMs !== 0) return "INVALID_VALUE";
    candles.push(candle);
  }
  const [first, last] = [candles[0], candles.at(-1)];
  if (first === undefined || last === undefined) return "INVALID_VALUE";
  const endMs = last.openTimeMs + widthMs;
  const refusal = pastRefusal(market, { interval, firstMs: first.openTimeMs, endMs }, state.nowMs);
  if (refusal !== null) return refusal;
  market.addPast({ interval, firstMs: market.past?.firstMs ?? first.openTimeMs, endMs }, candles, state.nowMs);
  state.emit({ type: "klinesImported", symbolId: market.symbolId, interval, candles });
  return null;
}

/** The candle in the units of the symbol; null when they cannot hold it exactly, or when it contradicts itself. */
function readCandle(
  { scale }: Pick<Market, "scale">,
  quotePrecision: number,
  [openTimeMs, open, high, low, close, volume, quoteVolume, count, takerBuyVolume, takerBuyQuoteVolume]: ImportedCandle,
): PastCandle | null {
  const [openTicks, highTicks, lowTicks, closeTicks] = [open, high, low, close].map((price) =>
    toScale(price, scale.priceDecimals),
  ) as [number, number, number, number];
  const lots = amountOf(volume, scale.quantityDecimals);
  const quote = amountOf(quoteVolume, quotePrecision);
  const takerBuyLots = amountOf(takerBuyVolume, scale.quantityDecimals);
  const takerBuyQuote = amountOf(takerBuyQuoteVolume, quotePrecision);
  if (lots === null || quote === null || takerBuyLots === null || takerBuyQuote === null) return null;
  const isBetween = (ticks: number): boolean => lowTicks <= ticks && ticks <= highTicks;
  if (lowTicks <= 0 || !isBetween(openTicks) || !isBetween(closeTicks)) return null;
  if (takerBuyLots > lots || takerBuyQuote > quote) return null;
  return {
    ...{ openTimeMs, openTicks, highTicks, lowTicks, closeTicks },
    ...{ lots, quote, count, takerBuyLots, takerBuyQuote },
  };
}

/** Trailing zeros do not count as digits. */
function amountOf(text: string, decimals: number): bigint | null {
  const needed = decimalsNeeded(text);
  if (needed === null) return null;
  const point = text.indexOf(".");
  const end = needed === 0 ? point : point + 1 + needed;
  const amount = parseDecimal(point === -1 ? text : text.slice(0, end), decimals);
  return amount === null || amount > MAX_MOVE_UNITS ? null : amount;
}
