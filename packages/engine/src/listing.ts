/** Operators' commands that list, change and delist assets and symbols, and the adoption of later rules versions. */
import type { Command, AdoptRules } from "./entry/command.ts";
import { MAX_ASSETS, MAX_PRECISION, MAX_SYMBOLS } from "./limits.ts";
import { ORDER_TYPES, SELF_TRADE_PREVENTION_MODES } from "./entry/order-record.ts";
import type { RejectReason } from "./entry/reject.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import { areNetworksOf } from "./funds/networks.ts";
import { areLimitsOf } from "./funds/withdrawal-checks.ts";
import {
  type CompiledFilters,
  compileFilters,
  EXCHANGE_COUNTS,
  limitOf,
  scaleFor,
  type SymbolFilters,
} from "./filters.ts";
import { isRoundingTooCoarse, roundingOf } from "./state/market/rounding.ts";
import { Market } from "./state/market/market.ts";
import { compilePriceRange } from "./state/market/reference-price.ts";
import { decimalParser, type SymbolScale } from "./numbers.ts";
import { type SelfTradePreventionRules, SYMBOL_STATUSES, type SymbolSpec, type SymbolStatus } from "./entry/symbol.ts";
import { beginEnding } from "./trading/end-orders.ts";
import { INTERFACE_RULES, isKnownEdition } from "./entry/edition.ts";
import { closeAllListenKeys } from "./access/api-keys.ts";
import { present } from "./assert.ts";

const ASSET_NAME = /^[A-Z0-9]{1,20}$/;
const SYMBOL_NAME = /^[A-Z0-9-_.]{1,20}$/;

export function listAsset(state: ExchangeState, { asset }: Command<"listAsset">): RejectReason | null {
  if (!ASSET_NAME.test(asset.asset)) return "INVALID_VALUE";
  if (!Number.isInteger(asset.precision) || asset.precision < 0 || asset.precision > MAX_PRECISION) {
    return "INVALID_VALUE";
  }
  if (state.assetsByName.has(asset.asset)) return "ALREADY_EXISTS";
  if (state.assets.length >= MAX_ASSETS) return "TOO_MANY";
  const listed = { assetId: state.assets.length, spec: asset };
  if (!areNetworksOf(state, listed, asset.networks) || !areLimitsOf(state, listed, asset.withdrawalLimits))
    return "INVALID_VALUE";
  state.putAsset(listed);
  state.emit({ type: "assetListed", assetId: listed.assetId });
  return null;
}

export function listSymbol(state: ExchangeState, { symbol }: Command<"listSymbol">): RejectReason | null {
  if (state.marketsBySymbol.has(symbol.symbol)) return "ALREADY_EXISTS";
  if (state.markets.length >= MAX_SYMBOLS) return "TOO_MANY";
  if (!SYMBOL_NAME.test(symbol.symbol) || !isStatus(state, symbol.status)) return "INVALID_VALUE";
  if (symbol.orderTypes.some((type) => !ORDER_TYPES.includes(type))) return "INVALID_VALUE";
  const { selfTradePrevention } = symbol;
  if (selfTradePrevention !== undefined && !arePreventionRules(selfTradePrevention)) return "INVALID_VALUE";
  if (state.edition < 5 && symbol.priceRange !== undefined) return "INVALID_VALUE";
  const market = marketOf(state, symbol, null);
  if (typeof market === "string") return market;
  if (isTooCoarse(state, market, symbol)) return "ROUNDING_TOO_COARSE";
  state.putMarket(market);
  state.emit({ type: "symbolListed", symbolId: market.symbolId });
  return null;
}

/** Adds the market of a symbol that is already listed, when a snapshot is restored. */
export function openMarket(state: ExchangeState, spec: SymbolSpec, listedScale: SymbolScale): Market | RejectReason {
  const market = marketOf(state, spec, listedScale);
  if (typeof market !== "string") state.putMarket(market);
  return market;
}

/** Whether the rounding is too coarse for a listing. Before rules version 4, every symbol could be listed. */
function isTooCoarse(state: ExchangeState, market: Market, spec: SymbolSpec): boolean {
  if (state.edition < 4 || spec.acceptRounding === true) return false;
  const precisionOf = (assetId: number): number => state.assetOf(assetId).spec.precision;
  const precisions = { base: precisionOf(market.baseAssetId), quote: precisionOf(market.quoteAssetId) };
  return isRoundingTooCoarse(roundingOf(spec, precisions, market.scale));
}

/** The market of a new symbol or, if `listedScale` is given, of a listed one. */
function marketOf(state: ExchangeState, spec: SymbolSpec, listedScale: SymbolScale | null): Market | RejectReason {
  const base = state.assetsByName.get(spec.baseAsset);
  const quote = state.assetsByName.get(spec.quoteAsset);
  if (base === undefined || quote === undefined || base === quote) return "UNKNOWN_ASSET";
  const scale = listedScale ?? scaleFor(spec.filters, base.spec.precision, quote.spec.precision);
  const filters = scale && compiled(state, spec.filters, scale, quote.spec.precision);
  const range = spec.priceRange === undefined ? null : compilePriceRange(spec.priceRange, decimalParser(state));
  const isRange = (range !== null) === (spec.priceRange !== undefined);
  if (scale === null || filters === null || !isRange) return "INVALID_VALUE";
  const market = new Market(
    state.markets.length,
    spec,
    scale,
    filters,
    { assetId: base.assetId, precision: base.spec.precision },
    { assetId: quote.assetId, precision: quote.spec.precision },
    state.newBook(),
  );
  market.setPriceRange(spec, range);
  return market;
}

function compiled(
  state: ExchangeState,
  filters: SymbolFilters,
  scale: SymbolScale,
  quotePrecision: number,
): CompiledFilters | null {
  const { stepOrigin } = INTERFACE_RULES[state.interface];
  return compileFilters(filters, scale, quotePrecision, stepOrigin, decimalParser(state));
}

/** Before rules version 5, no symbol could be CANCEL_ONLY. */
function isStatus({ edition }: ExchangeState, status: SymbolStatus): boolean {
  return SYMBOL_STATUSES.includes(status) && (status !== "CANCEL_ONLY" || edition >= 5);
}

export function setSymbolStatus(state: ExchangeState, command: Command<"setSymbolStatus">): RejectReason | null {
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!isStatus(state, command.status)) return "INVALID_VALUE";
  const isDelisted = market.delisting !== null && state.nowMs >= market.delisting.atMs;
  if (isDelisted && command.status !== "BREAK") return "DELISTED";
  if (market.isEndingOrders && command.status === "TRADING") return "ORDERS_ARE_ENDING";
  market.spec = { ...market.spec, status: command.status };
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

export function setSymbolFilters(state: ExchangeState, command: Command<"setSymbolFilters">): RejectReason | null {
  const market = state.marketsBySymbol.get(command.symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  const quotePrecision = state.assetOf(market.quoteAssetId).spec.precision;
  const filters = compiled(state, command.filters, market.scale, quotePrecision);
  if (filters === null) return "INVALID_VALUE";
  const { acceptRounding = market.spec.acceptRounding } = command;
  const accepted = acceptRounding === undefined ? {} : { acceptRounding };
  const spec: SymbolSpec = { ...market.spec, filters: command.filters, ...accepted };
  if (isTooCoarse(state, market, spec)) return "ROUNDING_TOO_COARSE";
  market.setFilters(spec, filters, state.nowMs);
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

/** Sets which modes of self-trade prevention the symbol allows, and which one it uses for orders that name none. */
export function setSelfTradePrevention(
  state: ExchangeState,
  { symbol, defaultMode, allowedModes }: Command<"setSelfTradePrevention">,
): RejectReason | null {
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  const selfTradePrevention = { defaultMode, allowedModes };
  if (state.edition < 5 || !arePreventionRules(selfTradePrevention)) return "INVALID_VALUE";
  market.spec = { ...market.spec, selfTradePrevention };
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

/** Replaces the symbol's execution rule PRICE_RANGE; without one, orders execute at any price of the book. */
export function setPriceRange(
  state: ExchangeState,
  { symbol, priceRange }: Command<"setPriceRange">,
): RejectReason | null {
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  const range = priceRange === null ? null : compilePriceRange(priceRange, decimalParser(state));
  if (state.edition < 5 || (range === null) !== (priceRange === null)) return "INVALID_VALUE";
  const { priceRange: _, ...spec } = market.spec;
  market.setPriceRange(priceRange === null ? spec : { ...spec, priceRange }, range);
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

function arePreventionRules({ defaultMode, allowedModes }: SelfTradePreventionRules): boolean {
  const areKnown = allowedModes.every((mode) => SELF_TRADE_PREVENTION_MODES.includes(mode));
  return areKnown && new Set(allowedModes).size === allowedModes.length && allowedModes.includes(defaultMode);
}

export function setExchangeFilters(
  state: ExchangeState,
  { filters }: Command<"setExchangeFilters">,
): RejectReason | null {
  const counts = EXCHANGE_COUNTS.map((one) => limitOf(filters, one));
  if (counts.some((count) => count !== undefined && !(Number.isSafeInteger(count) && count >= 0))) {
    return "INVALID_VALUE";
  }
  state.setExchangeFilters(filters);
  state.emit({ type: "done" });
  return null;
}

/** Compiles the filters of all symbols again, because steps may be counted from another value. Open orders stay. */
export function setInterface(state: ExchangeState, command: Command<"setInterface">): RejectReason | null {
  // The rules have the interfaces since version 5, and releases of today's interface adopt that version first.
  if (state.edition < 5) return "INVALID_VALUE";
  state.interface = command.interface;
  for (const market of state.markets) {
    const { spec, scale } = market;
    const filters = compiled(state, spec.filters, scale, state.assetOf(market.quoteAssetId).spec.precision);
    market.setFilters(spec, present(filters, "filters that were compiled can be compiled again"), state.nowMs);
  }
  state.emit({ type: "interfaceChanged", interface: state.interface });
  if (!INTERFACE_RULES[state.interface].hasListenKeys) closeAllListenKeys(state);
  return null;
}

/**
 * Before the first order, because clients store ids, and before a first start has journaled the settings of its node,
 * because another node may have counted on this one. The reason for the rules version is that of `setInterface`.
 */
export function setOrderIds(state: ExchangeState, { orderIds }: Command<"setOrderIds">): RejectReason | null {
  if (state.edition < 5) return "INVALID_VALUE";
  if (state.hasNumberedOrders || state.sharedSettings.length > 0) return "ALREADY_EXISTS";
  state.orderIds = orderIds;
  state.emit({ type: "orderIdsSet", orderIds });
  return null;
}

// Delisting: from a time that operators announce, a symbol stays in BREAK and its open orders end.

/**
 * Schedules, changes or cancels a delisting. The time must be in the future, and cannot be changed once it has come.
 */
export function setDelisting(
  state: ExchangeState,
  { symbol, atMs, why, by }: Command<"setDelisting">,
): RejectReason | null {
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (market.delisting !== null && state.nowMs >= market.delisting.atMs) return "DELISTED";
  if (atMs !== null && atMs <= state.nowMs) return "INVALID_VALUE";
  market.delisting = atMs === null ? null : { atMs, why, by, sinceMs: state.nowMs };
  state.dueMarkets.update(market);
  state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  return null;
}

/** Executes the delistings that are due. */
export function delistDueSymbols(state: ExchangeState): void {
  for (const market of state.dueMarkets.toDelist(state.nowMs)) {
    market.isDelisted = true;
    market.spec = { ...market.spec, status: "BREAK" };
    beginEnding(state, market);
    state.emit({ type: "symbolChanged", symbolId: market.symbolId });
  }
}

/** The rules version only increases. Adopting the current or an earlier one changes nothing. */
export function adoptRules(state: ExchangeState, { edition }: AdoptRules): RejectReason | null {
  if (!isKnownEdition(edition)) return "INVALID_VALUE";
  if (edition <= state.edition) return "ALREADY_EXISTS";
  state.edition = edition;
  state.emit({ type: "rulesAdopted", edition });
  return null;
}
