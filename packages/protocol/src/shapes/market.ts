/**
 * Symbols, their rules and the rate limits (Interface 2.7, 2.8), and public market records (Interface 2.6). Decimals
 * are strings with 8 places, times are milliseconds.
 */
import type { OrderType, RateLimitInterval, RateLimitType, SelfTradePreventionMode, SymbolStatus } from "./enums.ts";

export interface RateLimit {
  readonly rateLimitType: RateLimitType;
  readonly interval: RateLimitInterval;
  readonly intervalNum: number;
  readonly limit: number;
}

/** The limit of attempts to connect. Today's interface announces it over the WebSocket API, in place of RAW_REQUESTS. */
export interface ConnectionLimit extends Omit<RateLimit, "rateLimitType"> {
  readonly rateLimitType: "CONNECTIONS";
}

/** A limit with its use. */
export interface UsedLimit extends RateLimit {
  readonly count: number;
}

// The filters of exchangeInfo (Interface 2.8), each with example values. Names, types and rejections are derived from
// these lists, which are in the order of the interface's table.

export const SYMBOL_FILTERS = [
  { filterType: "PRICE_FILTER", minPrice: "0.01000000", maxPrice: "1000000.00000000", tickSize: "0.01000000" },
  { filterType: "PERCENT_PRICE", multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
  {
    filterType: "PERCENT_PRICE_BY_SIDE",
    bidMultiplierUp: "5",
    bidMultiplierDown: "0.2",
    askMultiplierUp: "5",
    askMultiplierDown: "0.2",
    avgPriceMins: 5,
  },
  {
    filterType: "TRAILING_DELTA",
    minTrailingAboveDelta: 10,
    maxTrailingAboveDelta: 2000,
    minTrailingBelowDelta: 10,
    maxTrailingBelowDelta: 2000,
  },
  { filterType: "LOT_SIZE", minQty: "0.00000100", maxQty: "90000.00000000", stepSize: "0.00000100" },
  { filterType: "MIN_NOTIONAL", minNotional: "10.00000000", applyToMarket: true, avgPriceMins: 5 },
  {
    filterType: "NOTIONAL",
    minNotional: "5.00000000",
    applyMinToMarket: true,
    maxNotional: "9000000.00000000",
    applyMaxToMarket: false,
    avgPriceMins: 5,
  },
  { filterType: "ICEBERG_PARTS", limit: 10 },
  { filterType: "MARKET_LOT_SIZE", minQty: "0.00000000", maxQty: "20000.00000000", stepSize: "0.00000000" },
  { filterType: "MAX_POSITION", maxPosition: "1000.00000000" },
  // `maxNumOrders` is the name that later clients read.
  { filterType: "MAX_NUM_ORDERS", maxNumOrders: 200, limit: 200 },
  { filterType: "MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: 5 },
  { filterType: "MAX_NUM_ICEBERG_ORDERS", maxNumIcebergOrders: 10 },
  { filterType: "MAX_NUM_ORDER_LISTS", maxNumOrderLists: 20 },
  { filterType: "MAX_NUM_ORDER_AMENDS", maxNumOrderAmends: 10 },
] as const;

export const EXCHANGE_FILTERS = [
  { filterType: "EXCHANGE_MAX_NUM_ORDERS", maxNumOrders: 1000 },
  { filterType: "EXCHANGE_MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: 200 },
  { filterType: "EXCHANGE_MAX_NUM_ICEBERG_ORDERS", maxNumIcebergOrders: 1000 },
  { filterType: "EXCHANGE_MAX_NUM_ORDER_LISTS", maxNumOrderLists: 20 },
] as const;

type Value<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : never;
/** The types of the filters in a list: the fields of the examples, with any values of the same types. */
type Shape<F> = F extends { readonly filterType: string }
  ? { readonly [Field in keyof F]: Field extends "filterType" ? F[Field] : Value<F[Field]> }
  : never;

export type SymbolFilter = Shape<(typeof SYMBOL_FILTERS)[number]>;
export type ExchangeFilter = Shape<(typeof EXCHANGE_FILTERS)[number]>;
export type FilterType = (SymbolFilter | ExchangeFilter)["filterType"];

/**
 * Some of the fields from `quoteAssetPrecision` to `allowedSelfTradePreventionModes` are extras for later clients
 * (Interface 9.3).
 */
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
  readonly otoAllowed: boolean;
  readonly opoAllowed: boolean;
  readonly allowTrailingStop: boolean;
  readonly cancelReplaceAllowed: true;
  readonly amendAllowed: true;
  readonly pegInstructionsAllowed: boolean;
  readonly isSpotTradingAllowed: boolean;
  readonly isMarginTradingAllowed: boolean;
  readonly filters: readonly SymbolFilter[];
  readonly permissions: readonly ["SPOT"];
  /** Absent if the request has `showPermissionSets=false`. */
  readonly permissionSets?: readonly [readonly ["SPOT"]];
  readonly defaultSelfTradePreventionMode: SelfTradePreventionMode;
  readonly allowedSelfTradePreventionModes: readonly SelfTradePreventionMode[];
  /** The time at which the symbol stops trading permanently, in milliseconds; absent if no delisting is announced. */
  readonly delistTime?: number;
}

export interface ExchangeInfo {
  readonly timezone: "UTC";
  readonly serverTime: number;
  readonly rateLimits: readonly (RateLimit | ConnectionLimit)[];
  readonly exchangeFilters: readonly ExchangeFilter[];
  readonly symbols: readonly SymbolInfo[];
}

export interface ServerTime {
  readonly serverTime: number;
}

export type DepthLevel = readonly [price: string, quantity: string];

export interface Depth {
  readonly lastUpdateId: number;
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

export interface PublicTrade {
  readonly id: number;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly time: number;
  readonly isBuyerMaker: boolean;
  readonly isBestMatch: boolean;
}

export interface AggregateTrade {
  readonly a: number;
  readonly p: string;
  readonly q: string;
  readonly f: number;
  readonly l: number;
  readonly T: number;
  readonly m: boolean;
  readonly M: boolean;
}

export type Kline = readonly [
  openTime: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  closeTime: number,
  quoteVolume: string,
  trades: number,
  takerBuyBase: string,
  takerBuyQuote: string,
  ignored: "0",
];

/** The execution rules of a symbol. A bound that does not apply is omitted. */
export interface SymbolRules {
  readonly symbol: string;
  readonly rules: readonly {
    readonly ruleType: "PRICE_RANGE";
    readonly bidLimitMultUp?: string;
    readonly bidLimitMultDown?: string;
    readonly askLimitMultUp?: string;
    readonly askLimitMultDown?: string;
  }[];
}

export interface ReferencePrice {
  readonly symbol: string;
  /** Null without a recent trade. */
  readonly referencePrice: string | null;
  readonly timestamp: number;
}

export interface ReferencePriceCalculation {
  readonly symbol: string;
  readonly calculationType: "ARITHMETIC_MEAN";
  readonly bucketCount: number;
  readonly bucketWidthMs: number;
}

export interface AveragePrice {
  readonly mins: number;
  readonly price: string;
  /** The time of the last trade; 0 if there is none. Absent while history cannot be read. */
  readonly closeTime?: number;
}

/**
 * `bidQty` and `askQty` are extra fields that clients read (Interface S.19). `priceChangePercent` has 3 decimal places.
 */
export interface Ticker24hr {
  readonly symbol: string;
  readonly priceChange: string;
  readonly priceChangePercent: string;
  readonly weightedAvgPrice: string;
  readonly prevClosePrice: string;
  readonly lastPrice: string;
  readonly lastQty: string;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly openTime: number;
  readonly closeTime: number;
  /** `firstId` and `lastId` are -1 if the window has no trade. */
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

/** The fields of a 24hr ticker of `type` MINI. */
export type MiniTicker = Pick<
  Ticker24hr,
  | "symbol"
  | "openPrice"
  | "highPrice"
  | "lowPrice"
  | "lastPrice"
  | "volume"
  | "quoteVolume"
  | "openTime"
  | "closeTime"
  | "firstId"
  | "lastId"
  | "count"
>;

/** Statistics of a window or a trading day. */
export type WindowTicker = Omit<
  Ticker24hr,
  "prevClosePrice" | "lastQty" | "bidPrice" | "bidQty" | "askPrice" | "askQty"
>;

export interface PriceTicker {
  readonly symbol: string;
  readonly price: string;
}

export interface BookTicker {
  readonly symbol: string;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
}
