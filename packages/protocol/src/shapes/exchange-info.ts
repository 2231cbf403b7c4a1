/** Symbols, their rules and the rate limits. Interface 2.7, 2.8. */
import type { OrderType, RateLimitInterval, RateLimitType, SymbolStatus } from "./enums.ts";

export interface RateLimit {
  readonly rateLimitType: RateLimitType;
  readonly interval: RateLimitInterval;
  readonly intervalNum: number;
  readonly limit: number;
}

interface QuantityRule {
  readonly minQty: string;
  readonly maxQty: string;
  readonly stepSize: string;
}

export type SymbolFilter =
  | {
      readonly filterType: "PRICE_FILTER";
      readonly minPrice: string;
      readonly maxPrice: string;
      readonly tickSize: string;
    }
  | {
      readonly filterType: "PERCENT_PRICE";
      readonly multiplierUp: string;
      readonly multiplierDown: string;
      readonly avgPriceMins: number;
    }
  | (QuantityRule & { readonly filterType: "LOT_SIZE" })
  | {
      readonly filterType: "MIN_NOTIONAL";
      readonly minNotional: string;
      readonly applyToMarket: boolean;
      readonly avgPriceMins: number;
    }
  | { readonly filterType: "ICEBERG_PARTS"; readonly limit: number }
  | (QuantityRule & { readonly filterType: "MARKET_LOT_SIZE" })
  /** `maxNumOrders` is for later clients. */
  | { readonly filterType: "MAX_NUM_ORDERS"; readonly limit: number; readonly maxNumOrders: number }
  | { readonly filterType: "MAX_NUM_ALGO_ORDERS"; readonly maxNumAlgoOrders: number }
  | { readonly filterType: "MAX_NUM_ICEBERG_ORDERS"; readonly maxNumIcebergOrders: number };

export type ExchangeFilter =
  | { readonly filterType: "EXCHANGE_MAX_NUM_ORDERS"; readonly maxNumOrders: number }
  | { readonly filterType: "EXCHANGE_MAX_NUM_ALGO_ORDERS"; readonly maxNumAlgoOrders: number };

/** From `quoteAssetPrecision` to `allowedSelfTradePreventionModes` some fields are extras of later clients (Interface 9.3). */
export interface SymbolInfo {
  readonly symbol: string;
  readonly status: SymbolStatus;
  readonly baseAsset: string;
  readonly baseAssetPrecision: number;
  readonly quoteAsset: string;
  readonly quotePrecision: number;
  readonly quoteAssetPrecision: number;
  readonly baseCommissionPrecision: number;
  readonly quoteCommissionPrecision: number;
  readonly orderTypes: readonly OrderType[];
  readonly icebergAllowed: boolean;
  readonly ocoAllowed: boolean;
  readonly quoteOrderQtyMarketAllowed: boolean;
  readonly allowTrailingStop: false;
  readonly isSpotTradingAllowed: boolean;
  readonly isMarginTradingAllowed: boolean;
  readonly filters: readonly SymbolFilter[];
  readonly permissions: readonly ["SPOT"];
  /** Absent when the request says `showPermissionSets=false`. */
  readonly permissionSets?: readonly [readonly ["SPOT"]];
  readonly defaultSelfTradePreventionMode: "NONE";
  readonly allowedSelfTradePreventionModes: readonly ["NONE"];
  /** When the symbol stops trading for good, ms; absent where no delisting is announced. */
  readonly delistTime?: number;
}

export interface ExchangeInfo {
  readonly timezone: "UTC";
  readonly serverTime: number;
  readonly rateLimits: readonly RateLimit[];
  readonly exchangeFilters: readonly ExchangeFilter[];
  readonly symbols: readonly SymbolInfo[];
}
