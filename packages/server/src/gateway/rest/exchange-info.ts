/** Exchange information. Interface 2.7, 2.8; extra keys that later clients read: FACTS 5 and 0.19. */
import type { EngineView, ExchangeFilters, MarketView, SymbolFilters } from "@pricetime/engine";
import type { ExchangeFilter, ExchangeInfo, SymbolFilter, SymbolInfo } from "@pricetime/protocol";
import type { LimitsConfig } from "../limits/rule.ts";
import { fixedText } from "./amounts.ts";

interface QuantityRule {
  readonly minQty: string;
  readonly maxQty: string;
  readonly stepSize: string;
}

function quantityRule(rule: QuantityRule): QuantityRule {
  return {
    minQty: fixedText(rule.minQty),
    maxQty: fixedText(rule.maxQty),
    stepSize: fixedText(rule.stepSize),
  };
}

/** In the order of the interface's table; what a symbol does not have is left out. */
function symbolFilters(filters: SymbolFilters): SymbolFilter[] {
  const { priceFilter, percentPrice, lotSize, minNotional, icebergParts, marketLotSize } = filters;
  const shapes: SymbolFilter[] = [];
  if (priceFilter !== undefined) {
    shapes.push({
      filterType: "PRICE_FILTER",
      minPrice: fixedText(priceFilter.minPrice),
      maxPrice: fixedText(priceFilter.maxPrice),
      tickSize: fixedText(priceFilter.tickSize),
    });
  }
  if (percentPrice !== undefined) shapes.push({ filterType: "PERCENT_PRICE", ...percentPrice });
  if (lotSize !== undefined) shapes.push({ filterType: "LOT_SIZE", ...quantityRule(lotSize) });
  if (minNotional !== undefined) {
    shapes.push({ filterType: "MIN_NOTIONAL", ...minNotional, minNotional: fixedText(minNotional.minNotional) });
  }
  if (icebergParts !== undefined) shapes.push({ filterType: "ICEBERG_PARTS", ...icebergParts });
  if (marketLotSize !== undefined) shapes.push({ filterType: "MARKET_LOT_SIZE", ...quantityRule(marketLotSize) });
  const { maxNumOrders, maxNumAlgoOrders, maxNumIcebergOrders } = filters;
  if (maxNumOrders !== undefined) {
    shapes.push({ filterType: "MAX_NUM_ORDERS", maxNumOrders: maxNumOrders.limit, limit: maxNumOrders.limit });
  }
  if (maxNumAlgoOrders !== undefined) shapes.push({ filterType: "MAX_NUM_ALGO_ORDERS", ...maxNumAlgoOrders });
  if (maxNumIcebergOrders !== undefined) shapes.push({ filterType: "MAX_NUM_ICEBERG_ORDERS", ...maxNumIcebergOrders });
  return shapes;
}

function exchangeFilters({ maxNumOrders, maxNumAlgoOrders }: ExchangeFilters): ExchangeFilter[] {
  const shapes: ExchangeFilter[] = [];
  if (maxNumOrders !== undefined) shapes.push({ filterType: "EXCHANGE_MAX_NUM_ORDERS", ...maxNumOrders });
  if (maxNumAlgoOrders !== undefined) shapes.push({ filterType: "EXCHANGE_MAX_NUM_ALGO_ORDERS", ...maxNumAlgoOrders });
  return shapes;
}

function symbolShape(engine: EngineView, market: MarketView): SymbolInfo {
  const { spec } = market;
  const basePrecision = engine.asset(market.baseAssetId).spec.precision;
  const quotePrecision = engine.asset(market.quoteAssetId).spec.precision;
  return {
    symbol: spec.symbol,
    status: spec.status,
    baseAsset: spec.baseAsset,
    baseAssetPrecision: basePrecision,
    quoteAsset: spec.quoteAsset,
    quotePrecision,
    quoteAssetPrecision: quotePrecision,
    baseCommissionPrecision: basePrecision,
    quoteCommissionPrecision: quotePrecision,
    orderTypes: spec.orderTypes,
    icebergAllowed: spec.icebergAllowed,
    ocoAllowed: spec.ocoAllowed,
    quoteOrderQtyMarketAllowed: spec.quoteOrderQtyMarketAllowed,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: symbolFilters(spec.filters),
    permissions: ["SPOT"],
  };
}

export function exchangeInfoShape(
  engine: EngineView,
  markets: readonly MarketView[],
  limits: LimitsConfig,
  nowMs: number,
): ExchangeInfo {
  return {
    timezone: "UTC",
    serverTime: nowMs,
    rateLimits: limits.enabled ? limits.rules : [],
    exchangeFilters: exchangeFilters(engine.exchangeFilters),
    symbols: markets.map((market) => symbolShape(engine, market)),
  };
}
