/** Gives a symbol a generated past. */
import { MINUTE_MS, DAY_MS } from "../number/duration.ts";
import { LARGEST, toScale } from "../number/scale.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { AddPast } from "../entry/past-command.ts";
import { firstMsOf, type GeneratedPast, LEAST_END_MS } from "../entry/generated-past.ts";
import { generatePast } from "./generate.ts";
import { pastRefusal } from "./rules.ts";

/** These bounds keep five years of prices and volumes within what ticks and lots can hold. */
const MOST_END_TICKS = 10 ** 12;
const MOST_DAY_LOTS = 2 ** 45;

export function addPast(state: ExchangeState, command: AddPast): RejectReason | null {
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

/** Null when a number is out of range, or a price or quantity is not on the symbol's tick or step. */
function pastOf(state: ExchangeState, market: Market, command: AddPast): GeneratedPast | null {
  const { generator, seed, endMs, dayTrades } = command;
  const { spec, scale, filters } = market;
  const endTicks = toScale(command.endPrice, scale.priceDecimals);
  const dayLots = toScale(command.dayVolume, scale.quantityDecimals);
  const tickStep = filters.price?.stepTicks ?? 0;
  const lotStep = filters.lotSize?.stepLots ?? 0;
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

/** Copies exactly these fields, because the object is stored as it is. */
function assetOf(asset: string, { dayMoveBps, marketPercent }: AddPast["base"]): GeneratedPast["base"] {
  return { asset, dayMoveBps, marketPercent };
}

function isMultiple(value: number, step: number, most: number): boolean {
  return value > 0 && value <= Math.min(most, LARGEST) && value % step === 0;
}
