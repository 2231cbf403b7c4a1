/** Imports recorded candles for the time before a symbol's first trade. */
import type { Market } from "../state/market/market.ts";
import { MAX_MOVE_UNITS } from "../limits.ts";
import { parseDecimal } from "../number/decimal.ts";
import { toScale, WIRE_PLACES } from "../number/scale.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { type CandleScale, PAST_WIDTHS_MS, type PastCandle } from "../entry/past-candle.ts";
import type { ImportedCandle, ImportKlines } from "../entry/past-command.ts";
import { inUnitsOf } from "./candle-units.ts";
import { pastRefusal } from "./rules.ts";

/** The digits of a price, on both sides of the point, that leave room in a safe integer for a hundred times as much. */
const MOST_PRICE_DIGITS = 13;

export function importKlines(state: ExchangeState, command: ImportKlines): RejectReason | null {
  const { interval } = command;
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  const widthMs = PAST_WIDTHS_MS[interval];
  const scale = scaleFor(state.edition, market, command.candles);
  const candles: PastCandle[] = [];
  for (const imported of command.candles) {
    const candle = readCandle(scale, imported);
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
  const reach = { interval, firstMs: market.past?.firstMs ?? first.openTimeMs, endMs, scale };
  const inSymbolUnits = candles.map((candle) => inUnitsOf(candle, scale, market.candleScale));
  market.addPast(reach, inSymbolUnits, state.nowMs);
  const own = state.edition < 4 ? {} : { scale };
  state.emit({ type: "klinesImported", symbolId: market.symbolId, interval, ...own, candles });
  return null;
}

/**
 * The first candles of a symbol set the scale of all of them: the digits of the wire, so that candles recorded when
 * steps were finer than today's are kept as they were.
 */
function scaleFor(edition: number, market: Market, candles: readonly ImportedCandle[]): CandleScale {
  if (market.past !== null) return market.past.scale;
  if (edition < 4) return market.candleScale;
  const digits = Math.max(...candles.map(([, , high]) => high.replace(/^0+|\..*/g, "").length));
  const priceDecimals = Math.min(WIRE_PLACES, MOST_PRICE_DIGITS - digits);
  return {
    priceDecimals: Math.max(market.scale.priceDecimals, priceDecimals),
    quantityDecimals: WIRE_PLACES,
    quoteDecimals: WIRE_PLACES,
  };
}

/** The candle in the units of the scale; null when they cannot hold it exactly, or when it contradicts itself. */
function readCandle(
  { priceDecimals, quantityDecimals, quoteDecimals }: CandleScale,
  [openTimeMs, open, high, low, close, volume, quoteVolume, count, takerBuyVolume, takerBuyQuoteVolume]: ImportedCandle,
): PastCandle | null {
  const [openTicks, highTicks, lowTicks, closeTicks] = [open, high, low, close].map((price) =>
    toScale(price, priceDecimals),
  ) as [number, number, number, number];
  const lots = amountOf(volume, quantityDecimals);
  const quote = amountOf(quoteVolume, quoteDecimals);
  const takerBuyLots = amountOf(takerBuyVolume, quantityDecimals);
  const takerBuyQuote = amountOf(takerBuyQuoteVolume, quoteDecimals);
  if (lots === null || quote === null || takerBuyLots === null || takerBuyQuote === null) return null;
  const isBetween = (ticks: number): boolean => lowTicks <= ticks && ticks <= highTicks;
  if (lowTicks <= 0 || !isBetween(openTicks) || !isBetween(closeTicks)) return null;
  if (takerBuyLots > lots || takerBuyQuote > quote) return null;
  return {
    ...{ openTimeMs, openTicks, highTicks, lowTicks, closeTicks },
    ...{ lots, quote, count, takerBuyLots, takerBuyQuote },
  };
}

function amountOf(text: string, decimals: number): bigint | null {
  const amount = parseDecimal(text, decimals);
  return amount === null || amount > MAX_MOVE_UNITS ? null : amount;
}
