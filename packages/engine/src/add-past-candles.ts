/** Adds candles from before a symbol's first trade, either imported or generated. docs/decisions/0025, 0026 */
import type { Market } from "./state/market/market.ts";
import type { RejectReason } from "./entry/reject.ts";
import {
  type CandleScale,
  firstMsOf,
  type GeneratedPast,
  LEAST_END_MS,
  PAST_WIDTHS_MS,
  type PastCandle,
  type PastReach,
} from "./entry/past-candle.ts";
import { DAY_MS, LARGEST, MINUTE_MS, parseDecimal, powerOfTen, toScale, WIRE_PLACES } from "./numbers.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import type { Command, ImportedCandle } from "./entry/command.ts";
import { generatePast } from "./generate-past-candles.ts";
import { MAX_MOVE_UNITS } from "./limits.ts";

/** Returns null if the symbol can get candles from `firstMs` to `endMs`, which must be after its existing candles. */
function pastRefusal(
  market: Market,
  { interval, firstMs, endMs }: Omit<PastReach, "scale">,
  nowMs: number,
): RejectReason | null {
  const { past, lastTradeId, firstTradeMs } = market;
  if (endMs > nowMs) return "PAST_NOT_OVER";
  if (past !== null && (past.interval !== interval || firstMs < past.endMs)) return "PAST_OVERLAPS";
  if (lastTradeId > 0) return endMs > firstTradeMs ? "PAST_OVERLAPS" : null;
  // The candles set the last price, which would trigger the waiting orders.
  return market.triggers.size > 0 ? "ORDERS_WAIT" : null;
}

// Generated candles.

/** Bounds with which five years of prices and volumes fit into ticks and lots. */
const MOST_END_TICKS = 10 ** 12;
const MOST_DAY_LOTS = 2 ** 45;

export function addPast(state: ExchangeState, command: Command<"addPast">): RejectReason | null {
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (market.past !== null || market.lastTradeId > 0) return "PAST_OVERLAPS";
  const past = pastOf(state, market, command);
  if (past === null) return "INVALID_VALUE";
  const { candleScale: scale } = market;
  const reach = { interval: "generated", firstMs: firstMsOf(past.endMs), endMs: past.endMs, scale } as const;
  const refusal = pastRefusal(market, reach, state.nowMs);
  if (refusal !== null) return refusal;
  market.addPast(reach, generatePast(past, past.endMs - DAY_MS), state.nowMs);
  state.emit({ type: "pastAdded", symbolId: market.symbolId, past });
  return null;
}

/**
 * The parameters in the symbol's units. Returns null if a number is out of range, or a price or quantity is not on the
 * symbol's tick or step.
 */
function pastOf(state: ExchangeState, market: Market, command: Command<"addPast">): GeneratedPast | null {
  const { generator, seed, endMs, dayTrades } = command;
  const { spec, scale, filters } = market;
  const endTicks = toScale(command.endPrice, scale.priceDecimals);
  const dayLots = toScale(command.dayVolume, scale.quantityDecimals);
  const tickStep = filters.priceFilter?.step ?? 0;
  const lotStep = filters.lotSize?.step ?? 0;
  const steps = { tickStep: Math.max(1, tickStep), lotStep: Math.max(1, lotStep) };
  if (endMs % MINUTE_MS !== 0 || endMs < LEAST_END_MS) return null;
  if (!isMultiple(endTicks, steps.tickStep, MOST_END_TICKS) || !isMultiple(dayLots, steps.lotStep, MOST_DAY_LOTS)) {
    return null;
  }
  return {
    generator,
    seed,
    symbol: spec.symbol,
    endMs,
    endTicks,
    ...steps,
    dayLots,
    dayTrades,
    base: assetOf(spec.baseAsset, command.base),
    quote: assetOf(spec.quoteAsset, command.quote),
    quotePrecision: state.assetOf(market.quoteAssetId).spec.precision,
    ...scale,
  };
}

/** Copies only these fields, because the returned object is stored as it is. */
function assetOf(asset: string, { dayMoveBps, marketPercent }: Command<"addPast">["base"]): GeneratedPast["base"] {
  return { asset, dayMoveBps, marketPercent };
}

function isMultiple(value: number, step: number, most: number): boolean {
  return value > 0 && value <= Math.min(most, LARGEST) && value % step === 0;
}

// Imported candles may have a finer scale than the symbol. The symbol's ticker and last price are in its own units.

/**
 * Converts the candle to units of `to`, none of which is finer than in `from`. Values are rounded to the nearest;
 * prices are at least one.
 */
function inUnitsOf(candle: PastCandle, from: CandleScale, to: CandleScale): PastCandle {
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

/**
 * The maximum number of digits of a price, before and after the point. A safe integer then has room for a price a
 * hundred times as high.
 */
const MOST_PRICE_DIGITS = 13;

export function importKlines(state: ExchangeState, command: Command<"importKlines">): RejectReason | null {
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
 * The first candles of a symbol set the scale of all its candles: the precision of the wire format, so that candles
 * that were recorded with finer steps than today's are stored exactly.
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

/**
 * The candle in units of the scale. Returns null if the scale cannot represent it exactly, or its values contradict
 * each other.
 */
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
