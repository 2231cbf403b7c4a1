/**
 * Example answers for market data and tickers, recorded from a demo. Lists are shortened; the types are those of every
 * answer.
 */
import type { Examples } from "../endpoints.ts";
import { ORDER_TYPES, SELF_TRADE_PREVENTION_MODES } from "../shapes/enums.ts";
import { SYMBOL_FILTERS } from "../shapes/market.ts";

const TRADE = {
  id: 5,
  price: "59976.91000000",
  qty: "0.05194600",
  quoteQty: "3115.56056686",
  time: 1795342360424,
  isBuyerMaker: true,
  isBestMatch: true,
} as const;
const KLINE = [
  1795342320000,
  "60007.16000000",
  "60007.16000000",
  "59976.91000000",
  "59976.91000000",
  "0.55986500",
  1795342379999,
  "33581.23884884",
  5,
  "0.09742500",
  "5845.51658844",
  "0",
] as const;
const WINDOW = {
  symbol: "BTCUSDT",
  priceChange: "-30.25000000",
  priceChangePercent: "-0.050",
  weightedAvgPrice: "59980.95763950",
  openPrice: "60007.16000000",
  highPrice: "60007.16000000",
  lowPrice: "59976.91000000",
  lastPrice: "59976.91000000",
  volume: "0.55986500",
  quoteVolume: "33581.23884884",
  openTime: 1795255920000,
  closeTime: 1795342366853,
  firstId: 1,
  lastId: 5,
  count: 5,
} as const;
const PRICE = {
  symbol: "BTCUSDT",
  price: "59976.91000000",
} as const;
const BEST_PRICES = {
  symbol: "BTCUSDT",
  bidPrice: "59976.91000000",
  bidQty: "0.25023800",
  askPrice: "59997.08000000",
  askQty: "0.79244700",
} as const;

export const MARKET_EXAMPLES = {
  ping: {},
  time: {
    serverTime: 1795342366833,
  },
  exchangeInfo: {
    timezone: "UTC",
    serverTime: 1795342366840,
    rateLimits: [
      { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 1200 },
      { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 1, limit: 10 },
      { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 100000 },
      { rateLimitType: "RAW_REQUESTS", interval: "MINUTE", intervalNum: 5, limit: 5000 },
    ],
    exchangeFilters: [],
    symbols: [
      {
        symbol: "BTCUSDT",
        status: "TRADING",
        baseAsset: "BTC",
        baseAssetPrecision: 8,
        quoteAsset: "USDT",
        quotePrecision: 8,
        quoteAssetPrecision: 8,
        baseCommissionPrecision: 8,
        quoteCommissionPrecision: 8,
        orderTypes: ORDER_TYPES,
        icebergAllowed: true,
        ocoAllowed: true,
        quoteOrderQtyMarketAllowed: true,
        otoAllowed: false,
        opoAllowed: false,
        allowTrailingStop: true,
        cancelReplaceAllowed: true,
        amendAllowed: true,
        pegInstructionsAllowed: true,
        isSpotTradingAllowed: true,
        isMarginTradingAllowed: false,
        filters: SYMBOL_FILTERS,
        permissions: ["SPOT"],
        permissionSets: [["SPOT"]],
        defaultSelfTradePreventionMode: "NONE",
        allowedSelfTradePreventionModes: SELF_TRADE_PREVENTION_MODES,
        delistTime: 1798761600000,
      },
    ],
  },
  depth: {
    lastUpdateId: 93,
    bids: [
      ["59976.91000000", "0.25023800"],
      ["59973.12000000", "0.31898700"],
    ],
    asks: [
      ["59997.08000000", "0.79244700"],
      ["60007.16000000", "0.19650200"],
    ],
  },
  "trades.recent": [TRADE],
  "trades.historical": [TRADE],
  "blockTrades.historical": [],
  executionRules: {
    symbolRules: [
      {
        symbol: "BTCUSDT",
        rules: [
          {
            ruleType: "PRICE_RANGE",
            bidLimitMultUp: "1.2",
            bidLimitMultDown: "0.8",
            askLimitMultUp: "1.2",
            askLimitMultDown: "0.8",
          },
        ],
      },
    ],
  },
  referencePrice: { symbol: "BTCUSDT", referencePrice: "59990.12000000", timestamp: 1795342366853 },
  "referencePrice.calculation": {
    symbol: "BTCUSDT",
    calculationType: "ARITHMETIC_MEAN",
    bucketCount: 30,
    bucketWidthMs: 60_000,
  },
  "trades.aggregate": [
    {
      a: 5,
      p: "59976.91000000",
      q: "0.05194600",
      f: 5,
      l: 5,
      T: 1795342360424,
      m: true,
      M: true,
    },
  ],
  klines: [KLINE],
  uiKlines: [KLINE],
  avgPrice: {
    mins: 5,
    price: "59980.95763950",
    closeTime: 1795342360424,
  },
  "ticker.tradingDay": WINDOW,
  ticker: WINDOW,
  "ticker.24hr": {
    symbol: "BTCUSDT",
    priceChange: "-30.25000000",
    priceChangePercent: "-0.050",
    weightedAvgPrice: "59980.95763950",
    prevClosePrice: "0.00000000",
    lastPrice: "59976.91000000",
    lastQty: "0.05194600",
    bidPrice: "59976.91000000",
    bidQty: "0.25023800",
    askPrice: "59997.08000000",
    askQty: "0.79244700",
    openPrice: "60007.16000000",
    highPrice: "60007.16000000",
    lowPrice: "59976.91000000",
    volume: "0.55986500",
    quoteVolume: "33581.23884884",
    openTime: 1795255966853,
    closeTime: 1795342366853,
    firstId: 1,
    lastId: 5,
    count: 5,
  },
  "ticker.price": PRICE,
  "ticker.book": BEST_PRICES,
  "ticker.allPrices": [PRICE],
  "ticker.allBookTickers": [BEST_PRICES],
} as const satisfies Examples;
